/**
 * Periodic maintenance of the database: creates partitions in advance, closes or drops old ones, and deletes expired rows. Every
 * replica runs it; locks make sure that conflicting steps run on one replica at a time.
 */
import type { Unavailable } from "@postcode/gateway/Errors"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { forgetPastLinks } from "../accounts/AccountLinks.ts"
import { forgetEndedSessions } from "../accounts/ConsoleSessions.ts"
import { forgetPastDeviceLogins } from "../accounts/DeviceLogins.ts"
import { answeredOrBroken } from "../connection/AnsweredWithin.ts"
import { forgetPastKeyDays } from "../credits/CreditLedger.ts"
import { storeCreditTotals } from "../credits/CreditTotals.ts"
import { forgetExpiredIdempotencyKeys } from "../credits/forgetExpiredIdempotencyKeys.ts"
import { closeMonths, ledgerJournal } from "../credits/months/closeMonths.ts"
import type { LedgerFailure } from "../credits/months/LedgerFailure.ts"
import { forgetPastChanges } from "../directory/DirectoryChanges.ts"
import { forgetIdleImport } from "../directory/imports/DirectoryImports.ts"
import { removeIdleRateWindows } from "../limits/RateLimiter.ts"
import { forgetPastNotices } from "../notices/Notices.ts"
import { forgetPastTraffic } from "../usage/UsageLog.ts"
import { forgetPastDeliveries } from "../webhooks/WebhookQueue.ts"
import { forgetLateEndUsers } from "../widget/forgetLateEndUsers.ts"
import { forgetSessionUses } from "../widget/SessionUses.ts"
import { alone } from "./MaintenanceStep.ts"
import { dropOldMonths, type Journal, makeMonths } from "./Partitions.ts"

/** Retention in days. Whole months are dropped, so rows are kept for up to a month longer. */
export interface MaintenanceOptions {
  /** Audit events; 730 by default. */
  readonly audit_days?: number
  /** Daily usage; 1,100 by default. */
  readonly usage_days?: number
  /** Selections; 400 by default. */
  readonly selections_days?: number
}

/** Runs maintenance while the scope is open, for the first time immediately. */
export const layerMaintenance = (options: MaintenanceOptions = {}): Layer.Layer<never, never, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(hourly(options), Effect.sleep(hour_ms))))
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(cleanUp, Effect.sleep(cleanUp_ms))))
    })
  )

const hour_ms = 3_600_000
/** A flood of forged client addresses creates a row for each, so expired rows are deleted more often than hourly. */
const cleanUp_ms = 300_000

type Step = readonly [
  name: string,
  step: Effect.Effect<unknown, LedgerFailure | SqlError | Unavailable, SqlClient.SqlClient>
]

/** A step that fails or times out is logged and runs again next time; the other steps still run. */
const runSteps = (steps: ReadonlyArray<Step>): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.forEach(
    steps,
    ([name, step]) =>
      Effect.catchCause(answeredOrBroken(step, stepTimeout_ms), (cause) =>
        Effect.logWarning(`maintenance put off: ${name}`, cause)
      ),
    { discard: true }
  )

/** Timeout of a step: many statements, each of which may take a minute. Completed transactions stay committed. */
const stepTimeout_ms = 300_000

/**
 * Creates the partitions of the next months and drops those before the retention. The ledger has none: its past months are
 * closed.
 */
export const keepMonths = ({
  audit_days = 730,
  selections_days = 400,
  usage_days = 1_100
}: MaintenanceOptions = {}): Effect.Effect<void, never, SqlClient.SqlClient> => {
  const journals: ReadonlyArray<Journal> = [
    { table: "audit_events", column: "stored_at", retention_days: audit_days },
    { table: "usage_by_day", column: "date", retention_days: usage_days },
    { table: "usage_by_key", column: "date", retention_days: usage_days },
    { table: "selections", column: "at", retention_days: selections_days }
  ]
  return runSteps([
    ...journals.flatMap(
      (journal): ReadonlyArray<Step> => [
        [`to make months of ${journal.table}`, makeMonths(journal)],
        [`to drop months of ${journal.table}`, dropOldMonths(journal)]
      ]
    ),
    ["to make months of ledger_entries", makeMonths(ledgerJournal)],
    ["to close months of ledger_entries", closeMonths("280s")]
  ])
}

/** Stores the totals of past days. */
export const sumUpDays: Effect.Effect<void, never, SqlClient.SqlClient> = runSteps([
  ["to sum up the credits of past days", alone("months", storeCreditTotals)]
])

const hourly = (options: MaintenanceOptions) => Effect.andThen(keepMonths(options), sumUpDays)

/** A process that has stored no counters for a month has no batch left to repeat. */
const forgetEndedWriters = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`DELETE FROM postcode.usage_writers WHERE written_at < now() - interval '31 days'`
)

/** Deletes expired rows. */
export const cleanUp: Effect.Effect<void, never, SqlClient.SqlClient> = runSteps([
  ["to forget expired idempotency keys", forgetExpiredIdempotencyKeys],
  ["to forget past days of keys", alone("cleanUp", forgetPastKeyDays)],
  ["to remove idle rate windows", removeIdleRateWindows],
  ["to forget past traffic of keys", alone("cleanUp", forgetPastTraffic)],
  ["to forget ended usage writers", alone("cleanUp", forgetEndedWriters)],
  ["to forget ended sessions of the console", alone("cleanUp", forgetEndedSessions)],
  ["to forget past links of mail", alone("cleanUp", forgetPastLinks)],
  ["to forget past logins of devices", alone("cleanUp", forgetPastDeviceLogins)],
  ["to forget past deliveries of webhooks", alone("cleanUp", forgetPastDeliveries)],
  ["to forget past notices", alone("cleanUp", forgetPastNotices)],
  ["to forget queries of ended widget sessions", alone("cleanUp", forgetSessionUses)],
  ["to forget changes of past editions", alone("cleanUp", forgetPastChanges)],
  ["to forget an import that nobody goes on with", alone("cleanUp", forgetIdleImport)],
  ["to forget end users of closed organizations", forgetLateEndUsers]
])
