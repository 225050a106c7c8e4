/** The service on a data folder, for management commands on the same machine: its address, and its operator token. */
import { stat } from "node:fs/promises"
import { type DataFolder, dataFolder } from "@postcode/postgres/embedded"
import { Effect } from "effect"
import { commandName } from "../process/CommandName.ts"
import { CommandFailure, exitCodes, toFailure } from "../process/ExitCode.ts"
import { readStoredSecrets } from "./DataSecrets.ts"
import { readServiceFile } from "./ServiceFile.ts"

/** What the folder says of its service. */
export interface DataConnection {
  readonly url: string
  /** Undefined if the environment of the service sets it. */
  readonly token: string | undefined
}

/** Fails if no service runs on the folder. */
export const dataConnection = (path: string): Effect.Effect<DataConnection, CommandFailure> =>
  Effect.tryPromise({ try: () => read(path), catch: toFailure })

/** Fails if there is no folder. */
export const existingFolder = (path: string): Effect.Effect<void, CommandFailure> =>
  Effect.tryPromise({ try: () => existing(path), catch: toFailure })

const existing = async (path: string): Promise<DataFolder> => {
  const folder = await dataFolder(path)
  await stat(folder.path).catch((error: NodeJS.ErrnoException) => {
    const message =
      error.code === "ENOENT"
        ? `there is no folder ${folder.path}: ${commandName()} serve --data ${path} creates it`
        : error.message
    throw new CommandFailure(`--data (POSTCODE_DATA): ${message}`, exitCodes.wrongUsage)
  })
  return folder
}

const read = async (path: string): Promise<DataConnection> => {
  const folder = await existing(path)
  const url = await readServiceFile(folder.service)
  if (url === undefined) {
    throw new CommandFailure(
      `no service runs on ${folder.path}, or it is another user's: ${commandName()} serve --data ${path} starts it`
    )
  }
  return { url, token: (await readStoredSecrets(folder.secrets)).POSTCODE_OPERATOR_TOKEN }
}
