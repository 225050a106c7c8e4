/** Port: how much an organization asked for and spent, by day and operation. */
import { Context, type Effect } from "effect"
import type { Environment } from "../Credits.ts"
import type { NotFound, Unavailable } from "../Errors.ts"

export interface UsageEvent {
  readonly organization_id: string
  readonly environment: Environment
  /** The name of the operation in the interface description: `lookup.single`, `search.reverse`, … */
  readonly operation: string
  readonly credits: number
  /** Day in UTC, `2026-01-31`. */
  readonly date: string
}

export interface DailyUsage {
  readonly date: string
  readonly operation: string
  readonly requests: number
  readonly credits: number
}

export interface UsageQuery {
  readonly organization_id: string
  readonly environment: Environment
  /** First and last day, both included. */
  readonly from: string
  readonly to: string
}

export class UsageLog extends Context.Service<
  UsageLog,
  {
    /**
     * Counts one request. Never fails and never waits: usage must not slow an answer down, so `daily` may show it a
     * little later. A request of an organization that does not exist counts for nothing.
     */
    readonly record: (event: UsageEvent) => void
    /** By day, then operation, ascending. */
    readonly daily: (query: UsageQuery) => Effect.Effect<ReadonlyArray<DailyUsage>, NotFound | Unavailable>
  }
>()("@postcode/core/UsageLog") {}
