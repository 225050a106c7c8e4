/** `postcode audit`. */
import type { AuditAction, AuditEvent } from "@postcode/core/audit/AuditLog"
import { Effect } from "effect"
import { CommandFailure, exitCodes } from "../../ExitCode.ts"
import { exportCsv } from "../../management/CsvExport.ts"
import { given, type ManagementOptions, manage } from "../../management/ManagementApi.ts"
import { fetchPages, type PageOptions, printNextPageHint } from "../../management/Pages.ts"
import { say, writeData, writeJson } from "../../Output.ts"
import { type Column, table } from "../../Table.ts"

interface AuditOptions extends ManagementOptions, PageOptions {
  readonly csv: string | undefined
  readonly organization: string | undefined
  readonly action: ReadonlyArray<AuditAction> | undefined
  readonly actor: string | undefined
  readonly subject: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Prints pages of the audit log, or exports all of it as CSV. */
export const showAuditTrail = (input: AuditOptions): Effect.Effect<void, CommandFailure> => {
  const { csv } = input
  if (csv === undefined) return showPages(input)
  if (input.json || input.cursor !== undefined || input.limit !== undefined) {
    const message = "--csv writes everything as CSV: leave --json, --limit and --cursor out"
    return Effect.fail(new CommandFailure(message, exitCodes.wrongUsage))
  }
  return exportCsv({
    ...input,
    csv,
    what: "events",
    columns: csvColumns,
    fetch: (api, page) =>
      Effect.map(api.audit({ query: { ...filterOf(input), ...page } }), ({ data: { events, next_cursor } }) => ({
        rows: events,
        next_cursor
      }))
  })
}

const showPages = (input: AuditOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const data = yield* manage(input, (api) =>
      fetchPages("events", input, (query) =>
        Effect.map(api.audit({ query: { ...filterOf(input), ...query } }), (answer) => answer.data)
      )
    )
    if (input.json) return yield* writeJson(data)
    if (data.events.length === 0) return say("nothing of that kind has happened yet")
    yield* writeData(
      table<AuditEvent>(
        [
          { title: "AT", cell: ({ at }) => at },
          { title: "WHO", cell: ({ actor }) => actor },
          { title: "ACTION", cell: ({ action }) => action },
          { title: "SUBJECT", cell: ({ subject }) => subject },
          { title: "ORGANIZATION", cell: ({ organization_id }) => organization_id },
          { title: "DETAILS", cell: ({ details }) => describeDetails(details) }
        ],
        data.events
      )
    )
    printNextPageHint(data.next_cursor)
  })

const filterOf = ({ action, actor, from, organization, subject, to }: AuditOptions) =>
  given({ action, actor, from, organization_id: organization, subject, to })

/** Details differ between actions, so they are one column of JSON. */
const csvColumns: ReadonlyArray<Column<AuditEvent>> = [
  { title: "id", cell: ({ id }) => id },
  { title: "at", cell: ({ at }) => at },
  { title: "actor", cell: ({ actor }) => actor },
  { title: "action", cell: ({ action }) => action },
  { title: "subject", cell: ({ subject }) => subject },
  { title: "organization_id", cell: ({ organization_id }) => organization_id },
  { title: "details", cell: ({ details }) => JSON.stringify(details) }
]

const describeDetails = (details: AuditEvent["details"]): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ")
