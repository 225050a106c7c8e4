/** `postcode orgs`. */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { KybStatus, Organization } from "@postcode/core/Organization"
import type { PageOrder } from "@postcode/core/Page"
import { Effect } from "effect"
import { commandName } from "../../CommandName.ts"
import { CommandFailure, exitCodes } from "../../ExitCode.ts"
import { given, type ManagementOptions, manage } from "../../management/ManagementApi.ts"
import { fetchPages, type PageOptions, printNextPageHint } from "../../management/Pages.ts"
import { say, writeData, writeJson } from "../../Output.ts"
import { record, table } from "../../Table.ts"

interface ListOptions extends ManagementOptions, PageOptions {
  readonly kyb_status: KybStatus | undefined
  readonly name: string | undefined
  readonly order: PageOrder | undefined
}

/** `postcode orgs list` */
export const listOrganizations = (input: ListOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { kyb_status, name, order } = input
    const data = yield* manage(input, (api) =>
      fetchPages("organizations", input, (query) =>
        Effect.map(
          api.listOrganizations({ query: { ...query, ...given({ kyb_status, name, order }) } }),
          (answer) => answer.data
        )
      )
    )
    if (input.json) return yield* writeJson(data)
    if (data.organizations.length === 0) {
      return say(
        kyb_status === undefined && name === undefined
          ? `no organizations yet: ${commandName()} orgs create NAME makes one`
          : "no organization is like that"
      )
    }
    yield* writeData(
      table<Organization>(
        [
          { title: "ID", cell: ({ id }) => id },
          { title: "NAME", cell: ({ name }) => name },
          { title: "LEVEL", cell: ({ granted_level }) => granted_level, align: "right" },
          { title: "KYB", cell: ({ kyb_status }) => kyb_status },
          { title: "CREATED", cell: ({ created_at }) => created_at }
        ],
        data.organizations
      )
    )
    printNextPageHint(data.next_cursor)
  })

/** `postcode orgs create` */
export const createOrganization = (
  input: ManagementOptions & { readonly name: string }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { data } = yield* manage(input, (api) => api.createOrganization({ payload: { name: input.name } }))
    yield* printOrganization(input, data)
    if (!input.json) say(`a key for it: ${commandName()} keys create ${data.id} --name NAME`)
  })

/** `postcode orgs show` */
export const showOrganization = (
  input: ManagementOptions & { readonly organization: string }
): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(
    manage(input, (api) => api.getOrganization({ params: { id: input.organization } })),
    ({ data }) => printOrganization(input, data)
  )

/** `postcode orgs update` */
export const updateOrganization = (
  input: ManagementOptions & {
    readonly organization: string
    readonly name: string | undefined
    readonly granted_level: AccessLevel | undefined
    readonly kyb_status: KybStatus | undefined
    /** In requests per minute; null for the service's default. */
    readonly rate_limit: number | null | undefined
    readonly review_note: string | undefined
  }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { granted_level, kyb_status, name, rate_limit: rate_limit_per_minute, review_note } = input
    const payload = given({ name, granted_level, kyb_status, rate_limit_per_minute, review_note })
    if (Object.keys(payload).length === 0) {
      return yield* Effect.fail(
        new CommandFailure(
          "nothing to change: give --name, --granted-level, --kyb-status, --rate-limit or --review-note",
          exitCodes.wrongUsage
        )
      )
    }
    const { data } = yield* manage(input, (api) =>
      api.updateOrganization({ params: { id: input.organization }, payload })
    )
    yield* printOrganization(input, data)
  })

/** An organization as JSON, or field by field. */
export const printOrganization = (
  { json }: Pick<ManagementOptions, "json">,
  organization: Organization
): Effect.Effect<void> =>
  json
    ? writeJson(organization)
    : writeData(
        record([
          ["id", organization.id],
          ["name", organization.name],
          ["granted level", organization.granted_level],
          ["KYB status", organization.kyb_status],
          ["requests a minute", organization.rate_limit_per_minute],
          ["business name", organization.kyb_submission?.business_name],
          ["registration number", organization.kyb_submission?.registration_number],
          ["submission note", organization.kyb_submission?.note],
          ["submitted", organization.kyb_submission?.submitted_at],
          ["review note", organization.review_note],
          ["created", organization.created_at]
        ])
      )
