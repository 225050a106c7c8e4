/** Records the postcode that a session's end user picked. */

import type { Postcode } from "@postcode/core/Postcode"
import type { SelectionSource } from "@postcode/core/Selection"
import { Effect } from "effect"
import { newId, timestamp } from "../../audit/audit.ts"
import type { Unavailable } from "../../Errors.ts"
import type { Secrets } from "../../store/Secrets.ts"
import type { WidgetSession } from "../sessions/WidgetSession.ts"
import { Selections } from "./Selections.ts"

/** A picked postcode, and where the user picked it, if the client sent it. */
export interface SelectionToRecord {
  readonly postcode: Postcode
  readonly source?: SelectionSource
}

/** Does not wait for the store: accepted selections are stored later, at the latest on shutdown. */
export const recordSelection: Effect.Effect<
  (session: WidgetSession, selection: SelectionToRecord) => Effect.Effect<void, Unavailable>,
  never,
  Secrets | Selections
> = Effect.gen(function* () {
  const selections = yield* Selections
  const identify = yield* newId

  return Effect.fnUntraced(function* (
    { environment, identifier_hashes, key_id, organization_id },
    { postcode, source }
  ) {
    yield* selections.record({
      id: identify("sel"),
      organization_id,
      key_id,
      environment,
      ...(identifier_hashes !== undefined && { subject: identifier_hashes[0] }),
      postcode,
      ...(source !== undefined && { source }),
      at: yield* timestamp
    })
  })
})
