/** `postcode members`, `operators` and `invitations`. */
import type { DataOf } from "@postcode/client"
import type { MemberRole } from "@postcode/gateway/ManagementAccess"
import { commandName } from "@postcode/server/process/CommandName"
import { Effect } from "effect"
import { type ManagementOptions, request } from "../../management/connect.ts"
import { type Paged, printList } from "../../management/lists.ts"
import { printResponse } from "../../management/printResponse.ts"
import { localTime } from "../../terminal/LocalTime.ts"
import { printRecord, printSecret } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import type { Id, Work } from "../commandsOf.ts"

interface Invited {
  readonly email: string
  /** The origin of the console; the service's own address if undefined. */
  readonly consoleUrl: string | undefined
}

interface OfAccount {
  readonly account: string
}

/** `postcode members list` */
export const listMembers: Work<Paged & Id> = ({ id, page }, options) =>
  printList(options, "GET /v1/admin/organizations/:id/members", { params: { id } }, page, {
    columns: accountColumns,
    empty: `no members yet: ${commandName()} members invite ${id} --role owner --email ADDRESS`
  })

/** `postcode operators list` */
export const listOperators: Work<Paged> = ({ page }, options) =>
  printList(options, "GET /v1/admin/operators", {}, page, {
    columns: accountColumns,
    empty: `no operators yet: ${commandName()} operators invite --email ADDRESS creates a link for the first one`
  })

const accountColumns: View<DataOf<"PATCH /v1/admin/organizations/:id/members/:account">> = {
  ID: "id",
  NAME: "name",
  EMAIL: "email",
  ROLE: "role",
  JOINED: "joined_at"
}

/** `postcode members invite` */
export const inviteMember: Work<Invited & Id & { readonly role: MemberRole }> = (
  { consoleUrl, email, id, role },
  options
) =>
  Effect.flatMap(
    request(options, "POST /v1/admin/organizations/:id/invitations", { params: { id }, body: { role, email } }),
    (invitation) => printLink(options, consoleUrl, invitation)
  )

/** `postcode operators invite` */
export const inviteOperator: Work<Invited> = ({ consoleUrl, email }, options) =>
  Effect.flatMap(request(options, "POST /v1/admin/operators/invitations", { body: { email } }), (invitation) =>
    printLink(options, consoleUrl, invitation)
  )

const printLink = (
  options: ManagementOptions,
  consoleUrl = options.url,
  invitation: DataOf<"POST /v1/admin/organizations/:id/invitations">
): Effect.Effect<void> => {
  const { email, expires_at, id, role, token } = invitation
  if (token === undefined) return printRecord(options, invitation, { invitation: "id", mailed: "email", role: "role" })
  const link = `${consoleUrl}/console/#join=${token}`
  const message = `invitation ${id} of ${email} for the role ${role}, until ${localTime(expires_at)}; the link is shown this once:`
  return printSecret(options, { ...invitation, link }, message, link)
}

/** `postcode members role` */
export const changeRole: Work<Id & OfAccount & { readonly role: MemberRole }> = ({ account, id, role }, options) =>
  printResponse(
    options,
    "PATCH /v1/admin/organizations/:id/members/:account",
    { params: { id, account }, body: { role } },
    { id: "id", email: "email", name: "name", role: "role", organization: "organization_id", joined: "joined_at" }
  )

/** `postcode members remove` */
export const removeMember: Work<Id & OfAccount> = (params, options) =>
  printResponse(options, "DELETE /v1/admin/organizations/:id/members/:account", { params }, { removed: "id" })

/** `postcode operators remove` */
export const removeAccount: Work<Id> = (params, options) =>
  printResponse(options, "DELETE /v1/admin/accounts/:id", { params }, { removed: "id" })

/** `postcode sign-ups show` */
export const showSignUps: Work<object> = (_, options) =>
  printResponse(options, "GET /v1/admin/sign-up", {}, signUpFields)

/** `postcode sign-ups stop` and `resume` */
export const stopSignUps =
  (is_stopped: boolean): Work<object> =>
  (_, options) =>
    printResponse(options, "PUT /v1/admin/sign-up", { body: { is_stopped } }, signUpFields)

const signUpFields: View<DataOf<"GET /v1/admin/sign-up">> = {
  mode: "mode",
  domains: ({ domains }) => (domains.length === 0 ? undefined : domains.join(", ")),
  mail: ({ sends_mail }) => (sends_mail ? "sent" : "not sent, so nobody can sign up"),
  stopped: ({ is_stopped }) => (is_stopped ? "yes" : "no")
}

/** `postcode invitations list` */
export const listInvitations: Work<Paged & { readonly organization: string | undefined }> = (
  { organization: id, page },
  options
) => {
  const text = { columns: invitationColumns, empty: "no invitation is open" }
  return id === undefined
    ? printList(options, "GET /v1/admin/operators/invitations", {}, page, text)
    : printList(options, "GET /v1/admin/organizations/:id/invitations", { params: { id } }, page, text)
}

const invitationColumns: View<Omit<DataOf<"POST /v1/admin/operators/invitations">, "token">> = {
  ID: "id",
  EMAIL: "email",
  ROLE: "role",
  BY: "created_by",
  CREATED: "created_at",
  EXPIRES: "expires_at"
}

/** `postcode invitations withdraw` */
export const withdrawInvitation: Work<Id> = (params, options) =>
  printResponse(options, "DELETE /v1/admin/invitations/:id", { params }, { withdrawn: "id" })
