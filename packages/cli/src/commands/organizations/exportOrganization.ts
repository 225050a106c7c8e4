/** Writes all that is stored of an organization into a new folder: what its owner takes along, and what is left of it. */
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { ItemOf, ListRoute } from "@postcode/client"
import { environments } from "@postcode/core/Credits"
import { csvCell, csvLine } from "@postcode/core/Csv"
import { CommandFailure, messageOf } from "@postcode/server/process/ExitCode"
import { Clock, Effect } from "effect"
import { type CsvExport, exportCsv } from "../../management/CsvExport.ts"
import { type Call, type ConnectionOptions, connect } from "../../management/connect.ts"
import { selectionColumns, selectionLine } from "../widget/showSelections.ts"

/** Never writes into an existing folder, and removes an incomplete one. */
export const exportOrganization = (
  options: ConnectionOptions,
  id: string,
  folder: string
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const call = yield* connect(options)
    const organization = yield* call("GET /v1/admin/organizations/:id", { params: { id } })
    yield* inFile(folder, () => mkdir(folder))
    const write = (name: string, text: string) =>
      inFile(name, () => writeFile(join(folder, name), text, { flag: "wx" }))
    const writeList = <R extends ListRoute>(name: string, list: Omit<CsvExport<R>, "csv">) =>
      exportCsv(options, { ...list, csv: join(folder, name) } as CsvExport<R>)

    const writeAll = Effect.gen(function* () {
      yield* write("organization.json", `${JSON.stringify(organization, undefined, 2)}\n`)
      yield* writeList("keys.csv", {
        route: "GET /v1/admin/organizations/:id/keys",
        input: { params: { id } },
        what: "keys",
        columns: keyColumns
      })
      for (const environment of environments) {
        yield* writeList(`ledger-${environment}.csv`, {
          route: "GET /v1/admin/organizations/:id/credits",
          input: { params: { id }, query: { environment } },
          what: "entries",
          columns: entryColumns
        })
        const { selections, usage } = yield* reportsSince(call, id, environment, organization.created_at)
        yield* write(`usage-${environment}.csv`, usage)
        yield* write(`selections-${environment}.csv`, selections)
      }
      yield* writeList("audit.csv", {
        route: "GET /v1/admin/audit",
        input: { query: { organization_id: id } },
        what: "events",
        columns: eventColumns
      })
    })
    yield* Effect.onError(writeAll, () => Effect.promise(() => rm(folder, { recursive: true, force: true })))
  })

const keyColumns: ReadonlyArray<keyof ItemOf<"GET /v1/admin/organizations/:id/keys">> = [
  "id",
  "name",
  "kind",
  "environment",
  "scopes",
  "max_level",
  "origins",
  "allowed_ips",
  "rate_limit_per_minute",
  "daily_credit_limit",
  "prefix",
  "status",
  "created_at",
  "last_used_at",
  "expires_at",
  "revoked_at",
  "replaces",
  "replaced_by"
]

/** The columns of a ledger as CSV. */
export const entryColumns = [
  "id",
  "created_at",
  "amount",
  "balance_after",
  "reason",
  "reference",
  "key_id",
  "level",
  "note"
] as const satisfies ReadonlyArray<keyof ItemOf<"GET /v1/admin/organizations/:id/credits">>

/** The columns of the audit log as CSV. */
export const eventColumns = [
  "id",
  "at",
  "actor",
  "action",
  "subject",
  "organization_id",
  "details"
] as const satisfies ReadonlyArray<keyof ItemOf<"GET /v1/admin/audit">>

const usageColumns = ["date", "operation", "requests", "credits"] as const

/** Usage by day and operation and counts of selections as CSV, oldest first, in ranges of days that one report covers. */
const reportsSince = Effect.fnUntraced(function* (
  call: Call,
  id: string,
  environment: (typeof environments)[number],
  since: string
) {
  let usage = csvLine(usageColumns)
  let selections = csvLine(selectionColumns)
  for (const days of rangesOfDays(since, yield* Clock.currentTimeMillis)) {
    const input = { params: { id }, query: { environment, ...days } }
    const used = yield* call("GET /v1/admin/organizations/:id/usage", input)
    for (const row of used.usage) {
      if ("operation" in row) usage += csvLine(usageColumns.map((column) => csvCell(row[column])))
    }
    const picked = yield* call("GET /v1/admin/organizations/:id/selections", input)
    selections += picked.selections.map(selectionLine).join("")
  }
  return { usage, selections }
})

function* rangesOfDays(since: string, now_ms: number): Generator<{ readonly from: string; readonly to: string }> {
  for (let from_ms = Date.parse(since); from_ms < now_ms + day_ms; from_ms += maxDays * day_ms) {
    const [from, to] = [dayOf(from_ms), dayOf(Math.min(from_ms + (maxDays - 1) * day_ms, now_ms))]
    if (from <= to) yield { from, to }
  }
}

/** The longest range of days of a request. */
const maxDays = 366
const day_ms = 86_400_000
const dayOf = (time_ms: number): string => new Date(time_ms).toISOString().slice(0, 10)

const inFile = (name: string, work: () => Promise<unknown>): Effect.Effect<void, CommandFailure> =>
  Effect.asVoid(
    Effect.tryPromise({
      try: work,
      catch: (error) =>
        new CommandFailure(
          (error as NodeJS.ErrnoException).code === "EEXIST"
            ? `${name} already exists: choose another name`
            : `${name} could not be written: ${messageOf(error)}`
        )
    })
  )
