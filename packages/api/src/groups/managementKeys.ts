/** Management keys of an organization, and what the caller's own credential is. */

import { managerCredentials } from "@postcode/gateway/accounts/describeManager"
import { accountLimits } from "@postcode/gateway/InputLimits"
import { keyStatuses } from "@postcode/gateway/keys/ApiKey"
import { memberRoles, roles } from "@postcode/gateway/ManagementAccess"
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { created, Data, MapStyle, NextCursor, Timestamp } from "../answers.ts"
import { documented } from "../documented.ts"
import { failures } from "../errors.ts"
import { AllowedIps } from "../keys/ipRange.ts"
import { byId, byIdWithBodyOrConflict } from "../oneResource.ts"
import { Moment, oneOf, pageQuery, Text } from "../parameters.ts"

const managementKeyFields = {
  id: Schema.String,
  organization_id: Schema.String,
  name: Schema.String,
  role: oneOf(memberRoles),
  prefix: Schema.String,
  created_by: Schema.String.annotate({ description: "The account that created it, or `operator`." }),
  allowed_ips: Schema.Array(Schema.String).annotate({
    description: "IP addresses and ranges that may use the key; empty for any address."
  }),
  status: oneOf(keyStatuses),
  created_at: Timestamp,
  last_used_at: Schema.optionalKey(Timestamp).annotate({ description: "Accurate to a minute." }),
  expires_at: Schema.optionalKey(Timestamp),
  revoked_at: Schema.optionalKey(Timestamp)
}
const ManagementKey = Schema.Struct(managementKeyFields).annotate({
  identifier: "ManagementKey",
  description: "A management key without its secret."
})
const CreatedManagementKey = Schema.Struct({ ...managementKeyFields, secret: Schema.String }).annotate({
  identifier: "CreatedManagementKey",
  description: "Only this response contains the secret."
})

const Caller = Schema.Struct({
  credential: oneOf(managerCredentials),
  actor: Schema.String.annotate({
    description: "As in the audit log: the id of the account or of the management key, or `operator`."
  }),
  role: Schema.optionalKey(oneOf(roles)).annotate({
    description: "Absent for a session of an account of several organizations that names none of them."
  }),
  organization_id: Schema.optionalKey(Schema.String).annotate({
    description: "The organization that the caller acts in; absent for operators."
  }),
  organization_name: Schema.optionalKey(Schema.String),
  support_contact: Schema.optionalKey(Schema.String).annotate({
    description: "The operator's address or web page for questions, if there is one."
  }),
  sends_mail: Schema.Boolean.annotate({ description: "Whether the service sends mail, such as invitations." }),
  has_sandbox: Schema.Boolean.annotate({ description: "Whether test keys see the units of the sandbox." }),
  map_style: MapStyle
}).annotate({ identifier: "Caller", description: "The account, management key or token that sent the request." })

/** The endpoints of `Accounts` on management keys. */
export const managementKeyEndpoints = [
  HttpApiEndpoint.post("createManagementKey", "/v1/admin/organizations/:id/management-keys", {
    ...byIdWithBodyOrConflict,
    payload: Schema.Struct({
      name: Text(accountLimits.management_key_name),
      role: oneOf(memberRoles),
      allowed_ips: Schema.optionalKey(AllowedIps),
      expires_at: Schema.optionalKey(Moment)
    }),
    success: Data(CreatedManagementKey).pipe(created)
  }).annotateMerge(
    documented(
      "Create a management key. Only this response contains its secret",
      "Send a management key as `Authorization: Bearer`, only to `/v1/admin`. It has the permissions of a member with its " +
        "role, except to invite, change or remove accounts and to create management keys. " +
        "It is revoked if the account that created it is removed, or gets a role that may do less than the key."
    )
  ),
  HttpApiEndpoint.get("listManagementKeys", "/v1/admin/organizations/:id/management-keys", {
    ...byId,
    query: pageQuery,
    success: Data(Schema.Struct({ management_keys: Schema.Array(ManagementKey), next_cursor: NextCursor }))
  }).annotate(OpenApi.Summary, "List an organization's management keys, newest first"),
  HttpApiEndpoint.delete("revokeManagementKey", "/v1/admin/management-keys/:id", {
    ...byId,
    success: Data(Schema.Struct({ id: Schema.String, revoked_at: Timestamp }))
  }).annotate(OpenApi.Summary, "Revoke a management key. Every replica refuses it from then on"),
  HttpApiEndpoint.get("whoAmI", "/v1/admin/whoami", {
    success: Data(Caller),
    error: failures.managementRead
  }).annotate(OpenApi.Summary, "Show the role and the organization of the credential that was sent")
] as const
