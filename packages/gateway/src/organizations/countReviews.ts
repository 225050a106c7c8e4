/** The number of reviews that wait for an operator. */
import { Effect } from "effect"
import type { InsufficientScope, Unavailable } from "../Errors.ts"
import { type Manager, permit } from "../ManagementAccess.ts"
import { AccessRequests, type WaitingReviews } from "./AccessRequests.ts"

/** For operators. */
export const countReviews: Effect.Effect<
  (manager: Manager) => Effect.Effect<WaitingReviews, InsufficientScope | Unavailable>,
  never,
  AccessRequests
> = Effect.map(
  AccessRequests,
  ({ waiting }) =>
    (manager) =>
      Effect.andThen(permit(manager, "countReviews"), waiting())
)
