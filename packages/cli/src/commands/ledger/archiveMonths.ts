/** `postcode ledger archive`: moves closed months of the ledger from the database to files. */
import { type ArchivedMonth, archiveLedger } from "@postcode/postgres"
import type { DatabaseFlags } from "@postcode/server/data/DatabaseFlags"
import type { CommandFailure } from "@postcode/server/process/ExitCode"
import { say } from "@postcode/server/process/Output"
import { grouped } from "@postcode/server/process/Progress"
import { Effect } from "effect"
import { printTable } from "../../terminal/Print.ts"
import { megabytes } from "../data/byteProgress.ts"
import { onLedger } from "./onLedger.ts"

export interface ArchiveInput extends DatabaseFlags {
  /** Months before this one. */
  readonly before: string
  /** The folder. */
  readonly to: string
  readonly drop: boolean
  readonly json: boolean
}

export const archiveMonths = (input: ArchiveInput): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { before, drop, to } = input
    const work = archiveLedger({ before, folder: to, drop, onStep: say })
    const months = yield* onLedger(input, "postcode ledger archive", work)
    yield* printTable(input, { months }, months, {
      columns: {
        MONTH: "month",
        ENTRIES: { right: ({ entries }) => grouped(entries) },
        FILE: "file",
        SIZE: { right: ({ bytes }) => megabytes(bytes) },
        DONE: doneWith
      },
      empty: `nothing to do: no month before ${before} is left`
    })
  })

const doneWith = ({ archived, dropped }: ArchivedMonth): string =>
  [archived ? "archived" : "", dropped ? "table dropped" : "table kept"].filter(Boolean).join(", ")
