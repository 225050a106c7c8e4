import { correctionKinds, environments } from "@postcode/core/Credits"
import { auditActions } from "@postcode/gateway/audit/AuditLog"
import { creditLimits, keyLimits, organizationLimits, publishableDailyCreditLimit } from "@postcode/gateway/InputLimits"
import { keyKinds, overlaps, scopes } from "@postcode/gateway/keys/ApiKey"
import { accessRequestStatuses, kybStatuses, organizationStatuses } from "@postcode/gateway/organizations/Organization"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access, InsteadOfChange } from "../../access.ts"
import { created, Data, NextCursor, Timestamp } from "../../answers.ts"
import { documented } from "../../documented.ts"
import { failures } from "../../errors.ts"
import { ApiKey, keyFields } from "../../keys/apiKey.ts"
import { AllowedIps } from "../../keys/ipRange.ts"
import { Origin } from "../../keys/origin.ts"
import { byId, byIdWithBody, byIdWithBodyOrConflict } from "../../oneResource.ts"
import { Level, Moment, oneOf, orderedPageQuery, pageQuery, SomeOf, Text } from "../../parameters.ts"
import { directoryEndpoints } from "../directory.ts"
import { endUserEndpoints } from "./endUsers.ts"
import { importEndpoints } from "./imports.ts"
import { noticeEndpoints } from "./notices.ts"
import { Organization, organization, reviewEndpoints } from "./reviews.ts"
import { selectionsEndpoint } from "./selections.ts"
import { creditDaysEndpoint, keyDetailEndpoints, usageEndpoint } from "./usage.ts"
import { webhookEndpoints } from "./webhooks.ts"
import { widgetSettingsEndpoints } from "./widgetSettings.ts"

const Environment = oneOf(environments)

const CreatedApiKey = Schema.Struct({ ...keyFields, secret: Schema.String }).annotate({
  identifier: "CreatedApiKey",
  description: "Only this response contains the secret."
})
const RotatedApiKey = Schema.Struct({
  ...keyFields,
  secret: Schema.String,
  replaced_expires_at: Timestamp
}).annotate({
  identifier: "RotatedApiKey",
  description: "The new key, when the replaced key expires, and the secret, which only this response contains."
})

const LedgerEntry = Schema.Struct({
  id: Schema.String,
  amount: Schema.Int,
  reason: Schema.String.annotate({ description: "The kind of entry: a grant, a charge, or the kind of a correction." }),
  reference: Schema.String.annotate({
    description: "Your reference for a grant or correction, the request id for a charge."
  }),
  key_id: Schema.NullOr(Schema.String).annotate({ description: "The key that was charged." }),
  level: Schema.NullOr(Level).annotate({
    description: "The level at which a lookup was served. If less was known, less was charged."
  }),
  note: Schema.NullOr(Schema.String).annotate({ description: "The reason for a correction; null for other entries." }),
  balance_after: Schema.Int,
  created_at: Timestamp
}).annotate({ identifier: "LedgerEntry", description: "A change of a balance: a grant, a charge or a correction." })

const lowBalance = {
  balance: Schema.Int,
  low_balance_threshold: Schema.NullOr(Schema.Int).annotate({ description: "A balance below this is low." })
}

const AccessRequest = Schema.Struct({
  id: Schema.String,
  organization_id: Schema.String,
  level: Level,
  reason: Schema.String,
  status: oneOf(accessRequestStatuses),
  note: Schema.optionalKey(Schema.String),
  created_at: Timestamp,
  decided_at: Schema.optionalKey(Timestamp)
}).annotate({
  identifier: "AccessRequest",
  description: "An organization's request for a higher level, and its decision."
})

const AuditEvent = Schema.Struct({
  id: Schema.String,
  at: Timestamp,
  actor: Schema.String,
  action: oneOf(auditActions),
  subject: Schema.String,
  organization_id: Schema.optionalKey(Schema.String),
  details: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite]))
}).annotate({ identifier: "AuditEvent", description: "An entry of the audit log: who did what, and when." })

