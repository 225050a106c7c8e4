/** The operators' switch of sign-ups: they can be stopped at once, on all replicas. */
import { Effect } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { audited, entryOf } from "../../audit/audit.ts"
import type { InsufficientScope, Unavailable } from "../../Errors.ts"
import { type Manager, permit } from "../../ManagementAccess.ts"
import { Notices } from "../../notices/Notices.ts"
import type { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
import { AccountLinks } from "../links/AccountLinks.ts"
import { type SignUpMode, SignUpSettings } from "./SignUpSettings.ts"

/** The state of sign-ups, for operators. */
export interface SignUpSwitch {
  /** From the settings of the service. */
  readonly mode: SignUpMode
  readonly domains: ReadonlyArray<string>
  readonly sends_mail: boolean
  /** Whether an operator has stopped sign-ups. */
  readonly is_stopped: boolean
}

/** For operators. */
export interface ManageSignUp {
  readonly get: (manager: Manager) => Effect.Effect<SignUpSwitch, InsufficientScope | Unavailable>
  /** Links that were sent before stay valid. Repeating it adds no audit entry. */
  readonly stop: (isStopped: boolean, manager: Manager) => Effect.Effect<SignUpSwitch, InsufficientScope | Unavailable>
}

/** Every change is stored in one transaction with its audit entry. */
export const manageSignUp: Effect.Effect<
  ManageSignUp,
  never,
  AccountLinks | AuditLog | Notices | Secrets | Transactions
> = Effect.gen(function* () {
  const links = yield* AccountLinks
  const notices = yield* Notices
  const { domains, mode } = yield* SignUpSettings
  const withAudit = yield* audited

  const shown = Effect.map(
    links.isSignUpStopped(),
    (is_stopped): SignUpSwitch => ({ mode, domains, sends_mail: notices.isOn(), is_stopped })
  )

  return {
    get: (manager) => Effect.andThen(permit(manager, "getSignUp"), shown),
    stop: Effect.fnUntraced(function* (isStopped, manager) {
      yield* permit(manager, "stopSignUp")
      yield* withAudit(links.stopSignUp(isStopped), (isChanged) =>
        isChanged
          ? entryOf(manager.actor, isStopped ? "sign_up.stopped" : "sign_up.resumed", { id: "sign_up" })
          : undefined
      )
      return yield* shown
    })
  }
})
