/** Port: which postcodes end users picked in the widget of an organization. Append only. */
import { Context, type Effect } from "effect"
import type { Environment } from "../credits/Credits.ts"
import type { InvalidParameter, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { Postcode } from "../postcode/Postcode.ts"

/** A postcode that an end user picked. */
export interface RecordedSelection {
  readonly id: string
  readonly organization_id: string
  readonly key_id: string
  readonly environment: Environment
  /** The keyed hash of the end user's identifier, see `Secrets.hashIdentifier`; absent if the end user gave none. */
  readonly subject?: string
  readonly postcode: Postcode
  /** ISO 8601, UTC. */
  readonly at: string
}

export class Selections extends Context.Service<
  Selections,
  {
    /**
     * Accepts a selection. It never waits for a store, so `list` may show the selection a little later; what was
     * accepted is kept when the program is told to stop. Fails with `Unavailable` if too many wait to be stored.
     */
    readonly record: (selection: RecordedSelection) => Effect.Effect<void, Unavailable>
    /** An organization's selections, the last stored first; none if the organization does not exist. */
    readonly list: (
      organization_id: string,
      page: PageRequest
    ) => Effect.Effect<Page<RecordedSelection>, InvalidParameter | Unavailable>
  }
>()("@postcode/core/Selections") {}
