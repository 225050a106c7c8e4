/**
 * Invites members to an organization and operators to the instance. The answer does not reveal whether the address has
 * an account.
 */
import { Clock, Effect, Redacted } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { audited, entryOf, newId, timestamp } from "../../audit/audit.ts"
import type {
  Conflict,
  InsufficientScope,
  InvalidParameter,
  InvalidToken,
  NotFound,
  Unavailable
} from "../../Errors.ts"
import {
  isUnrestricted,
  type Manager,
  type MemberRole,
  makerOf,
  permit,
  permitFound,
  permitOn
} from "../../ManagementAccess.ts"
import { Notices } from "../../notices/Notices.ts"
import { type NoticePorts, notified } from "../../notices/notify.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import type { Page, PageRequest } from "../../Page.ts"
import { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
import { type Invitation, invitation_ms, readEmail, tokenLength } from "../Account.ts"
import { Accounts } from "../Accounts.ts"

/** A new invitation. Its token is never returned again. */
export interface CreatedInvitation {
  readonly invitation: Invitation
  readonly token: Redacted.Redacted<string>
}

/** A new invitation of a member. */
export interface CreatedMemberInvitation {
  readonly invitation: Invitation
  /**
   * Undefined for members if the service mails the link: then only the mailbox has it. With the link, an owner could open
   * an account for an address of somebody else, or learn that the address has one.
   */
  readonly token: Redacted.Redacted<string> | undefined
}

type Refused = InsufficientScope | NotFound | Unavailable
/** The session may have ended after authentication. */
type NotInvited = Conflict | InvalidToken | Refused

/** For a member, other organizations fail with `NotFound`. An invitation is valid for `invitation_ms`, once. */
export interface ManageInvitations {
  readonly inviteMember: (
    organization_id: string,
    invited: { readonly role: MemberRole; readonly email: string },
    manager: Manager
  ) => Effect.Effect<CreatedMemberInvitation, InvalidParameter | NotInvited>
  readonly inviteOperator: (
    email: string,
    manager: Manager
  ) => Effect.Effect<CreatedInvitation, InvalidParameter | NotInvited>
  /** The valid invitations of an organization, or of operators if undefined; newest first. */
  readonly list: (
    organization_id: string | undefined,
    page: PageRequest,
    manager: Manager
  ) => Effect.Effect<Page<Invitation>, InvalidParameter | Refused>
  readonly withdraw: (id: string, manager: Manager) => Effect.Effect<void, Refused>
}

/** Every change is stored in one transaction with its audit entry, an invitation also with its mail. */
export const manageInvitations: Effect.Effect<
  ManageInvitations,
  never,
  Accounts | AuditLog | NoticePorts | Organizations | Secrets | Transactions
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const secrets = yield* Secrets
  const identify = yield* newId
  const organizations = yield* Organizations
  const { isOn: isMailed } = yield* Notices
  const withAudit = yield* audited
  const withNotices = yield* notified

  const invite = Effect.fnUntraced(function* (
    { email: raw, ...fields }: Pick<Invitation, "organization_id" | "role"> & { readonly email: string },
    manager: Manager
  ) {
    const { actor } = manager
    const email = yield* Effect.fromResult(readEmail(raw))
    const token = Redacted.make(secrets.random(tokenLength))
    const now_ms = yield* Clock.currentTimeMillis
    const invitation: Invitation = {
      id: identify("inv"),
      ...fields,
      email,
      created_by: actor,
      created_at: new Date(now_ms).toISOString(),
      expires_at: new Date(now_ms + invitation_ms).toISOString(),
      is_claim: false
    }
    const invited = withAudit(accounts.invite(invitation, secrets.hash(token), makerOf(manager)), () =>
      entryOf(actor, "invitation.created", invitation, { role: invitation.role })
    )
    const link = { token, expires_at: invitation.expires_at }
    yield* withNotices(invited, () => [{ kind: "invitation", facts: fields, email, link }])
    return { invitation, token }
  })

  return {
    inviteMember: Effect.fnUntraced(function* (organization_id, invited, manager) {
      yield* permitOn(manager, "inviteMember", organization_id)
      const { invitation, token } = yield* invite({ ...invited, organization_id }, manager)
      return { invitation, token: isMailed() && !isUnrestricted(manager) ? undefined : token }
    }),

    inviteOperator: (email, manager) =>
      Effect.andThen(permit(manager, "inviteOperator"), invite({ role: "operator", email }, manager)),

    list: Effect.fnUntraced(function* (organization_id, page, manager) {
      const call = organization_id === undefined ? "listOperatorInvitations" : "listInvitations"
      yield* permitOn(manager, call, organization_id)
      if (organization_id !== undefined) yield* organizations.get(organization_id)
      return yield* accounts.invitations({ organization_id }, yield* timestamp, page)
    }),

    withdraw: Effect.fnUntraced(function* (id, manager) {
      const found = yield* permitFound(manager, "withdrawInvitation", accounts.invitation(id), "invitation")
      yield* withAudit(accounts.withdraw(id), () =>
        entryOf(manager.actor, "invitation.withdrawn", found, { role: found.role })
      )
    })
  }
})
