/** Closes organizations that were never used, after their owners were told. */
import { Cause, Effect, type Scope } from "effect"
import { timestamp } from "../audit/audit.ts"
import type { Unavailable } from "../Errors.ts"
import { type Manager, tokenManager } from "../ManagementAccess.ts"
import { type NoticePorts, notified } from "../notices/notify.ts"
import { type ClosingRule, closingNotice_days } from "../organizations/Organization.ts"
import { maxTakenOrganizations, Organizations } from "../organizations/Organizations.ts"
import { Transactions } from "../store/Transactions.ts"
import { changeOrganizationStatus } from "./changeOrganizationStatus.ts"

type Ports = NoticePorts | Effect.Services<typeof changeOrganizationStatus>

/**
 * Looks every hour while the scope is open. Any number of processes may do so: each organization is told once, and
 * closed once. Nothing of an organization is deleted, and its members can still read everything.
 */
export const closeUnused = (rule: ClosingRule): Effect.Effect<void, never, Ports | Scope.Scope> =>
  Effect.gen(function* () {
    const organizations = yield* Organizations
    const withNotices = yield* notified
    const close = yield* closing(rule)

    const tellSome = Effect.flatMap(timestamp, (now) =>
      withNotices(organizations.takeUnused(now, rule), (taken) =>
        taken.map(({ closes_at, id }) => ({
          kind: "organization_will_close" as const,
          facts: { organization_id: id, closes_at }
        }))
      )
    )
    const tellAll = Effect.repeat(tellSome, { while: ({ length }) => length === maxTakenOrganizations })
    const closeSome = Effect.flatMap(Effect.flatMap(timestamp, organizations.listClosing), (ids) =>
      Effect.as(Effect.forEach(ids, close, { discard: true }), ids)
    )
    const closeAll = Effect.repeat(closeSome, { while: ({ length }) => length === maxTakenOrganizations })
    // An unavailable store is reported elsewhere. A defect must not stop the loop.
    const resilient = Effect.catchCause(Effect.andThen(tellAll, closeAll), (cause) =>
      Cause.hasDies(cause) ? Effect.logError("unused organizations could not be closed", cause) : Effect.void
    )
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(resilient, Effect.sleep(pause_ms))))
  })

const pause_ms = 3_600_000

/** Suspends and closes an organization in one transaction. Another process may do the same first. */
const closing = ({ after_days }: ClosingRule) =>
  Effect.gen(function* () {
    const { close, suspend } = yield* changeOrganizationStatus
    const { atomically } = yield* Transactions
    const reason = `never used for ${after_days} days, and its owners were told ${closingNotice_days} days before`
    return (id: string): Effect.Effect<void, Unavailable> =>
      atomically(Effect.andThen(suspend(id, reason, service), close(id, reason, service))).pipe(
        Effect.tap(Effect.logInfo(`the organization ${id} was closed: ${reason}`)),
        Effect.catchTag(["Conflict", "NotFound"], () => Effect.void),
        Effect.catchTag("InsufficientScope", Effect.die),
        Effect.asVoid
      )
  })

const service: Manager = { ...tokenManager, actor: "service" }