const Origins = Schema.Array(Origin).check(
  Schema.isMaxLength(keyLimits.origins, { message: `expected at most ${keyLimits.origins} origins` })
)

/** A limit that null resets. */
const resettable = (maximum: number, description: string) =>
  Schema.optionalKey(
    Schema.NullOr(wholeNumber(1, maximum)).annotate({
      message: `expected a whole number from 1 to ${maximum}, or null`,
      description
    })
  )

const KeyChange = Schema.Struct({
  name: Schema.optionalKey(Text(keyLimits.name)),
  origins: Schema.optionalKey(Origins),
  allowed_ips: Schema.optionalKey(AllowedIps),
  rate_limit_per_minute: resettable(
    keyLimits.rate_limit_per_minute,
    "Requests per 60 seconds; null for the service's default."
  ),
  daily_credit_limit: resettable(
    keyLimits.daily_credit_limit,
    `Credits per day; null for no limit, or for ${publishableDailyCreditLimit} on a publishable key.`
  )
})

const KeyBody = Schema.Struct({
  name: Text(keyLimits.name),
  kind: oneOf(keyKinds),
  environment: Environment,
  scopes: Schema.Array(oneOf(scopes)).check(
    Schema.isMinLength(1, { message: "expected at least one scope" }),
    Schema.isUnique({ message: "expected each scope once" })
  ),
  max_level: Level,
  origins: Schema.optionalKey(Origins),
  allowed_ips: Schema.optionalKey(AllowedIps),
  rate_limit_per_minute: Schema.optionalKey(wholeNumber(1, keyLimits.rate_limit_per_minute)),
  daily_credit_limit: Schema.optionalKey(
    wholeNumber(1, keyLimits.daily_credit_limit).annotate({
      description:
        `Credits that the key can spend per day. Default: ${publishableDailyCreditLimit} for a publishable key, which always ` +
        "has a limit. A secret key has no limit by default."
    })
  ),
  expires_at: Schema.optionalKey(Moment)
})

