/** Port: requests and credits of keys, by day for reports, and for the last hour for a single key. */

import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { Environment } from "@postcode/core/Credits"
import { Context, type Effect } from "effect"
import type { NotFound, Unavailable } from "../Errors.ts"

/** One answered request. */
export interface UsageEvent {
  /** Owner and environment of the key. They never change. */
  readonly organization_id: string
  readonly environment: Environment
  readonly key_id: string
  /** The name of the endpoint in the interface description: `lookup.single`, `search.reverse`, … */
  readonly operation: string
  /** The level that was served; null if the endpoint has none or nothing was served. */
  readonly level: AccessLevel | null
  /** The HTTP status of the answer. */
  readonly status: number
  readonly credits: number
  /** Time of the answer in milliseconds since 1970. */
  readonly at_ms: number
}

/** The groupings of the requests of a day. */
export const usageGroupings = ["operation", "level", "key", "status"] as const

/** A grouping of the requests of a day. */
export type UsageGrouping = (typeof usageGroupings)[number]

interface Used {
  /** Day in UTC, `2026-01-31`. */
  readonly date: string
  readonly requests: number
  readonly credits: number
}

/** Usage by endpoint. */
export interface OperationUsage extends Used {
  readonly operation: string
}

/** Usage by level. */
export interface LevelUsage extends Used {
  /** Null if no level was served, or if it is unknown. */
  readonly level: AccessLevel | null
}

/** Usage by key. */
export interface KeyUsage extends Used {
  /** Null if unknown, as in old records, which were counted by endpoint only. */
  readonly key_id: string | null
}

/** Usage by HTTP status. */
export interface StatusUsage extends Used {
  /** Null if unknown. */
  readonly status: number | null
}

/** One row of a report. */
export type DailyUsage = KeyUsage | LevelUsage | OperationUsage | StatusUsage

/** A query for a usage report. */
export interface UsageQuery {
  readonly organization_id: string
  readonly environment: Environment
  /** First and last day, both included. */
  readonly from: string
  readonly to: string
  readonly by: UsageGrouping
  /** The key to report on; undefined for all keys. */
  readonly key_id: string | undefined
  /** Maximum number of rows. */
  readonly limit: number
}

/** Length of a time slot in milliseconds; divides a day evenly. */
export const trafficSlot_ms = 300_000

/** Minimum number of slots to keep: an hour and the current slot. */
export const trafficSlots = 13

/** Recent requests of a key. */
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
     * Counts one request. Never fails or waits, so that usage does not delay answers; `daily` and `traffic` may lag.
     * Requests of unknown organizations are ignored.
     */
    readonly record: (event: UsageEvent) => void
    /** By day, then by group, ascending; unknown or null groups first. */
    readonly daily: (query: UsageQuery) => Effect.Effect<ReadonlyArray<DailyUsage>, NotFound | Unavailable>
    /**
     * The requests of a key since the start of one of the last `trafficSlots` slots. All zero for an unknown key.
     */
    readonly traffic: (
      key: Pick<UsageEvent, "key_id" | "organization_id">,
      since_ms: number
    ) => Effect.Effect<Traffic, Unavailable>
  }
>()("@postcode/gateway/UsageLog") {}
