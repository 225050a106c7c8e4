/** Describes the caller of the management API, so that a client can verify a credential and find its organization. */
import { Effect } from "effect"
import type { InsufficientScope, NotFound, Unavailable } from "../Errors.ts"
import { isManagementKey, type Manager, permit, type Role, roleOf } from "../ManagementAccess.ts"
import { Notices } from "../notices/Notices.ts"
import { Organizations } from "../organizations/Organizations.ts"
import { SupportContact } from "../SupportContact.ts"

/** All kinds of credentials. */
export const managerCredentials = ["operator_token", "console_session", "management_key"] as const

/** The caller. */
export interface ManagerDescription {
  readonly credential: (typeof managerCredentials)[number]
  /** The name in the audit log: the id of the account or of the management key, or `operator`. */
  readonly actor: string
  /** Absent for an account of several organizations that names none of them. */
  readonly role?: Role
  /** The organization that the caller acts in; absent for operators. */
  readonly organization_id?: string
  readonly organization_name?: string
  /** The operator's address or web page for questions. */
  readonly support_contact?: string
  /** Whether the service sends mail. */
  readonly sends_mail: boolean
}

/** For every manager. */
export const describeManager: Effect.Effect<
  (manager: Manager) => Effect.Effect<ManagerDescription, InsufficientScope | NotFound | Unavailable>,
  never,
  Notices | Organizations
> = Effect.gen(function* () {
  const organizations = yield* Organizations
  const notices = yield* Notices
  const support_contact = yield* SupportContact
  return Effect.fnUntraced(function* (manager) {
    yield* permit(manager, "whoAmI")
    const { actor, kind, organization_id } = manager
    const role = kind === "account" ? undefined : roleOf(kind)
    const described: ManagerDescription = {
      credential: credentialOf(manager),
      actor,
      ...(role && { role }),
      ...(support_contact !== undefined && { support_contact }),
      sends_mail: notices.isOn()
    }
    if (organization_id === undefined) return described
    const { name } = yield* organizations.get(organization_id)
    return { ...described, organization_id, organization_name: name }
  })
})

const credentialOf = ({ kind }: Manager): ManagerDescription["credential"] =>
  kind === "token" ? "operator_token" : isManagementKey(kind) ? "management_key" : "console_session"
