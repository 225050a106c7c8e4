/** `postcode credits usage`. */
import type { DataOf, InputOf } from "@postcode/client"
import type { UsageGrouping } from "@postcode/gateway/usage/UsageLog"
import { grouped } from "@postcode/server/process/Progress"
import { Effect } from "effect"
import { request } from "../../management/connect.ts"
import { printTable } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import type { Id, Work } from "../commandsOf.ts"

type Row = DataOf<"GET /v1/admin/organizations/:id/usage">["usage"][number]

/** Prints requests and credits per day. */
export const showUsage: Work<
  InputOf<"GET /v1/admin/organizations/:id/usage">["query"] & Id & { readonly by: UsageGrouping }
> = ({ id, ...query }, options) =>
  Effect.gen(function* () {
    const data = yield* request(options, "GET /v1/admin/organizations/:id/usage", { params: { id }, query })
    yield* printTable(options, data, data.usage, {
      columns: {
        DAY: "date",
        ...groupColumns[query.by],
        REQUESTS: { right: ({ requests }) => grouped(requests) },
        CREDITS: { right: ({ credits }) => grouped(credits) }
      },
      empty: `no ${query.environment} key was used in that time`
    })
  })

/** The label of a group; null means unknown or, for levels, no level. */
const groupColumns: Readonly<Record<UsageGrouping, View<Row>>> = {
  operation: { OPERATION: (row) => ("operation" in row ? row.operation : undefined) },
  level: { LEVEL: { right: (row) => ("level" in row ? (row.level ?? "none") : undefined) } },
  key: { KEY: (row) => ("key_id" in row ? (row.key_id ?? "unknown") : undefined) },
  status: { STATUS: { right: (row) => ("status" in row ? (row.status ?? "unknown") : undefined) } }
}
