/**
 * What has to be done to the database now and then: partitions made ahead, old ones dropped, and leftovers deleted. Every
 * replica offers to do it; where two would be in each other's way, one does.
 */
import type { Unavailable } from "@postcode/core/Errors"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { forgetEndedSessions } from "../accounts/ConsoleSessions.ts"
import { answeredOrBroken } from "../connection/AnsweredWithin.ts"
import { forgetExpiredIdempotencyKeys, forgetPastKeyDays } from "../credits/CreditLedger.ts"
import { removeIdleRateWindows } from "../limits/RateLimiter.ts"
import { forgetPastTraffic } from "../usage/UsageLog.ts"
import { forgetPastDeliveries } from "../webhooks/WebhookQueue.ts"
import { alone } from "./MaintenanceStep.ts"
import { dropOldMonths, type Journal, makeMonths } from "./Partitions.ts"

/** How long what grows is kept, in days. It goes a whole month at a time, so up to a month later. */
export interface MaintenanceOptions {
  /** Audit events; 730 unless told. */
  readonly audit_days?: number
  /** Usage by day; 1,100 unless told. */
  readonly usage_days?: number
  /** Selections; 400 unless told. */
  readonly selections_days?: number
}

/** Keeps the database in order for as long as the layer lives, from now on. */
export const layerMaintenance = (options: MaintenanceOptions = {}): Layer.Layer<never, never, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(keepMonths(options), Effect.sleep(hour_ms))))
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(cleanUp, Effect.sleep(cleanUp_ms))))
    })
  )

const hour_ms = 3_600_000
/** Addresses that someone makes up leave rows behind for each: they must not pile up for an hour. */
const cleanUp_ms = 300_000

type Step = readonly [name: string, step: Effect.Effect<unknown, SqlError | Unavailable, SqlClient.SqlClient>]

/** A step that fails or does not end is logged, and tried again in the next round; the others go on. */
const runSteps = (steps: ReadonlyArray<Step>): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.forEach(
    steps,
    ([name, step]) =>
      Effect.catchCause(answeredOrBroken(step, step_ms), (cause) =>
        Effect.logWarning(`maintenance put off: ${name}`, cause)
      ),
    { discard: true }
  )

/** A step is many statements, some of which may take a minute. What they have done by then stays done. */
const step_ms = 300_000

/** Makes the partitions of the months to come, and drops those that are old enough. */
export const keepMonths = ({
  audit_days = 730,
  selections_days = 400,
  usage_days = 1_100
}: MaintenanceOptions = {}): Effect.Effect<void, never, SqlClient.SqlClient> => {
  const journals: ReadonlyArray<Journal> = [
    { table: "audit_events", column: "stored_at", retention_days: audit_days },
    { table: "usage_by_key", column: "date", retention_days: usage_days },
    { table: "selections", column: "at", retention_days: selections_days }
  ]
  return runSteps(
    journals.flatMap(
      (journal): ReadonlyArray<Step> => [
        [`to make months of ${journal.table}`, makeMonths(journal)],
        [`to drop months of ${journal.table}`, dropOldMonths(journal)]
      ]
    )
  )
}

/** A process that has not counted for a month has nothing left that it could send again. */
const forgetEndedWriters = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`DELETE FROM postcode.usage_writers WHERE written_at < now() - interval '31 days'`
)

/** Deletes what counts no longer. Rows that another replica is deleting are skipped. */
export const cleanUp: Effect.Effect<void, never, SqlClient.SqlClient> = runSteps([
  ["to forget expired idempotency keys", forgetExpiredIdempotencyKeys],
  ["to forget past days of keys", alone("cleanUp", forgetPastKeyDays)],
  ["to remove idle rate windows", removeIdleRateWindows],
  ["to forget past traffic of keys", alone("cleanUp", forgetPastTraffic)],
  ["to forget ended usage writers", alone("cleanUp", forgetEndedWriters)],
  ["to forget ended sessions of the console", alone("cleanUp", forgetEndedSessions)],
  ["to forget past deliveries of webhooks", alone("cleanUp", forgetPastDeliveries)]
])
