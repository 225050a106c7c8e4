/** `postcode archive`: archives the write-ahead log of a data folder until it is stopped. */
import { archiveWal, dataFolder } from "@postcode/postgres/embedded"
import { explained } from "@postcode/server/data/openData"
import type { CommandFailure } from "@postcode/server/process/ExitCode"
import { say } from "@postcode/server/process/Output"
import { untilTerminated } from "@postcode/server/process/RunMain"
import { untilSettled } from "@postcode/server/process/UntilSettled"
import type { Effect } from "effect"

export interface ArchiveData {
  readonly data: string
  readonly folder: string
  readonly recipient: ReadonlyArray<string> | undefined
}

export const archiveData = ({
  data,
  folder,
  recipient: recipients = []
}: ArchiveData): Effect.Effect<void, CommandFailure> =>
  untilTerminated(
    untilSettled((signal) =>
      explained(async () => await archiveWal(await dataFolder(data), { folder, recipients, signal, onEvent: say }))
    )
  )
