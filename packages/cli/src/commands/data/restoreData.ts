/** `postcode restore`: restores a backup into an empty data folder. */
import { restore } from "@postcode/postgres/embedded"
import { explained } from "@postcode/server/data/openData"
import { commandName } from "@postcode/server/process/CommandName"
import type { CommandFailure } from "@postcode/server/process/ExitCode"
import { say } from "@postcode/server/process/Output"
import { untilSettled } from "@postcode/server/process/UntilSettled"
import { Effect } from "effect"
import { printRecord } from "../../terminal/Print.ts"
import { byteProgress } from "./byteProgress.ts"

export interface RestoreData {
  readonly file: string
  readonly data: string
  readonly postgresBin: string | undefined
  readonly json: boolean
}

export const restoreData = (input: RestoreData): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { data, file, postgresBin: bin } = input
    const progress = byteProgress(`restoring ${file}`)
    const { at, postgres } = yield* untilSettled((signal) =>
      explained(() => restore(file, { path: data, bin, signal, onProgress: progress.update, onEvent: say })).finally(
        progress.end
      )
    )
    yield* printRecord(input, { data, at, postgres }, view)
    say(`serve it with: ${commandName()} serve --data ${data}`)
  })

const view = { data: "data", "state of": "at", PostgreSQL: "postgres" } as const
