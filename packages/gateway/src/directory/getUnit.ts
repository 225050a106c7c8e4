/** Shows a unit of the directory and its history, for an operator. */

import type { Postcode } from "@postcode/core/Postcode"
import { Effect } from "effect"
import { type InsufficientScope, NotFound, type Unavailable } from "../Errors.ts"
import { type Manager, permit } from "../ManagementAccess.ts"
import { DirectoryChanges, type UnitHistory } from "./changes/DirectoryChanges.ts"

/** Fails with `NotFound` if the directory neither has the unit nor ever had it, as far as is known. */
export const getUnit: Effect.Effect<
  (postcode: Postcode, manager: Manager) => Effect.Effect<UnitHistory, InsufficientScope | NotFound | Unavailable>,
  never,
  DirectoryChanges
> = Effect.map(DirectoryChanges, ({ history }) =>
  Effect.fnUntraced(function* (postcode, manager) {
    yield* permit(manager, "getUnit")
    const found = yield* history(postcode)
    return found.unit === undefined && found.events.length === 0 ? yield* unknownUnit : found
  })
)

const unknownUnit = new NotFound({ message: "the directory has no unit with this postcode, and no record of one" })
