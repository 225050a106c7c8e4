/** `postcode access`. */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { AccessRequest, AccessRequestStatus } from "@postcode/core/Organization"
import type { PageOrder } from "@postcode/core/Page"
import { Effect } from "effect"
import type { CommandFailure } from "../../ExitCode.ts"
import { given, type ManagementOptions, manage } from "../../management/ManagementApi.ts"
import { fetchPages, type PageOptions, printNextPageHint } from "../../management/Pages.ts"
import { say, writeData, writeJson } from "../../Output.ts"
import { record, table } from "../../Table.ts"

interface ListOptions extends ManagementOptions, PageOptions {
  readonly status: AccessRequestStatus | undefined
  readonly organization: string | undefined
  readonly order: PageOrder | undefined
}

/** `postcode access list` */
export const listAccessRequests = (input: ListOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const filter = given({ status: input.status, organization_id: input.organization, order: input.order })
    const data = yield* manage(input, (api) =>
      fetchPages("access_requests", input, (query) =>
        Effect.map(api.listAccessRequests({ query: { ...query, ...filter } }), (answer) => answer.data)
      )
    )
    if (input.json) return yield* writeJson(data)
    if (data.access_requests.length === 0) return say("no access requests")
    yield* writeData(
      table<AccessRequest>(
        [
          { title: "ID", cell: ({ id }) => id },
          { title: "ORGANIZATION", cell: ({ organization_id }) => organization_id },
          { title: "LEVEL", cell: ({ level }) => level, align: "right" },
          { title: "STATUS", cell: ({ status }) => status },
          { title: "CREATED", cell: ({ created_at }) => created_at },
          { title: "REASON", cell: ({ reason }) => reason }
        ],
        data.access_requests
      )
    )
    printNextPageHint(data.next_cursor)
  })

/** `postcode access request` */
export const requestAccess = (
  input: ManagementOptions & { readonly organization: string; readonly level: AccessLevel; readonly reason: string }
): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(
    manage(input, (api) =>
      api.createAccessRequest({
        params: { id: input.organization },
        payload: { level: input.level, reason: input.reason }
      })
    ),
    ({ data }) => print(input, data)
  )

/** `postcode access approve` and `reject` */
export const decideAccess = (
  decision: "approved" | "rejected",
  input: ManagementOptions & { readonly request: string; readonly note: string }
): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(
    manage(input, (api) =>
      api.decideAccessRequest({ params: { id: input.request }, payload: { decision, note: input.note } })
    ),
    ({ data }) => print(input, data)
  )

const print = ({ json }: ManagementOptions, request: AccessRequest): Effect.Effect<void> =>
  json
    ? writeJson(request)
    : writeData(
        record([
          ["id", request.id],
          ["organization", request.organization_id],
          ["level", request.level],
          ["status", request.status],
          ["reason", request.reason],
          ["note", request.note],
          ["created", request.created_at],
          ["decided", request.decided_at]
        ])
      )
