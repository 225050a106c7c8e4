/** The data folder of a running service. */
import { Effect, type Redacted, type Scope } from "effect"
import { layerServiceLog } from "../log/ServiceLog.ts"
import type { CommandFailure } from "../process/ExitCode.ts"
import { say } from "../process/Output.ts"
import type { ProcessMetrics } from "../telemetry/ProcessMetrics.ts"
import { checkPepper, readStoredSecrets, type StoredSecrets } from "./DataSecrets.ts"
import { explained, openData } from "./openData.ts"
import { removeServiceFile, writeServiceFile } from "./ServiceFile.ts"
import { lastBackupOf, watchBackups } from "./watchBackups.ts"
import { watchSpace } from "./watchSpace.ts"

/** What the service takes from its folder. */
export interface ServedData {
  readonly path: string
  readonly url: Redacted.Redacted
  readonly secrets: StoredSecrets
  /** The file of the secrets. */
  readonly secretsFile: string
  /** Fails when another process has taken the folder. */
  readonly lost: Effect.Effect<never, CommandFailure>
  /** When the last verified backup began, in ISO 8601; undefined if there is none. */
  readonly lastBackup: string | undefined
  /** Reports that in a metric. */
  readonly watchBackups: (metrics: ProcessMetrics) => Effect.Effect<void, never, Scope.Scope>
  /** Tells commands where the service answers, until its scope ends. Later events go to the service's log. */
  readonly announce: (url: string) => Effect.Effect<void, CommandFailure, Scope.Scope>
}

/**
 * @param bin the folder of PostgreSQL's programs on this machine; undefined for those that npm fetches
 * @param connections how many the service opens at most
 */
export const serveData = (
  path: string,
  bin: string | undefined,
  connections: number
): Effect.Effect<ServedData, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    let isServing = false
    const log = (message: string) => Effect.runSync(Effect.provide(Effect.logWarning(message), layerServiceLog))
    const onEvent = (message: string) => (isServing ? log(message) : say(message))
    const { folder, lost, url } = yield* openData(path, { bin, purpose: "postcode serve", connections, onEvent })
    const secrets = yield* attempt(async () => {
      const stored = await readStoredSecrets(folder.secrets)
      checkPepper(folder.secrets, stored)
      return stored
    })
    return {
      path: folder.path,
      url,
      secrets,
      secretsFile: folder.secrets,
      lastBackup: yield* attempt(() => lastBackupOf(folder.path)),
      watchBackups: (metrics) => watchBackups(folder.path, metrics),
      lost,
      announce: (url) =>
        Effect.gen(function* () {
          yield* attempt(() => writeServiceFile(folder.service, url))
          yield* Effect.addFinalizer(() => Effect.promise(() => removeServiceFile(folder.service)))
          isServing = true
          yield* Effect.forkScoped(watchSpace(folder.path, onEvent))
        })
    }
  })

const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, CommandFailure> =>
  Effect.tryPromise({ try: () => explained(work), catch: (error) => error as CommandFailure })
