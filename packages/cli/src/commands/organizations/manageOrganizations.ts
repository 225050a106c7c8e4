/** `postcode orgs` and `postcode kyb`. */
import type { DataOf, InputOf } from "@postcode/client"
import { commandName } from "@postcode/server/process/CommandName"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { say } from "@postcode/server/process/Output"
import { Effect } from "effect"
import { request } from "../../management/connect.ts"
import { type Paged, printList } from "../../management/lists.ts"
import { printResponse } from "../../management/printResponse.ts"
import { printRecord } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import type { Id, Work } from "../commandsOf.ts"
import { exportOrganization } from "./exportOrganization.ts"
import { verifiedBusiness } from "./verifiedBusiness.ts"

/** `postcode orgs list` */
export const listOrganizations: Work<Paged & InputOf<"GET /v1/admin/organizations">["query"]> = (
  { page, ...query },
  options
) =>
  printList(options, "GET /v1/admin/organizations", { query }, page, {
    columns: {
      ID: "id",
      NAME: "name",
      "VERIFIED BUSINESS": verifiedBusiness,
      "RENAMED FROM": "verified_name",
      LEVEL: { right: "granted_level" },
      KYB: "kyb_status",
      STATUS: "status",
      CREATED: "created_at"
    },
    empty:
      query.kyb_status === undefined && query.status === undefined && query.name === undefined
        ? `no organizations yet: ${commandName()} orgs create NAME makes one`
        : "no organization is like that"
  })

const fields: View<DataOf<"GET /v1/admin/organizations/:id">> = {
  id: "id",
  name: "name",
  "renamed since verification from": "verified_name",
  "granted level": "granted_level",
  "KYB status": "kyb_status",
  status: "status",
  "status reason": "status_reason",
  "status since": "status_changed_at",
  "requests a minute": "rate_limit_per_minute",
  "business name": ({ kyb_submission }) => kyb_submission?.business_name,
  "registration number": ({ kyb_submission }) => kyb_submission?.registration_number,
  "submission note": ({ kyb_submission }) => kyb_submission?.note,
  submitted: ({ kyb_submission }) => kyb_submission?.submitted_at,
  "review note": "review_note",
  created: "created_at"
}

/** `postcode orgs create` */
export const createOrganization: Work<{ readonly name: string }> = (body, options) =>
  Effect.gen(function* () {
    const organization = yield* request(options, "POST /v1/admin/organizations", { body })
    yield* printRecord(options, organization, fields)
    if (!options.json) say(`a key for it: ${commandName()} keys create ${organization.id} --name NAME`)
  })

/** `postcode orgs show` */
export const showOrganization: Work<Id> = (params, options) =>
  printResponse(options, "GET /v1/admin/organizations/:id", { params }, fields)

/** `postcode orgs update` */
export const updateOrganization: Work<InputOf<"PATCH /v1/admin/organizations/:id">["body"] & Id> = (
  { id, ...body },
  options
) =>
  Object.values(body).every((value) => value === undefined)
    ? Effect.fail(nothingToChange)
    : printResponse(options, "PATCH /v1/admin/organizations/:id", { params: { id }, body }, fields)

const nothingToChange = new CommandFailure(
  "nothing to change: give --name, --granted-level, --kyb-status, --rate-limit or --review-note",
  exitCodes.wrongUsage
)

type Reasoned = Id & { readonly reason: string }

const changeStatus =
  (to: "resume" | "suspend"): Work<Reasoned> =>
  ({ id, ...body }, options) =>
    printResponse(options, `POST /v1/admin/organizations/:id/${to}`, { params: { id }, body }, fields)

/** `postcode orgs suspend` */
export const suspendOrganization = changeStatus("suspend")

/** `postcode orgs resume` */
export const resumeOrganization = changeStatus("resume")

/** `postcode orgs export` */
export const exportData: Work<Id & { readonly folder: string }> = ({ folder, id }, options) =>
  exportOrganization(options, id, folder)

/** `postcode orgs close` exports first, so that nothing is closed without it. */
export const closeOrganization: Work<Reasoned & { readonly folder: string }> = ({ folder, id, ...body }, options) =>
  Effect.gen(function* () {
    yield* exportOrganization(options, id, folder)
    yield* printResponse(
      options,
      "POST /v1/admin/organizations/:id/close",
      { params: { id }, body },
      {
        ...fields,
        "revoked keys": ({ revoked_keys }) => String(revoked_keys),
        "anonymized selections": ({ anonymized_selections }) => String(anonymized_selections)
      }
    )
  })

/** `postcode kyb submit` */
export const submitKyb: Work<InputOf<"POST /v1/admin/organizations/:id/kyb">["body"] & Id> = (
  { id, ...body },
  options
) => printResponse(options, "POST /v1/admin/organizations/:id/kyb", { params: { id }, body }, fields)

const decideKyb =
  (kyb_status: "rejected" | "verified"): Work<Id & { readonly review_note: string | undefined }> =>
  ({ id, review_note }, options) =>
    printResponse(
      options,
      "PATCH /v1/admin/organizations/:id",
      { params: { id }, body: { kyb_status, review_note } },
      fields
    )

/** `postcode kyb verify` */
export const verifyKyb = decideKyb("verified")

/** `postcode kyb reject` */
export const rejectKyb = decideKyb("rejected")
