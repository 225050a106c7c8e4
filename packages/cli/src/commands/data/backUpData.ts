/** `postcode backup`: writes a backup of a data folder, whether its service runs or not. */
import { stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import {
  type BackupRecord,
  backUp,
  dataFolder,
  findUsed,
  recordBackup,
  removeOldBackups
} from "@postcode/postgres/embedded"
import { explained, openData } from "@postcode/server/data/openData"
import { commandName } from "@postcode/server/process/CommandName"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { say } from "@postcode/server/process/Output"
import { untilSettled } from "@postcode/server/process/UntilSettled"
import { Effect } from "effect"
import { printRecord } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import { byteProgress, megabytes } from "./byteProgress.ts"

export interface BackUpData {
  readonly data: string
  /** The folder of PostgreSQL's programs on this machine; undefined for those that npm fetches. */
  readonly postgresBin: string | undefined
  /** The file; undefined for a new one in the folder. */
  readonly output: string | undefined
  /** A folder for dated files. */
  readonly folder: string | undefined
  /** The public keys to which it is encrypted; undefined for none. */
  readonly recipient: ReadonlyArray<string> | undefined
  /** How many backups stay in the folder; undefined for all. */
  readonly keep: number | undefined
  /** Whether to replace an existing file. */
  readonly force: boolean
  readonly json: boolean
}

export const backUpData = (input: BackUpData): Effect.Effect<void, CommandFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { data, force: replace, keep, recipient: recipients = [] } = input
      const output = yield* outputOf(input)
      if (!replace) yield* untilSettled(() => checkMissing(output))
      const used = yield* untilSettled(() => explained(() => findUsed(data)))
      const { folder } = used ?? (yield* openStopped(input))
      const progress = byteProgress(`backing up ${folder.path}`)
      const taken = yield* untilSettled((signal) =>
        explained(() => backUp(folder, { output, recipients, replace, signal, onProgress: progress.update })).finally(
          progress.end
        )
      )
      const record = { file: output, ...taken }
      const deleted = yield* untilSettled(() =>
        explained(async () => {
          await recordBackup(folder, record)
          return keep === undefined ? [] : await removeOldBackups(folder, record, keep)
        })
      )
      yield* printRecord(input, { ...record, deleted }, view)
    })
  )

/** The absolute path of the file. */
const outputOf = ({ folder, keep, output, recipient }: BackUpData): Effect.Effect<string, CommandFailure> => {
  if ((output === undefined) === (folder === undefined)) {
    return Effect.fail(new CommandFailure("expected --output FILE or --folder DIR, one of them", exitCodes.wrongUsage))
  }
  if (folder === undefined && keep !== undefined) {
    return Effect.fail(new CommandFailure("--keep: expected with --folder DIR", exitCodes.wrongUsage))
  }
  const time = new Date().toISOString().slice(0, 19).replaceAll(":", "")
  return Effect.succeed(
    resolve(output ?? join(folder ?? "", `postcode-${time}Z.backup${recipient === undefined ? "" : ".age"}`))
  )
}

/** A folder without data is not filled for a backup. */
const openStopped = ({ data, postgresBin: bin }: BackUpData) =>
  Effect.andThen(
    untilSettled(async () => {
      const { cluster, path } = await dataFolder(data)
      await stat(cluster).catch(() => {
        throw new CommandFailure(
          `${path} holds no data, or it belongs to another user: expected the folder of ${commandName()} serve --data`
        )
      })
    }),
    openData(data, { bin, purpose: "postcode backup", connections: 5, onEvent: say })
  )

const checkMissing = async (output: string): Promise<void> => {
  const isThere = await stat(output).then(
    () => true,
    () => false
  )
  if (isThere) throw new CommandFailure(`${output} already exists: choose another name, or replace it with --force`)
}

interface Summary extends BackupRecord {
  readonly deleted: ReadonlyArray<string>
}

const view: View<Summary> = {
  file: "file",
  begun: "at",
  size: ({ bytes }) => megabytes(bytes),
  deleted: ({ deleted }) => (deleted.length === 0 ? undefined : deleted.join(", "))
}
