/** KYB submissions, the status of organizations, and the organization and directory that reviewers see. */
import { organizationLimits } from "@postcode/gateway/InputLimits"
import { kybStatuses, organizationStatuses } from "@postcode/gateway/organizations/Organization"
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Data, Timestamp } from "../../answers.ts"
import { documented } from "../../documented.ts"
import { failures } from "../../errors.ts"
import { byIdWithBodyOrConflict } from "../../oneResource.ts"
import { Level, oneOf, Text } from "../../parameters.ts"
import { DirectoryWarning } from "./imports.ts"

const KybStatus = oneOf(kybStatuses)

const KybSubmission = Schema.Struct({
  business_name: Schema.String,
  registration_number: Schema.String,
  note: Schema.optionalKey(Schema.String),
  submitted_at: Timestamp
}).annotate({
  identifier: "KybSubmission",
  description: "The facts that an organization submitted for its verification."
})

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const organizationFields = {
  id: Schema.String,
  name: Schema.String,
  granted_level: Level,
  kyb_status: KybStatus,
  verified_name: Schema.optionalKey(
    Schema.String.annotate({
      description: "Its name when it was verified. Present only if it is verified and was renamed since."
    })
  ),
  status: oneOf(organizationStatuses).annotate({
    description: "Keys and widget sessions of a suspended or closed organization are refused."
  }),
  status_reason: Schema.optionalKey(
    Schema.String.annotate({ description: "The reason for the last change of the status." })
  ),
  status_changed_at: Schema.optionalKey(Timestamp),
  rate_limit_per_minute: Schema.optionalKey(
    Schema.Int.annotate({
      description: "Requests per 60 seconds of all its keys together. Absent: the service's default."
    })
  ),
  kyb_submission: Schema.optionalKey(KybSubmission),
  review_note: Schema.optionalKey(Schema.String),
  created_at: Timestamp
}

export const Organization = Schema.Struct(organizationFields).annotate({
  identifier: "Organization",
  description: "An organization with its status and limits."
})

const ClosedOrganization = Schema.Struct({
  ...organizationFields,
  revoked_keys: Count.annotate({ description: "The number of keys that this request revoked." }),
  anonymized_selections: Count.annotate({
    description: "The number of selections from which this request removed the hash of an identifier."
  })
}).annotate({ identifier: "ClosedOrganization", description: "A closed organization, and what closing it changed." })

const StatusReason = Schema.Struct({
  reason: Text(organizationLimits.note).annotate({
    description: "The reason. The audit log keeps it, and members see it."
  })
})

const DirectoryDescription = Schema.Struct({
  version: Schema.String.annotate({ description: "The name that the publisher gave the edition; empty if unknown." }),
  date: Schema.String.annotate({ description: "The date of the edition, YYYY-MM-DD; empty if unknown." }),
  changes: Count.annotate({ description: "The number of changes that were applied since the edition." }),
  current_since: Schema.optionalKey(Timestamp),
  active_units: Count,
  retired_units: Count,
  states: Count,
  lgas: Count,
  districts: Count,
  areas: Count,
  warnings: Schema.optionalKey(
    Schema.Array(DirectoryWarning).annotate({
      description:
        "For operators: what a look at the edition found when it was imported; absent if it was not looked at. Changes since " +
        "the edition are not part of it."
    })
  )
}).annotate({
  identifier: "DirectoryDescription",
  description: "States, LGAs, districts and areas count only if they have an active unit."
})

export const organization = { success: Data(Organization) }

/** The review endpoints of `Management`. */
export const reviewEndpoints = [
  HttpApiEndpoint.post("submitKyb", "/v1/admin/organizations/:id/kyb", {
    ...byIdWithBodyOrConflict,
    ...organization,
    payload: Schema.Struct({
      business_name: Text(organizationLimits.business_name),
      registration_number: Text(organizationLimits.registration_number),
      note: Schema.optionalKey(Text(organizationLimits.note))
    })
  }).annotateMerge(
    documented(
      "Request the verification of a business",
      "The status becomes pending. A verified or pending business gets 409."
    )
  ),
  HttpApiEndpoint.put("renameOrganization", "/v1/admin/organizations/:id/name", {
    ...byIdWithBodyOrConflict,
    ...organization,
    payload: Schema.Struct({ name: Text(organizationLimits.name) })
  }).annotate(OpenApi.Summary, "Rename an organization"),
  HttpApiEndpoint.post("suspendOrganization", "/v1/admin/organizations/:id/suspend", {
    ...byIdWithBodyOrConflict,
    ...organization,
    payload: StatusReason
  }).annotateMerge(
    documented(
      "Suspend an organization",
      "Its keys and widget sessions are refused, as fast as after a revocation. Members can still sign in and read."
    )
  ),
  HttpApiEndpoint.post("resumeOrganization", "/v1/admin/organizations/:id/resume", {
    ...byIdWithBodyOrConflict,
    ...organization,
    payload: StatusReason
  }).annotateMerge(documented("Resume a suspended organization", "Its keys work again, unchanged.")),
  HttpApiEndpoint.post("closeOrganization", "/v1/admin/organizations/:id/close", {
    ...byIdWithBodyOrConflict,
    success: Data(ClosedOrganization),
    payload: StatusReason
  }).annotateMerge(
    documented(
      "Close a suspended organization permanently",
      "Its keys are revoked, and hashed identifiers are removed from its selections. Ledger, usage and audit log stay. " +
        "An organization that is not suspended gets 409."
    )
  ),
  HttpApiEndpoint.get("directory", "/v1/admin/directory", {
    success: Data(DirectoryDescription),
    error: failures.read
  }).annotate(OpenApi.Summary, "Show the current directory and its size")
] as const
