/** Port: postcodes that end users picked in an organization's widget. Append-only. */

import type { Environment } from "@postcode/core/Credits"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import type { SelectionSource } from "@postcode/core/Selection"
import { Context, type Effect } from "effect"
import type { InvalidParameter, Unavailable } from "../../Errors.ts"
import type { Page, PageRequest } from "../../Page.ts"

/** A picked postcode. */
export interface RecordedSelection {
  readonly id: string
  readonly organization_id: string
  readonly key_id: string
  readonly environment: Environment
  /** The keyed hash of the end user's identifier, see `Secrets.hashIdentifier`; absent without an identifier. */
  readonly subject?: string
  readonly postcode: Postcode
  /** Where the user picked it; absent if the client did not send it. */
  readonly source?: SelectionSource
  /** ISO 8601, UTC. */
  readonly at: string
}

/** Selections of a day, an LGA and a source. */
export interface DailySelections {
  /** Day in UTC, `2026-01-31`. */
  readonly date: string
  /** `LA-12` */
  readonly lga: PartialPostcode
  /** Null if the client did not send it. */
  readonly source: SelectionSource | null
  readonly selections: number
}

/** A query for counts of selections. */
export interface SelectionsQuery {
  readonly organization_id: string
  readonly environment: Environment
  /** First and last day, both included. */
  readonly from: string
  readonly to: string
  /** Rows with fewer selections are left out. */
  readonly min: number
  /** Maximum number of rows. */
  readonly limit: number
}

export class Selections extends Context.Service<
  Selections,
  {
    /**
     * Accepts a selection without waiting for the store, so `list` may lag. Accepted selections survive a graceful
     * shutdown. Fails with `Unavailable` if too many are waiting to be stored.
     */
    readonly record: (selection: RecordedSelection) => Effect.Effect<void, Unavailable>
    /** An organization's selections, newest first; empty for an unknown organization. */
    readonly list: (
      organization_id: string,
      page: PageRequest
    ) => Effect.Effect<Page<RecordedSelection>, InvalidParameter | Unavailable>
    /** By day, LGA and source, ascending, null first; empty for an unknown organization. May lag as `list` does. */
    readonly daily: (query: SelectionsQuery) => Effect.Effect<ReadonlyArray<DailySelections>, Unavailable>
    /**
     * Removes the subject from all selections of an organization, including those that this replica has accepted, and
     * returns how many had one. If it fails, it can be repeated.
     */
    readonly forgetSubjects: (organization_id: string) => Effect.Effect<number, Unavailable>
  }
>()("@postcode/gateway/Selections") {}
