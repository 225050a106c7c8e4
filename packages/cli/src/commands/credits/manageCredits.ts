/** `postcode credits`. */
import type { DataOf, InputOf } from "@postcode/client"
import type { CorrectionKind, Environment } from "@postcode/core/Credits"
import { daysLeft } from "@postcode/core/Prices"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { say, writeData, writeJson } from "@postcode/server/process/Output"
import { grouped } from "@postcode/server/process/Progress"
import { Clock, Effect } from "effect"
import { exportCsv } from "../../management/CsvExport.ts"
import { type Call, connect, type ManagementOptions, request } from "../../management/connect.ts"
import { fetchList, type Paged, printNextPageHint } from "../../management/lists.ts"
import { printResponse } from "../../management/printResponse.ts"
import { printRecord, printTable } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import type { Work } from "../commandsOf.ts"
import { entryColumns } from "../organizations/exportOrganization.ts"
import { type OfOrganization, organizationFields } from "../organizations/verifiedBusiness.ts"

interface Account {
  /** The organization. */
  readonly id: string
  readonly environment: Environment
}

/** `postcode credits show` */
export const showCredits: Work<Account & Paged & { readonly reference: string | undefined }> = (
  { environment, id, reference, page },
  options
) =>
  Effect.gen(function* () {
    const call = yield* connect(options)
    const input = { params: { id }, query: { environment, reference } }
    const list = { options, call, route: "GET /v1/admin/organizations/:id/credits", input } as const
    const { data, items } = yield* fetchList(list, page)
    const { usage } = yield* call("GET /v1/admin/organizations/:id/usage", { params: { id }, query: { environment } })
    const days_left = daysLeft(data.balance, usage, yield* Clock.currentTimeMillis) ?? null
    if (options.json) return yield* writeJson({ ...data, days_left })
    yield* printRecord(
      options,
      { ...data, days_left },
      { ...balanceOf(environment), "days left": "days_left", "buy credits": ({ buy_url }) => buy_url ?? undefined }
    )
    if (items.length > 0) yield* writeData("\n")
    yield* printTable(options, data, items, {
      columns: {
        AT: "created_at",
        AMOUNT: { right: ({ amount }) => (amount > 0 ? `+${grouped(amount)}` : grouped(amount)) },
        BALANCE: { right: ({ balance_after }) => grouped(balance_after) },
        REASON: "reason",
        LEVEL: { right: "level" },
        KEY: "key_id",
        REFERENCE: "reference",
        NOTE: "note"
      },
      empty: reference === undefined ? "nothing has been granted or charged yet" : "no entry has this reference"
    })
    if (data.archived !== null && data.next_cursor === null) say(describeArchived(data.archived))
    printNextPageHint(data)
  })

const describeArchived = ({ balance, before, entries }: Archived): string =>
  `entries before ${before} are in the archive: ${grouped(entries)}, with a balance of ${grouped(balance)} after the last one`

type Archived = NonNullable<DataOf<"GET /v1/admin/organizations/:id/credits">["archived"]>

/** `postcode credits entries` */
export const exportEntries: Work<Account & { readonly csv: string }> = ({ csv, environment, id }, options) =>
  exportCsv(options, {
    route: "GET /v1/admin/organizations/:id/credits",
    input: { params: { id }, query: { environment } },
    csv,
    what: "entries",
    columns: entryColumns
  })

/** `postcode credits days` */
export const showDays: Work<InputOf<"GET /v1/admin/credits/days">["query"]> = (query, options) =>
  Effect.gen(function* () {
    const data = yield* request(options, "GET /v1/admin/credits/days", { query })
    const sum = (name: keyof Sums) => ({ right: (day: Sums) => grouped(day[name]) })
    yield* printTable(options, data, data.days, {
      columns: {
        DAY: "date",
        GRANTED: sum("granted"),
        REFUNDED: sum("refunded"),
        ADJUSTED: sum("adjusted"),
        CHARGED: sum("charged"),
        OPENING: sum("opening")
      },
      empty: `no ${query.environment} credits were granted, corrected or charged in that time`
    })
  })

type Sums = Omit<DataOf<"GET /v1/admin/credits/days">["days"][number], "date">

/** `postcode credits threshold` */
export const setThreshold: Work<Account & { readonly below: number | undefined; readonly none: boolean }> = (
  { below, environment, id, none },
  options
) =>
  none === (below !== undefined)
    ? Effect.fail(thresholdUnclear)
    : printResponse(
        options,
        "PUT /v1/admin/organizations/:id/credits/threshold",
        { params: { id }, body: { environment, threshold: below ?? null } },
        balanceOf(environment)
      )

const thresholdUnclear = new CommandFailure(
  "expected either --below N, to send an event below that balance, or --none",
  exitCodes.wrongUsage
)

interface Balance {
  readonly balance: number
  readonly low_balance_threshold: number | null
}

const balanceOf = (environment: Environment): View<Balance> => ({
  [`${environment} balance`]: ({ balance }) => grouped(balance),
  "low below": ({ low_balance_threshold }) =>
    low_balance_threshold === null ? undefined : grouped(low_balance_threshold)
})

/** `postcode credits grant` */
export const grantCredits: Work<Account & { readonly amount: number; readonly reference: string }> = (
  { id, ...body },
  options
) =>
  printChange(options, { ...body, id }, (call) =>
    call("POST /v1/admin/organizations/:id/credits", { params: { id }, body })
  )

interface CorrectionFlags extends Account {
  readonly amount: number
  readonly kind: CorrectionKind
  readonly reason: string
  readonly reference: string
}

/** `postcode credits correct` */
export const correctCredits: Work<CorrectionFlags> = ({ id, ...body }, options) =>
  printChange(options, { ...body, id }, (call) =>
    call("POST /v1/admin/organizations/:id/credits/corrections", { params: { id }, body })
  )

interface Changed {
  readonly entry_id: string
  readonly balance: number
}

/** Changes a balance and prints it with the business that it belongs to, because a name does not identify it. */
const printChange = (
  options: ManagementOptions,
  { environment, id }: Account,
  change: (call: Call) => Effect.Effect<Changed, CommandFailure>
) =>
  Effect.gen(function* () {
    const call = yield* connect(options)
    const changed = yield* change(call)
    if (options.json) return yield* writeJson(changed)
    const organization = yield* call("GET /v1/admin/organizations/:id", { params: { id } })
    const fields = { ...organizationFields, ...entryOf(environment) }
    yield* printRecord<Changed & OfOrganization>(options, { ...changed, organization }, fields)
  })

const entryOf = (environment: Environment): View<Changed> => ({
  entry: "entry_id",
  [`${environment} balance`]: ({ balance }) => grouped(balance)
})
