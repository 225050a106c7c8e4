import { keyKinds, keyStatuses, overlaps, scopes } from "@postcode/core/ApiKey"
import { environments, maximumDailyCreditLimit, maximumGrant } from "@postcode/core/Credits"
import { kybStatuses } from "@postcode/core/Organization"
import { auditActions } from "@postcode/core/ports/AuditLog"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "../access.ts"
import { Data } from "../data.ts"
import { failures } from "../errors.ts"
import { Origin } from "../origin.ts"
import { Day, Level, Moment, pageQuery, Text } from "../parameters.ts"
import { endUserEndpoints } from "./endUsers.ts"

const created = HttpApiSchema.status(201)
const Timestamp = Schema.String.annotate({ description: "ISO 8601, UTC." })
const NextCursor = Schema.NullOr(Schema.String)
const Environment = oneOf(environments)

const Organization = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  granted_level: Level,
  kyb_status: oneOf(kybStatuses),
  review_note: Schema.optionalKey(Schema.String),
  created_at: Timestamp
}).annotate({ identifier: "Organization" })

const keyFields = {
  id: Schema.String,
  organization_id: Schema.String,
  name: Schema.String,
  kind: oneOf(keyKinds),
  environment: Environment,
  scopes: Schema.Array(oneOf(scopes)),
  max_level: Level,
  origins: Schema.Array(Schema.String),
  rate_limit_per_minute: Schema.optionalKey(Schema.Int),
  daily_credit_limit: Schema.optionalKey(Schema.Int),
  credits_today: Schema.optionalKey(
    Schema.Int.annotate({ description: "Charged since 00:00 UTC; in lists, of a key with a daily limit." })
  ),
  prefix: Schema.String,
  status: oneOf(keyStatuses),
  created_at: Timestamp,
  last_used_at: Schema.optionalKey(Timestamp),
  expires_at: Schema.optionalKey(Timestamp),
  revoked_at: Schema.optionalKey(Timestamp),
  replaces: Schema.optionalKey(Schema.String),
  replaced_by: Schema.optionalKey(Schema.String)
}
const ApiKey = Schema.Struct(keyFields).annotate({ identifier: "ApiKey" })
const CreatedApiKey = Schema.Struct({ ...keyFields, secret: Schema.String }).annotate({
  identifier: "CreatedApiKey",
  description: "The only answer that ever holds the secret."
})
const RotatedApiKey = Schema.Struct({
  ...keyFields,
  secret: Schema.String,
  replaced_expires_at: Timestamp
}).annotate({
  identifier: "RotatedApiKey",
  description: "The new key, when the one that it replaces ends, and the secret, which no other answer ever holds."
})

const LedgerEntry = Schema.Struct({
  id: Schema.String,
  amount: Schema.Int,
  reason: Schema.String,
  reference: Schema.String,
  balance_after: Schema.Int,
  created_at: Timestamp
}).annotate({ identifier: "LedgerEntry" })

const AccessRequest = Schema.Struct({
  id: Schema.String,
  organization_id: Schema.String,
  level: Level,
  reason: Schema.String,
  status: Schema.Literals(["pending", "approved", "rejected"]),
  note: Schema.optionalKey(Schema.String),
  created_at: Timestamp,
  decided_at: Schema.optionalKey(Timestamp)
}).annotate({ identifier: "AccessRequest" })

const AuditEvent = Schema.Struct({
  id: Schema.String,
  at: Timestamp,
  actor: Schema.String,
  action: oneOf(auditActions),
  subject: Schema.String,
  organization_id: Schema.optionalKey(Schema.String),
  details: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite]))
}).annotate({ identifier: "AuditEvent" })

const UsageRow = Schema.Struct({
  date: Day,
  operation: Schema.String,
  requests: Schema.Int,
  credits: Schema.Int
}).annotate({ identifier: "UsageRow" })

const KeyBody = Schema.Struct({
  name: Text(100),
  kind: oneOf(keyKinds),
  environment: Environment,
  scopes: Schema.Array(oneOf(scopes)).check(
    Schema.isMinLength(1, { message: "expected at least one scope" }),
    Schema.isUnique({ message: "expected each scope once" })
  ),
  max_level: Level,
  origins: Schema.optionalKey(
    Schema.Array(Origin).check(Schema.isMaxLength(50, { message: "expected at most 50 origins" }))
  ),
  rate_limit_per_minute: Schema.optionalKey(wholeNumber(1, 1_000_000)),
  daily_credit_limit: Schema.optionalKey(wholeNumber(1, maximumDailyCreditLimit)),
  expires_at: Schema.optionalKey(Moment)
})

const id = { params: { id: Schema.String } }
const organization = { success: Data(Organization) }

