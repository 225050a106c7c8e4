/** `postcode audit`. */
import type { InputOf } from "@postcode/client"
import type { AuditAction } from "@postcode/gateway/audit/AuditLog"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { Effect } from "effect"
import { exportCsv } from "../../management/CsvExport.ts"
import { type Paged, printList } from "../../management/lists.ts"
import type { Work } from "../commandsOf.ts"
import { eventColumns } from "../organizations/exportOrganization.ts"

type Filter = Omit<InputOf<"GET /v1/admin/audit">["query"] & object, "action"> & {
  readonly action: ReadonlyArray<AuditAction> | undefined
  readonly csv: string | undefined
}

/** Prints pages of the audit log, or exports all of it as CSV. */
export const showAuditTrail: Work<Paged & Filter> = ({ action, csv, page, ...filter }, options) => {
  const route = "GET /v1/admin/audit"
  const input = { query: { ...filter, action: action?.join(",") } }
  if (csv === undefined) {
    return printList(options, route, input, page, {
      columns: {
        AT: "at",
        WHO: "actor",
        ACTION: "action",
        SUBJECT: "subject",
        ORGANIZATION: "organization_id",
        // A terminal cuts the end off.
        DETAILS: ({ details: { reason, ...others } }) =>
          Object.entries({ ...(reason !== undefined && { reason }), ...others })
            .map(([name, value]) => `${name}=${value}`)
            .join(" ")
      },
      empty: "nothing of that kind has happened yet"
    })
  }
  if (options.json || page.cursor !== undefined || page.limit !== undefined) return Effect.fail(pageOfCsv)
  return exportCsv(options, { route, input, csv, what: "events", columns: eventColumns })
}

const pageOfCsv = new CommandFailure(
  "--csv writes everything as CSV: leave --json, --limit and --cursor out",
  exitCodes.wrongUsage
)
