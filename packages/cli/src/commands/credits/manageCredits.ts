/** `postcode credits`. */
import type { Environment, LedgerEntry } from "@postcode/core/Credits"
import { daysLeft } from "@postcode/core/DaysLeft"
import { Clock, Effect } from "effect"
import { CommandFailure, exitCodes } from "../../ExitCode.ts"
import { given, type ManagementOptions, manage } from "../../management/ManagementApi.ts"
import { fetchPages, type PageOptions, printNextPageHint } from "../../management/Pages.ts"
import { say, writeData, writeJson } from "../../Output.ts"
import { grouped } from "../../Progress.ts"
import { record, table } from "../../Table.ts"

interface AccountOptions extends ManagementOptions {
  readonly organization: string
  readonly environment: Environment
}

/** `postcode credits show` */
export const showCredits = (
  input: AccountOptions & PageOptions & { readonly reference: string | undefined }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { environment, organization, reference } = input
    const { days_left, ...data } = yield* manage(input, (api) =>
      Effect.gen(function* () {
        const params = { id: organization }
        const page = yield* fetchPages("entries", input, (query) =>
          Effect.map(
            api.credits({ params, query: { environment, ...given({ reference }), ...query } }),
            (answer) => answer.data
          )
        )
        const { data } = yield* api.usage({ params, query: { environment } })
        return { ...page, days_left: daysLeft(page.balance, data.usage, yield* Clock.currentTimeMillis) }
      })
    )
    if (input.json) return yield* writeJson({ ...data, days_left: days_left ?? null })
    yield* writeData(record([...balanceOf(environment, data), ["days left", days_left]]))
    if (data.entries.length === 0) {
      return say(reference === undefined ? "nothing has been granted or charged yet" : "no entry has this reference")
    }
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
          { title: "LEVEL", cell: ({ level }) => level ?? undefined, align: "right" },
          { title: "KEY", cell: ({ key_id }) => key_id ?? undefined },
          { title: "REFERENCE", cell: ({ reference }) => reference }
        ],
        data.entries
      )}`
    )
    printNextPageHint(data.next_cursor)
  })

/** `postcode credits threshold` */
export const setThreshold = (
  input: AccountOptions & { readonly below: number | undefined; readonly none: boolean }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { below, environment, none, organization } = input
    if (none === (below !== undefined)) {
      return yield* Effect.fail(
        new CommandFailure(
          "say either --below N or --none: how low a balance may be, or that it does not matter",
          exitCodes.wrongUsage
        )
      )
    }
    const { data } = yield* manage(input, (api) =>
      api.setLowBalance({ params: { id: organization }, payload: { environment, threshold: below ?? null } })
    )
    if (input.json) return yield* writeJson(data)
    yield* writeData(record(balanceOf(environment, data)))
  })

interface Balance {
  readonly balance: number
  readonly low_balance_threshold: number | null
}

const balanceOf = (environment: Environment, { balance, low_balance_threshold }: Balance) =>
  [
    [`${environment} balance`, grouped(balance)],
    ["low below", low_balance_threshold === null ? undefined : grouped(low_balance_threshold)]
  ] as const

/** `postcode credits grant` */
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
