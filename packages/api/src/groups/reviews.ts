/** KYB submissions, the status of organizations, and the organization and directory that reviewers see. */
import { kybStatuses, organizationStatuses } from "@postcode/core/Organization"
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Data, Timestamp } from "../answers.ts"
import { documented } from "../documented.ts"
import { failures } from "../errors.ts"
import { byIdWithBodyOrConflict } from "../oneResource.ts"
import { Level, oneOf, Text } from "../parameters.ts"

const KybStatus = oneOf(kybStatuses)

const KybSubmission = Schema.Struct({
  business_name: Schema.String,
  registration_number: Schema.String,
  note: Schema.optionalKey(Schema.String),
  submitted_at: Timestamp
}).annotate({ identifier: "KybSubmission" })

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const organizationFields = {
  id: Schema.String,
  name: Schema.String,
  granted_level: Level,
  kyb_status: KybStatus,
  status: oneOf(organizationStatuses).annotate({
    description: "Keys and widget sessions of an organization that is not active are refused."
  }),
  status_reason: Schema.optionalKey(Schema.String.annotate({ description: "Why the status was changed last." })),
  status_changed_at: Schema.optionalKey(Timestamp),
  rate_limit_per_minute: Schema.optionalKey(
    Schema.Int.annotate({
      description: "Requests in 60 seconds of all its keys together; the service's default where it is absent."
    })
  ),
  kyb_submission: Schema.optionalKey(KybSubmission),
  review_note: Schema.optionalKey(Schema.String),
  created_at: Timestamp
}

export const Organization = Schema.Struct(organizationFields).annotate({ identifier: "Organization" })

const ClosedOrganization = Schema.Struct({
  ...organizationFields,
  revoked_keys: Count.annotate({ description: "Keys that this call revoked." }),
  anonymized_selections: Count.annotate({
    description: "Selections from which this call removed the hash of an end user's identifier."
  })
}).annotate({ identifier: "ClosedOrganization" })

const StatusReason = Schema.Struct({
  reason: Text(2_000).annotate({ description: "Why; kept in the audit log, and its members see it." })
})

const DirectoryDescription = Schema.Struct({
  version: Schema.String.annotate({ description: "In the words of its publisher; empty if not said." }),
  date: Schema.String.annotate({ description: "The day of the edition, YYYY-MM-DD; empty if not said." }),
  in_force_since: Schema.optionalKey(Timestamp),
  active_units: Count,
  retired_units: Count,
  states: Count,
  lgas: Count,
  districts: Count,
  areas: Count
}).annotate({
  identifier: "DirectoryDescription",
  description: "States, LGAs, districts and areas are those that hold an active unit."
})

export const organization = { success: Data(Organization) }

/** The review endpoints of `Management`. */
export const reviewEndpoints = [
  HttpApiEndpoint.post("submitKyb", "/v1/admin/organizations/:id/kyb", {
    ...byIdWithBodyOrConflict,
    ...organization,
    payload: Schema.Struct({
      business_name: Text(200),
      registration_number: Text(100),
      note: Schema.optionalKey(Text(2_000))
    })
  }).annotateMerge(
    documented(
      "Ask for the verification of a business",
      "The status becomes pending. One that is verified or pending already is a conflict."
    )
  ),
  HttpApiEndpoint.put("renameOrganization", "/v1/admin/organizations/:id/name", {
    ...byIdWithBodyOrConflict,
    ...organization,
    payload: Schema.Struct({ name: Text(200) })
  }).annotate(OpenApi.Summary, "Rename an organization"),
  HttpApiEndpoint.post("suspendOrganization", "/v1/admin/organizations/:id/suspend", {
    ...byIdWithBodyOrConflict,
    ...organization,
    payload: StatusReason
  }).annotateMerge(
    documented(
      "Suspend an organization",
      "Its keys and widget sessions are refused, as fast as after a revocation; its members may still sign in and read."
    )
  ),
  HttpApiEndpoint.post("resumeOrganization", "/v1/admin/organizations/:id/resume", {
    ...byIdWithBodyOrConflict,
    ...organization,
    payload: StatusReason
  }).annotateMerge(documented("Resume a suspended organization", "Its keys work again as they are.")),
  HttpApiEndpoint.post("closeOrganization", "/v1/admin/organizations/:id/close", {
    ...byIdWithBodyOrConflict,
    success: Data(ClosedOrganization),
    payload: StatusReason
  }).annotateMerge(
    documented(
      "Close a suspended organization, for good",
      "Its keys are revoked, and hashed identifiers are removed from its selections. Ledger, usage and audit log stay. " +
        "An organization that is not suspended is a conflict."
    )
  ),
  HttpApiEndpoint.get("directory", "/v1/admin/directory", {
    success: Data(DirectoryDescription),
    error: failures.read
  }).annotate(OpenApi.Summary, "Show the current directory and its size")
] as const
