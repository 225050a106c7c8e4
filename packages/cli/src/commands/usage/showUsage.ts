/** `postcode credits usage`. */
import type { Environment } from "@postcode/core/Credits"
import type { DailyUsage, UsageGrouping } from "@postcode/core/usage/UsageLog"
import { Effect } from "effect"
import type { CommandFailure } from "../../ExitCode.ts"
import { given, type ManagementOptions, manage } from "../../management/ManagementApi.ts"
import { say, writeData, writeJson } from "../../Output.ts"
import { grouped } from "../../Progress.ts"
import { type Column, table } from "../../Table.ts"

interface UsageOptions extends ManagementOptions {
  readonly organization: string
  readonly environment: Environment
  readonly from: string | undefined
  readonly to: string | undefined
  readonly by: UsageGrouping
  readonly key: string | undefined
}

/** Prints requests and credits per day. */
export const showUsage = (input: UsageOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { by, environment, from, key: key_id, organization, to } = input
    const { data } = yield* manage(input, (api) =>
      api.usage({ params: { id: organization }, query: { environment, by, ...given({ from, to, key_id }) } })
    )
    if (input.json) return yield* writeJson(data)
    if (data.usage.length === 0) return say(`no ${environment} key was used in that time`)
    yield* writeData(
      table<DailyUsage>(
        [
          { title: "DAY", cell: ({ date }) => date },
          groupColumns[by],
          { title: "REQUESTS", cell: ({ requests }) => grouped(requests), align: "right" },
          { title: "CREDITS", cell: ({ credits }) => grouped(credits), align: "right" }
        ],
        data.usage
      )
    )
  })

/** The label of a group; null means unknown or, for levels, no level. */
const groupColumns: Readonly<Record<UsageGrouping, Column<DailyUsage>>> = {
  operation: { title: "OPERATION", cell: (row) => ("operation" in row ? row.operation : undefined) },
  level: { title: "LEVEL", cell: (row) => ("level" in row ? (row.level ?? "none") : undefined), align: "right" },
  key: { title: "KEY", cell: (row) => ("key_id" in row ? (row.key_id ?? "unknown") : undefined) },
  status: { title: "STATUS", cell: (row) => ("status" in row ? (row.status ?? "unknown") : undefined), align: "right" }
}
