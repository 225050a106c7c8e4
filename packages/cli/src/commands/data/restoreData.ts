/** `postcode restore`: restores a backup into an empty data folder. */
import { dirname, join, resolve } from "node:path"
import { readIdentities, restore } from "@postcode/postgres/embedded"
import { explained } from "@postcode/server/data/openData"
import { commandName } from "@postcode/server/process/CommandName"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { say } from "@postcode/server/process/Output"
import { untilSettled } from "@postcode/server/process/UntilSettled"
import { Effect } from "effect"
import { printRecord } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import { byteProgress } from "./byteProgress.ts"

export interface RestoreData {
  readonly file: string
  readonly data: string
  readonly postgresBin: string | undefined
  /** To which time it is recovered; undefined for the state of the backup. */
  readonly until: string | undefined
  /** The folder of the archived log; undefined for that beside the backup. */
  readonly wal: string | undefined
  /** The file of the private key; undefined for a backup that is not encrypted. */
  readonly identity: string | undefined
  readonly json: boolean
}

export const restoreData = (input: RestoreData): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { data, file, identity, postgresBin: bin, until } = input
    if (until === undefined && input.wal !== undefined) {
      return yield* Effect.fail(new CommandFailure("--wal: expected with --until TIME", exitCodes.wrongUsage))
    }
    const recovery = until === undefined ? undefined : { until, wal: input.wal ?? join(dirname(resolve(file)), "wal") }
    const progress = byteProgress(`restoring ${file}`)
    const { at, postgres } = yield* untilSettled((signal) =>
      explained(async () => {
        const identities = identity === undefined ? [] : await readIdentities(identity)
        const options = { path: data, bin, identities, recovery, signal, onEvent: say }
        return await restore(file, { ...options, onProgress: progress.update })
      }).finally(progress.end)
    )
    yield* printRecord(input, { data, at, ...(until !== undefined && { until }), postgres }, view)
    say(`serve it with: ${commandName()} serve --data ${data}`)
  })

interface Summary {
  readonly data: string
  readonly at: string
  readonly until?: string
  readonly postgres: string
}

const view: View<Summary> = { data: "data", "state of": ({ at, until }) => until ?? at, PostgreSQL: "postgres" }
