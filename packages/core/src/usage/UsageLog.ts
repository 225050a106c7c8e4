/** Port: what keys ask for and what it costs, by day for reports, and of the last hour for whoever looks at one key. */
import { Context, type Effect } from "effect"
import type { Environment } from "../credits/Credits.ts"
import type { NotFound, Unavailable } from "../Errors.ts"
import type { AccessLevel } from "../lookup/AccessLevel.ts"

/** One request, answered. */
export interface UsageEvent {
  /** Whose key it is, and of which account. A key never changes either. */
  readonly organization_id: string
  readonly environment: Environment
  readonly key_id: string
  /** The name of the operation in the interface description: `lookup.single`, `search.reverse`, … */
  readonly operation: string
  /** The level that was served; null where nothing was that has one. */
  readonly level: AccessLevel | null
  /** The HTTP status of the answer. */
  readonly status: number
  readonly credits: number
  /** When it was answered, in milliseconds since 1970. */
  readonly at_ms: number
}

/** What one day's requests can be told apart by. */
export const usageGroupings = ["operation", "level", "key", "status"] as const

/** What the requests of a day are told apart by. */
export type UsageGrouping = (typeof usageGroupings)[number]

interface Used {
  /** Day in UTC, `2026-01-31`. */
  readonly date: string
  readonly requests: number
  readonly credits: number
}

/** What was asked for, and how often. */
export interface OperationUsage extends Used {
  readonly operation: string
}

/** At which level lookups were served, and how often. */
export interface LevelUsage extends Used {
  /** Null where no level was served, or where it is not known. */
  readonly level: AccessLevel | null
}

/** Which key asked, and how often. */
export interface KeyUsage extends Used {
  /** Null where it is not known, as usage was once counted by operation alone. */
  readonly key_id: string | null
}

/** With which HTTP status it was answered, and how often. */
export interface StatusUsage extends Used {
  /** Null where it is not known. */
  readonly status: number | null
}

/** The requests of one day that are alike in what they were grouped by. */
export type DailyUsage = KeyUsage | LevelUsage | OperationUsage | StatusUsage

/** What a report of usage is about. */
export interface UsageQuery {
  readonly organization_id: string
  readonly environment: Environment
  /** First and last day, both included. */
  readonly from: string
  readonly to: string
  readonly by: UsageGrouping
  /** The one key that it is about; undefined for all. */
  readonly key_id: string | undefined
  /** The most rows that are answered. */
  readonly limit: number
}

/** How long the pieces are that a key's latest requests are counted in. A moment belongs to one: this divides a day. */
export const trafficSlot_ms = 300_000

/** How many pieces are kept at least: an hour, and the one that is not over. */
export const trafficSlots = 13

/** What was asked with one key lately. */
export interface Traffic {
  readonly requests: number
  readonly credits: number
  /** Answers with a status of 400 or more. */
  readonly refused: number
}

export class UsageLog extends Context.Service<
  UsageLog,
  {
    /**
     * Counts one request. Never fails and never waits: usage must not slow an answer down, so `daily` and `traffic` may
     * show it a little later. A request of an organization that does not exist counts for nothing.
     */
    readonly record: (event: UsageEvent) => void
    /** By day, then what it is grouped by, ascending, what is unknown or none first. */
    readonly daily: (query: UsageQuery) => Effect.Effect<ReadonlyArray<DailyUsage>, NotFound | Unavailable>
    /**
     * The requests of a key since a moment with which one of the last `trafficSlots` pieces begins. Nothing of a key that
     * nobody has heard of.
     */
    readonly traffic: (
      key: Pick<UsageEvent, "key_id" | "organization_id">,
      since_ms: number
    ) => Effect.Effect<Traffic, Unavailable>
  }
>()("@postcode/core/UsageLog") {}