/** Everything that the console and the command line do. */
export const Management = HttpApiGroup.make("management")
  .add(
    HttpApiEndpoint.post("createOrganization", "/v1/admin/organizations", {
      payload: Schema.Struct({ name: Text(200) }),
      success: Data(Organization).pipe(created),
      error: failures.managementWrite
    }).annotate(OpenApi.Summary, "Create an organization"),
    HttpApiEndpoint.get("listOrganizations", "/v1/admin/organizations", {
      query: pageQuery,
      success: Data(Schema.Struct({ organizations: Schema.Array(Organization), next_cursor: NextCursor })),
      error: failures.managementRead
    }).annotate(OpenApi.Summary, "List organizations, newest first"),
    HttpApiEndpoint.get("getOrganization", "/v1/admin/organizations/:id", {
      ...id,
      ...organization,
      error: failures.managementRead
    }).annotate(OpenApi.Summary, "Show an organization"),
    HttpApiEndpoint.patch("updateOrganization", "/v1/admin/organizations/:id", {
      ...id,
      ...organization,
      payload: Schema.Struct({
        name: Schema.optionalKey(Text(200)),
        granted_level: Schema.optionalKey(Level),
        kyb_status: Schema.optionalKey(oneOf(kybStatuses)),
        review_note: Schema.optionalKey(Text(2_000))
      }),
      error: failures.managementWrite
    }).annotate(OpenApi.Summary, "Rename an organization, grant a level, set its KYB status"),
    HttpApiEndpoint.post("createKey", "/v1/admin/organizations/:id/keys", {
      ...id,
      payload: KeyBody,
      success: Data(CreatedApiKey).pipe(created),
      error: failures.managementWrite
    }).annotate(OpenApi.Summary, "Create an API key; the only answer that holds its secret"),
    HttpApiEndpoint.get("listKeys", "/v1/admin/organizations/:id/keys", {
      ...id,
      query: pageQuery,
      success: Data(Schema.Struct({ keys: Schema.Array(ApiKey), next_cursor: NextCursor })),
      error: failures.managementRead
    }).annotate(OpenApi.Summary, "List an organization's keys, newest first"),
    HttpApiEndpoint.post("rotateKey", "/v1/admin/keys/:id/rotate", {
      ...id,
      payload: Schema.Struct({ overlap: oneOf(overlaps) }),
      success: Data(RotatedApiKey).pipe(created),
      error: failures.managementWrite
    }).annotate(OpenApi.Summary, "Replace a key by a new one like it, which goes on beside it for a while"),
    HttpApiEndpoint.delete("revokeKey", "/v1/admin/keys/:id", {
      ...id,
      success: Data(Schema.Struct({ id: Schema.String, revoked_at: Timestamp })),
      error: failures.managementRead
    }).annotate(OpenApi.Summary, "Revoke a key, in force at once"),
    HttpApiEndpoint.post("grantCredits", "/v1/admin/organizations/:id/credits", {
      ...id,
      payload: Schema.Struct({
        amount: wholeNumber(1, maximumGrant),
        environment: Environment,
        reference: Text(200)
      }),
      success: Data(Schema.Struct({ entry_id: Schema.String, balance: Schema.Int })).pipe(created),
      error: failures.managementWrite
    }).annotate(OpenApi.Summary, "Add credits, once for each reference"),
    HttpApiEndpoint.get("credits", "/v1/admin/organizations/:id/credits", {
      ...id,
      query: { environment: Environment, ...pageQuery },
      success: Data(
        Schema.Struct({ balance: Schema.Int, entries: Schema.Array(LedgerEntry), next_cursor: NextCursor })
      ),
      error: failures.managementRead
    }).annotate(OpenApi.Summary, "Balance and ledger, newest first"),
    HttpApiEndpoint.get("usage", "/v1/admin/organizations/:id/usage", {
      ...id,
      query: { environment: Environment, from: Schema.optionalKey(Day), to: Schema.optionalKey(Day) },
      success: Data(Schema.Struct({ usage: Schema.Array(UsageRow) })),
      error: failures.managementRead
    }).annotate(OpenApi.Summary, "Requests and credits by day and operation"),
    HttpApiEndpoint.post("createAccessRequest", "/v1/admin/organizations/:id/access-requests", {
      ...id,
      payload: Schema.Struct({ level: Level, reason: Text(2_000) }),
      success: Data(AccessRequest).pipe(created),
      error: failures.managementWrite
    }).annotate(OpenApi.Summary, "Ask for a higher level"),
    HttpApiEndpoint.get("listAccessRequests", "/v1/admin/access-requests", {
      query: pageQuery,
      success: Data(Schema.Struct({ access_requests: Schema.Array(AccessRequest), next_cursor: NextCursor })),
      error: failures.managementRead
    }).annotate(OpenApi.Summary, "List access requests, newest first"),
    HttpApiEndpoint.post("decideAccessRequest", "/v1/admin/access-requests/:id/decision", {
      ...id,
      payload: Schema.Struct({ decision: oneOf(["approved", "rejected"]), note: Text(2_000) }),
      success: Data(AccessRequest),
      error: failures.managementWrite
    }).annotate(OpenApi.Summary, "Approve or reject an access request; an approval raises the grant"),
    ...endUserEndpoints,
    HttpApiEndpoint.get("audit", "/v1/admin/audit", {
      query: {
        ...pageQuery,
        organization_id: Schema.optionalKey(Schema.String),
        action: Schema.optionalKey(
          Schema.Literals(auditActions).annotate({
            message: "expected one of the actions in this log, such as key.created"
          })
        )
      },
      success: Data(Schema.Struct({ events: Schema.Array(AuditEvent), next_cursor: NextCursor })),
      error: failures.managementRead
    }).annotate(OpenApi.Summary, "Who did what, newest first")
  )
  .annotateEndpoints(Access, "manager")
  .annotate(OpenApi.Title, "Management")
  .annotate(
    OpenApi.Description,
    "Organizations, keys, credits, access. Operators manage all of them, members what is their organization's."
  )

function oneOf<const L extends string>(values: ReadonlyArray<L>) {
  return Schema.Literals(values).annotate({ message: `expected one of ${values.join(", ")}` })
}

function wholeNumber(minimum: number, maximum: number) {
  const message = `expected a whole number from ${minimum} to ${maximum}`
  return Schema.Number.annotate({ message }).check(
    Schema.isInt({ message }),
    Schema.isBetween({ minimum, maximum }, { message })
  )
}
