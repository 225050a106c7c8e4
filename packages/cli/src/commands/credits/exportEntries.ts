/** `postcode credits entries`. */
import type { Environment, LedgerEntry } from "@postcode/core/Credits"
import { Effect } from "effect"
import type { CommandFailure } from "../../ExitCode.ts"
import { exportCsv } from "../../management/CsvExport.ts"
import type { ConnectionOptions } from "../../management/ManagementApi.ts"
import type { Column } from "../../Table.ts"

/** Which entries, and where to export them. */
export interface EntriesOptions extends ConnectionOptions {
  readonly organization: string
  readonly environment: Environment
  readonly csv: string
}

export const exportEntries = (input: EntriesOptions): Effect.Effect<void, CommandFailure> => {
  const { environment, organization } = input
  return exportCsv({
    ...input,
    what: "entries",
    columns: csvColumns,
    fetch: (api, page) =>
      Effect.map(
        api.credits({ params: { id: organization }, query: { environment, ...page } }),
        ({ data: { entries, next_cursor } }) => ({ rows: entries, next_cursor })
      )
  })
}

/** The contract does not list the reasons. */
type Entry = Omit<LedgerEntry, "reason"> & { readonly reason: string }

const csvColumns: ReadonlyArray<Column<Entry>> = [
  { title: "id", cell: ({ id }) => id },
  { title: "created_at", cell: ({ created_at }) => created_at },
  { title: "amount", cell: ({ amount }) => amount },
  { title: "balance_after", cell: ({ balance_after }) => balance_after },
  { title: "reason", cell: ({ reason }) => reason },
  { title: "reference", cell: ({ reference }) => reference },
  { title: "key_id", cell: ({ key_id }) => key_id ?? undefined },
  { title: "level", cell: ({ level }) => level ?? undefined }
]