/** The endpoints of the console and the command line. */
export const Management = HttpApiGroup.make("management")
  .add(
    HttpApiEndpoint.post("createOrganization", "/v1/admin/organizations", {
      payload: Schema.Struct({ name: Text(organizationLimits.name) }),
      success: Data(Organization).pipe(created),
      error: failures.managementWrite
    }).annotate(OpenApi.Summary, "Create an organization"),
    HttpApiEndpoint.get("listOrganizations", "/v1/admin/organizations", {
      query: {
        ...orderedPageQuery,
        kyb_status: Schema.optionalKey(oneOf(kybStatuses)),
        status: Schema.optionalKey(oneOf(organizationStatuses)),
        name: Schema.optionalKey(
          Text(organizationLimits.name).annotate({ description: "Part of the name. Case and diacritics are ignored." })
        )
      },
      success: Data(Schema.Struct({ organizations: Schema.Array(Organization), next_cursor: NextCursor })),
      error: failures.managementRead
    }).annotate(OpenApi.Summary, "List organizations, newest first by default"),
    HttpApiEndpoint.get("getOrganization", "/v1/admin/organizations/:id", { ...byId, ...organization }).annotate(
      OpenApi.Summary,
      "Show an organization"
    ),
    HttpApiEndpoint.patch("updateOrganization", "/v1/admin/organizations/:id", {
      ...byIdWithBodyOrConflict,
      ...organization,
      payload: Schema.Struct({
        name: Schema.optionalKey(Text(organizationLimits.name)),
        granted_level: Schema.optionalKey(Level),
        kyb_status: Schema.optionalKey(oneOf(kybStatuses)),
        rate_limit_per_minute: Schema.optionalKey(
          Schema.NullOr(wholeNumber(1, organizationLimits.rate_limit_per_minute)).annotate({
            message: `expected a whole number from 1 to ${organizationLimits.rate_limit_per_minute}, or null`,
            description: "Requests per 60 seconds of all its keys together; null for the service's default."
          })
        ),
        review_note: Schema.optionalKey(Text(organizationLimits.note))
      })
    }).annotate(OpenApi.Summary, "Rename an organization, grant a level, or set its KYB status and request limit"),
    HttpApiEndpoint.post("createKey", "/v1/admin/organizations/:id/keys", {
      ...byIdWithBodyOrConflict,
      payload: KeyBody,
      success: Data(CreatedApiKey).pipe(created)
    }).annotate(OpenApi.Summary, "Create an API key. Only this response contains its secret"),
    HttpApiEndpoint.get("listKeys", "/v1/admin/organizations/:id/keys", {
      ...byId,
      query: pageQuery,
      success: Data(Schema.Struct({ keys: Schema.Array(ApiKey), next_cursor: NextCursor }))
    }).annotate(OpenApi.Summary, "List an organization's keys, newest first"),
    ...keyDetailEndpoints,
    HttpApiEndpoint.patch("updateKey", "/v1/admin/keys/:id", {
      ...byIdWithBodyOrConflict,
      payload: KeyChange,
      success: Data(ApiKey)
    })
      .annotateMerge(
        documented(
          "Change an active key: name, origins, allowed addresses, limits",
          "Absent fields do not change. Kind, environment, scopes, level and expiry cannot be changed."
        )
      )
      .annotate(InsteadOfChange, "rotate the key, or create another one and revoke this one"),
    HttpApiEndpoint.post("rotateKey", "/v1/admin/keys/:id/rotate", {
      ...byIdWithBodyOrConflict,
      payload: Schema.Struct({ overlap: oneOf(overlaps) }),
      success: Data(RotatedApiKey).pipe(created)
    }).annotate(OpenApi.Summary, "Rotate a key: create a new key with the same settings, and let the old key expire"),
    HttpApiEndpoint.delete("revokeKey", "/v1/admin/keys/:id", {
      ...byId,
      success: Data(Schema.Struct({ id: Schema.String, revoked_at: Timestamp }))
    }).annotate(OpenApi.Summary, "Revoke a key. Every replica refuses it within 600 ms"),
    HttpApiEndpoint.post("grantCredits", "/v1/admin/organizations/:id/credits", {
      ...byIdWithBodyOrConflict,
      payload: Schema.Struct({
        amount: wholeNumber(1, creditLimits.grant),
        environment: Environment,
        reference: Text(creditLimits.reference)
      }),
      success: Data(Schema.Struct({ entry_id: Schema.String, balance: Schema.Int })).pipe(created)
    }).annotate(OpenApi.Summary, "Add credits, once for each reference"),
    HttpApiEndpoint.post("correctCredits", "/v1/admin/organizations/:id/credits/corrections", {
      ...byIdWithBodyOrConflict,
      payload: Schema.Struct({
        amount: correctionAmount(),
        environment: Environment,
        kind: oneOf(correctionKinds).annotate({
          description:
            "`refund`: credits are returned, or removed because their payment was returned. `adjustment`: anything else."
        }),
        reason: Text(creditLimits.reason).annotate({
          description: "The reason. The organization sees it as the `note` of the entry."
        }),
        reference: Text(creditLimits.reference)
      }),
      success: Data(Schema.Struct({ entry_id: Schema.String, balance: Schema.Int })).pipe(created)
    }).annotate(OpenApi.Summary, "Correct a balance, up or down, once for each reference"),
    HttpApiEndpoint.get("credits", "/v1/admin/organizations/:id/credits", {
      ...byId,
      query: { environment: Environment, reference: Schema.optionalKey(Text(creditLimits.reference)), ...pageQuery },
      success: Data(
        Schema.Struct({
          ...lowBalance,
          buy_url: Schema.NullOr(Schema.String).annotate({
            description: "The operator's page where the organization buys these credits; null if there is none."
          }),
          archived: Schema.NullOr(
            Schema.Struct({
              before: Schema.String.annotate({
                description: "The first month that is not archived, in UTC.",
                examples: ["2026-01"]
              }),
              entries: Schema.Int.annotate({ description: "The number of archived entries." }),
              balance: Schema.Int.annotate({ description: "The balance after the last of them." })
            })
          ).annotate({
            description: "The entries that are not listed, because their months are archived; null if there are none."
          }),
          entries: Schema.Array(LedgerEntry),
          next_cursor: NextCursor
        })
      )
    }).annotate(OpenApi.Summary, "Show balance and ledger, newest first, or the entries of one reference"),
    HttpApiEndpoint.put("setLowBalance", "/v1/admin/organizations/:id/credits/threshold", {
      ...byIdWithBody,
      payload: Schema.Struct({
        environment: Environment,
        threshold: Schema.NullOr(wholeNumber(1, creditLimits.threshold)).annotate({
          message: `expected a whole number from 1 to ${creditLimits.threshold}, or null`
        })
      }),
      success: Data(Schema.Struct(lowBalance))
    }).annotate(OpenApi.Summary, "Set the low-balance threshold; null for none"),
    creditDaysEndpoint,
    usageEndpoint,
    selectionsEndpoint,
    HttpApiEndpoint.post("createAccessRequest", "/v1/admin/organizations/:id/access-requests", {
      ...byIdWithBodyOrConflict,
      payload: Schema.Struct({ level: Level, reason: Text(organizationLimits.note) }),
      success: Data(AccessRequest).pipe(created)
    }).annotate(OpenApi.Summary, "Request a higher level"),
    HttpApiEndpoint.get("listAccessRequests", "/v1/admin/access-requests", {
      query: {
        ...orderedPageQuery,
        status: Schema.optionalKey(oneOf(accessRequestStatuses)),
        organization_id: Schema.optionalKey(Schema.String)
      },
      success: Data(Schema.Struct({ access_requests: Schema.Array(AccessRequest), next_cursor: NextCursor })),
      error: failures.managementRead
    }).annotate(OpenApi.Summary, "List access requests, newest first by default"),
    HttpApiEndpoint.post("decideAccessRequest", "/v1/admin/access-requests/:id/decision", {
      ...byIdWithBodyOrConflict,
      payload: Schema.Struct({ decision: oneOf(["approved", "rejected"]), note: Text(organizationLimits.note) }),
      success: Data(AccessRequest)
    }).annotate(OpenApi.Summary, "Approve or reject an access request. Approval raises the grant"),
    ...endUserEndpoints,
    ...reviewEndpoints,
    ...directoryEndpoints,
    ...importEndpoints,
    ...webhookEndpoints,
    ...noticeEndpoints,
    ...widgetSettingsEndpoints,
    HttpApiEndpoint.get("audit", "/v1/admin/audit", {
      query: {
        ...pageQuery,
        organization_id: Schema.optionalKey(Schema.String),
        action: Schema.optionalKey(
          SomeOf(auditActions, "expected actions in this log, such as key.created, with commas between several")
        ),
        actor: Schema.optionalKey(Schema.String),
        subject: Schema.optionalKey(Schema.String),
        from: Schema.optionalKey(Moment.annotate({ description: "Only entries from this time on." })),
        to: Schema.optionalKey(Moment.annotate({ description: "Only entries before this time." }))
      },
      success: Data(Schema.Struct({ events: Schema.Array(AuditEvent), next_cursor: NextCursor })),
      error: failures.managementRead
    }).annotate(OpenApi.Summary, "List the audit log, newest first")
  )
  .annotateEndpoints(Access, "manager")
  .annotate(OpenApi.Title, "Management")
  .annotate(
    OpenApi.Description,
    "Organizations, keys, credits and access. Operators manage all organizations, members their own."
  )

function wholeNumber(minimum: number, maximum: number) {
  const message = `expected a whole number from ${minimum} to ${maximum}`
  return Schema.Number.annotate({ message }).check(
    Schema.isInt({ message }),
    Schema.isBetween({ minimum, maximum }, { message })
  )
}

function correctionAmount() {
  const message = `expected a whole number from -${creditLimits.correction} to ${creditLimits.correction}, other than 0`
  return Schema.Number.annotate({ message, description: "Credits to add. A negative number removes credits." }).check(
    Schema.isInt({ message }),
    Schema.isBetween({ minimum: -creditLimits.correction, maximum: creditLimits.correction }, { message }),
    Schema.makeFilter((amount) => amount !== 0 || message)
  )
}
