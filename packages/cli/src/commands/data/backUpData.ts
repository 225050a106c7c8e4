/** `postcode backup`: writes a backup of a data folder, whether its service runs or not. */
import { stat } from "node:fs/promises"
import { backUp, dataFolder, findUsed } from "@postcode/postgres/embedded"
import { explained, openData } from "@postcode/server/data/openData"
import { commandName } from "@postcode/server/process/CommandName"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { say } from "@postcode/server/process/Output"
import { untilSettled } from "@postcode/server/process/UntilSettled"
import { Effect } from "effect"
import { printRecord } from "../../terminal/Print.ts"
import { byteProgress, megabytes } from "./byteProgress.ts"

export interface BackUpData {
  readonly data: string
  readonly output: string
  /** Whether to replace an existing file. */
  readonly force: boolean
  readonly json: boolean
}

export const backUpData = (input: BackUpData): Effect.Effect<void, CommandFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { data, output } = input
      if (!input.force) yield* untilSettled(() => checkMissing(output))
      const used = yield* untilSettled(() => explained(() => findUsed(data)))
      const { folder } = used ?? (yield* openStopped(data))
      const progress = byteProgress(`backing up ${folder.path}`)
      const taken = yield* untilSettled((signal) =>
        explained(() => backUp(folder, { output, signal, onProgress: progress.update })).finally(progress.end)
      )
      yield* printRecord(input, { file: output, ...taken }, view)
    })
  )

/** A folder without data is not filled for a backup. */
const openStopped = (data: string) =>
  Effect.andThen(
    untilSettled(async () => {
      const { cluster, path } = await dataFolder(data)
      await stat(cluster).catch(() => {
        throw new CommandFailure(
          `${path} holds no data, or it belongs to another user: expected the folder of ${commandName()} serve --data`
        )
      })
    }),
    openData(data, { purpose: "postcode backup", connections: 5, onEvent: say })
  )

const checkMissing = async (output: string): Promise<void> => {
  const isThere = await stat(output).then(
    () => true,
    () => false
  )
  if (isThere) throw new CommandFailure(`${output} already exists: choose another name, or replace it with --force`)
}

interface Summary {
  readonly file: string
  readonly at: string
  readonly bytes: number
}

const view = {
  file: "file",
  begun: "at",
  size: ({ bytes }: Summary) => megabytes(bytes)
} as const
