import { accountLimits } from "@postcode/gateway/InputLimits"
import { memberRoles, roles } from "@postcode/gateway/ManagementAccess"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "../access.ts"
import { created, Data, NextCursor, Timestamp } from "../answers.ts"
import { documented } from "../documented.ts"
import { failures } from "../errors.ts"
import { byId, byIdOrConflict, byIdWithBodyOrConflict } from "../oneResource.ts"
import { oneOf, pageQuery, Text } from "../parameters.ts"
import { managementKeyEndpoints } from "./managementKeys.ts"
import { signUpSwitchEndpoints } from "./signUpSwitch.ts"

export const Role = Schema.Literals(roles)
export const MemberRole = oneOf(memberRoles)
export const Email = Text(accountLimits.email)

const Member = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  name: Schema.String,
  role: Role,
  organization_id: Schema.optionalKey(Schema.String),
  joined_at: Timestamp
}).annotate({
  identifier: "Member",
  description: "An account in an organization, or an operator of the instance, who has no organization here."
})

const invitationFields = {
  id: Schema.String,
  role: Role,
  email: Schema.optionalKey(Schema.String).annotate({
    description: "The email address of the account. Absent only for the first operator's link."
  }),
  organization_id: Schema.optionalKey(Schema.String),
  created_by: Schema.String,
  created_at: Timestamp,
  expires_at: Timestamp
}
const Invitation = Schema.Struct(invitationFields).annotate({
  identifier: "Invitation",
  description: "An invitation of an account, without its link."
})
const CreatedInvitation = Schema.Struct({ ...invitationFields, token: Schema.String }).annotate({
  identifier: "CreatedInvitation",
  description:
    "Only this response contains the token. It gives one account the role, once: send it to the invited person alone."
})
const CreatedMemberInvitation = Schema.Struct({
  ...invitationFields,
  token: Schema.optionalKey(Schema.String).annotate({
    description: "Absent for an owner if the service sends mail: then only the invited address gets the link."
  })
}).annotate({
  identifier: "CreatedMemberInvitation",
  description: "Only this response contains the token, if any does. Send it to the invited person alone."
})

const memberPage = Data(Schema.Struct({ accounts: Schema.Array(Member), next_cursor: NextCursor }))
const memberInPath = { id: Schema.String, account: Schema.String }
const invitationPage = Data(Schema.Struct({ invitations: Schema.Array(Invitation), next_cursor: NextCursor }))
const invited = Data(CreatedInvitation).pipe(created)
const invitedMember = Data(CreatedMemberInvitation).pipe(created)

const invitationAddress =
  "The account gets this email address. If the service sends mail, the link is mailed to it. The response does not depend on whether the address has an account."

/** Console accounts: operators, members of organizations, and invitations; and management keys. */
export const Accounts = HttpApiGroup.make("accounts")
  .add(
    HttpApiEndpoint.get("listOperators", "/v1/admin/operators", {
      query: pageQuery,
      success: memberPage,
      error: failures.managementRead
    }).annotate(OpenApi.Summary, "List operators, newest first"),
    HttpApiEndpoint.post("inviteOperator", "/v1/admin/operators/invitations", {
      payload: Schema.Struct({ email: Email }),
      success: invited,
      error: failures.managementWrite
    }).annotateMerge(documented("Invite an operator. Only this response contains the token", invitationAddress)),
    HttpApiEndpoint.get("listOperatorInvitations", "/v1/admin/operators/invitations", {
      query: pageQuery,
      success: invitationPage,
      error: failures.managementRead
    }).annotate(OpenApi.Summary, "List pending invitations of operators, newest first"),
    HttpApiEndpoint.get("listMembers", "/v1/admin/organizations/:id/members", {
      ...byId,
      query: pageQuery,
      success: memberPage
    }).annotate(OpenApi.Summary, "List an organization's members, newest first"),
    HttpApiEndpoint.post("inviteMember", "/v1/admin/organizations/:id/invitations", {
      ...byIdWithBodyOrConflict,
      payload: Schema.Struct({ role: MemberRole, email: Email }),
      success: invitedMember
    }).annotateMerge(documented("Invite a member", invitationAddress)),
    HttpApiEndpoint.get("listInvitations", "/v1/admin/organizations/:id/invitations", {
      ...byId,
      query: pageQuery,
      success: invitationPage
    }).annotate(OpenApi.Summary, "List an organization's pending invitations, newest first"),
    HttpApiEndpoint.delete("withdrawInvitation", "/v1/admin/invitations/:id", {
      ...byId,
      success: Data(Schema.Struct({ id: Schema.String }))
    }).annotate(OpenApi.Summary, "Withdraw a pending invitation"),
    HttpApiEndpoint.patch("changeRole", "/v1/admin/organizations/:id/members/:account", {
      ...byIdWithBodyOrConflict,
      params: memberInPath,
      payload: Schema.Struct({ role: MemberRole }),
      success: Data(Member)
    }).annotate(OpenApi.Summary, "Change a member's role, from the member's next request on"),
    HttpApiEndpoint.delete("removeMember", "/v1/admin/organizations/:id/members/:account", {
      ...byIdOrConflict,
      params: memberInPath,
      success: Data(Schema.Struct({ id: Schema.String }))
    }).annotateMerge(
      documented(
        "Remove a member from an organization",
        "The account stays if it belongs to another organization or runs the instance. Otherwise it is removed."
      )
    ),
    HttpApiEndpoint.delete("removeAccount", "/v1/admin/accounts/:id", {
      ...byIdOrConflict,
      success: Data(Schema.Struct({ id: Schema.String }))
    }).annotate(OpenApi.Summary, "Remove an account everywhere, with its sessions"),
    ...managementKeyEndpoints,
    ...signUpSwitchEndpoints
  )
  .annotateEndpoints(Access, "manager")
  .annotate(OpenApi.Title, "Accounts")
  .annotate(
    OpenApi.Description,
    "Operators run the instance. Members belong to an organization; an account may be a member of several. An invitation is " +
      "for one email address, within 7 days: it creates an account, or gives an account the role. " +
      "A management key gives an organization's servers a role. " +
      "The last operator and an organization's last owner cannot be removed or get another role."
  )
