/** Reads every ten seconds how old the last backup of the data folder is, and the archive of its log, for monitoring. */
import { archiveState, backupRecords } from "@postcode/postgres/embedded"
import { Effect, type Scope } from "effect"
import type { ProcessMetrics } from "../telemetry/ProcessMetrics.ts"

/** While the file cannot be read, the last value stays. */
export const watchBackups = (path: string, metrics: ProcessMetrics): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { archived, verified } = metrics.addBackups()
    const seconds = (at: string | undefined) => (at === undefined ? 0 : Date.parse(at) / 1_000)
    const look = Effect.gen(function* () {
      verified.value = seconds(yield* Effect.tryPromise(() => lastBackupOf(path)))
      archived.value = seconds((yield* Effect.tryPromise(() => archiveState(path)))?.at)
    })
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.ignore(look), Effect.sleep(interval_ms))))
  })

const interval_ms = 10_000

/** When the last verified backup of a data folder began, in ISO 8601; undefined if there is none. */
export const lastBackupOf = async (path: string): Promise<string | undefined> =>
  (await backupRecords(path))
    .map(({ at }) => at)
    .sort()
    .at(-1)
