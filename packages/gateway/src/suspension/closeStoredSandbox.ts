/** Closes the organizations of the sandbox that an earlier version stored. */
import { Effect, Schedule } from "effect"
import { type Manager, tokenManager } from "../ManagementAccess.ts"
import { Organizations } from "../organizations/Organizations.ts"
import { changeOrganizationStatus } from "./changeOrganizationStatus.ts"

/** The organizations of the reserved keys, by what they lack. Earlier versions stored them under the same ids. */
export const sandboxOrganizationIds = {
  complete: "org_sandbox_complete",
  noCredits: "org_sandbox_no_credits",
  notVerified: "org_sandbox_not_verified",
  suspended: "org_sandbox_suspended"
} as const

/**
 * Run it at each start, with or without the sandbox. The reserved keys are public, and stored ones are ordinary keys, which
 * see every unit: closing their organizations revokes them, also those that a rotation has made. Each is logged and audited
 * once.
 */
export const closeStoredSandbox = Effect.gen(function* () {
  const organizations = yield* Organizations
  const { close, suspend } = yield* changeOrganizationStatus
  const end = Effect.fnUntraced(function* (id: string) {
    const { status } = yield* organizations.get(id)
    if (status === "closed") return
    if (status === "active") yield* suspend(id, reason, service)
    const { revoked_keys } = yield* close(id, reason, service)
    yield* Effect.logWarning(`the organization ${id} was closed and ${revoked_keys} of its keys revoked: ${reason}`)
  })
  yield* Effect.forEach(
    Object.values(sandboxOrganizationIds),
    // Most stores never had it. Another replica that starts at the same time may close it first, which is final.
    (id) => Effect.catchTag(end(id), ["Conflict", "NotFound"], () => Effect.void),
    { concurrency: "unbounded", discard: true }
  )
}).pipe(
  // A start waits for a database that is unavailable for a moment.
  Effect.retry({
    while: ({ _tag }) => _tag === "Unavailable",
    schedule: Schedule.upTo(Schedule.spaced(250), { duration: 30_000 })
  }),
  Effect.catchTag("InsufficientScope", Effect.die)
)

const reason = "an earlier version stored the public keys of the sandbox"

const service: Manager = { ...tokenManager, actor: "service" }
