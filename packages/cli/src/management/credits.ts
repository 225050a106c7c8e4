/** `postcode credits`. */
import type { Environment, LedgerEntry } from "@postcode/core/Credits"
import type { DailyUsage } from "@postcode/core/ports/UsageLog"
import { Effect } from "effect"
import type { CommandFailure } from "../ExitCode.ts"
import { say, writeData, writeJson } from "../Output.ts"
import { grouped } from "../Progress.ts"
import { record, table } from "../Table.ts"
import { type ConnectionOptions, given, manage } from "./ManagementApi.ts"
import { fetchPages, hintAtNextPage, type PageOptions } from "./Pages.ts"

interface AccountOptions extends ConnectionOptions {
  readonly json: boolean
  readonly organization: string
  readonly environment: Environment
}

export const showCredits = (input: AccountOptions & PageOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { environment, organization } = input
    const data = yield* manage(input, (api) =>
      fetchPages("entries", input, (query) =>
        Effect.map(
          api.credits({ params: { id: organization }, query: { environment, ...query } }),
          (answer) => answer.data
        )
      )
    )
    if (input.json) return yield* writeJson(data)
    yield* writeData(record([[`${environment} balance`, grouped(data.balance)]]))
    if (data.entries.length === 0) return say("nothing has been granted or charged yet")
    yield* writeData(
      `\n${table<Omit<LedgerEntry, "reason"> & { readonly reason: string }>(
        [
          { title: "AT", cell: ({ created_at }) => created_at },
          {
            title: "AMOUNT",
            cell: ({ amount }) => (amount > 0 ? `+${grouped(amount)}` : grouped(amount)),
            align: "right"
          },
          { title: "BALANCE", cell: ({ balance_after }) => grouped(balance_after), align: "right" },
          { title: "REASON", cell: ({ reason }) => reason },
          { title: "REFERENCE", cell: ({ reference }) => reference }
        ],
        data.entries
      )}`
    )
    hintAtNextPage(data.next_cursor)
  })

export const grantCredits = (
  input: AccountOptions & { readonly amount: number; readonly reference: string }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { amount, environment, organization, reference } = input
    const { data } = yield* manage(input, (api) =>
      api.grantCredits({ params: { id: organization }, payload: { amount, environment, reference } })
    )
    if (input.json) return yield* writeJson(data)
    yield* writeData(
      record([
        ["entry", data.entry_id],
        [`${environment} balance`, grouped(data.balance)]
      ])
    )
  })

export const showUsage = (
  input: AccountOptions & { readonly from: string | undefined; readonly to: string | undefined }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { environment, from, organization, to } = input
    const { data } = yield* manage(input, (api) =>
      api.usage({ params: { id: organization }, query: { environment, ...given({ from, to }) } })
    )
    if (input.json) return yield* writeJson(data)
    if (data.usage.length === 0) return say(`no ${environment} key was used in that time`)
    yield* writeData(
      table<DailyUsage>(
        [
          { title: "DAY", cell: ({ date }) => date },
          { title: "OPERATION", cell: ({ operation }) => operation },
          { title: "REQUESTS", cell: ({ requests }) => grouped(requests), align: "right" },
          { title: "CREDITS", cell: ({ credits }) => grouped(credits), align: "right" }
        ],
        data.usage
      )
    )
  })
