/** Which business an organization is. Its name can be chosen freely, so decisions show what was verified as well. */
import type { DataOf } from "@postcode/client"
import type { CommandFailure } from "@postcode/server/process/ExitCode"
import { Effect } from "effect"
import type { Call } from "../../management/connect.ts"
import type { View } from "../../terminal/Table.ts"

type Organization = DataOf<"GET /v1/admin/organizations/:id">

/** The business name of the submission, if an operator has verified it. */
export const verifiedBusiness = ({ kyb_status, kyb_submission }: Organization): string | undefined =>
  kyb_status === "verified" ? kyb_submission?.business_name : undefined

/** A row about an organization. */
export interface OfOrganization {
  readonly organization: Organization
}

/** Fields of an organization in a record about something else. */
export const organizationFields: View<OfOrganization> = {
  organization: ({ organization }) => organization.id,
  name: ({ organization }) => organization.name,
  "verified business": ({ organization }) => verifiedBusiness(organization),
  "renamed since verification from": ({ organization }) => organization.verified_name
}

/** The same as columns. */
export const organizationColumns: View<OfOrganization> = {
  ORGANIZATION: ({ organization }) => organization.id,
  NAME: ({ organization }) => organization.name,
  "VERIFIED BUSINESS": ({ organization }) => verifiedBusiness(organization),
  "RENAMED FROM": ({ organization }) => organization.verified_name
}

/** Adds the organization to each row; each is requested once. */
export const withOrganizations = <Row extends { readonly organization_id: string }>(
  call: Call,
  rows: ReadonlyArray<Row>
): Effect.Effect<ReadonlyArray<Row & OfOrganization>, CommandFailure> =>
  Effect.gen(function* () {
    const ids = [...new Set(rows.map(({ organization_id }) => organization_id))]
    const found = yield* Effect.forEach(ids, (id) => call("GET /v1/admin/organizations/:id", { params: { id } }), {
      concurrency: 4
    })
    const byId = new Map(found.map((organization) => [organization.id, organization]))
    return rows.map((row) => ({ ...row, organization: byId.get(row.organization_id) as Organization }))
  })
