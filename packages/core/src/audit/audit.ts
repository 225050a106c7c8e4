/** Writes the audit trail of an operation: an id, the time, and who. */
import { Clock, Effect } from "effect"
import type { Unavailable } from "../Errors.ts"
import { Secrets } from "../store/Secrets.ts"
import { Transactions } from "../store/Transactions.ts"
import { type AuditEvent, AuditLog } from "./AuditLog.ts"

/** What happened; id and time are added. */
export type AuditEntry = Omit<AuditEvent, "id" | "at">

/**
 * Makes a change and writes what it was into the audit log, both or neither: nothing is changed without its entry, and
 * nothing is answered as failed that was changed.
 *
 * @param entryOf what to write, given what the change answered; undefined if it changed nothing
 */
export type Audited = <A, E, R>(
  change: Effect.Effect<A, E, R>,
  entryOf: (answer: A) => AuditEntry | undefined
) => Effect.Effect<A, E | Unavailable, R>

/**
 * The same for a change of many things, each of which has its own entry.
 *
 * @param entriesOf what to write, given what the change answered
 */
export type AuditedAll = <A, E, R>(
  change: Effect.Effect<A, E, R>,
  entriesOf: (answer: A) => ReadonlyArray<AuditEntry>
) => Effect.Effect<A, E | Unavailable, R>

/** Makes it of the ports. With `Unavailable` all of it was kept or none, as `Transactions` says. */
export const audited: Effect.Effect<Audited, never, AuditLog | Secrets | Transactions> = Effect.gen(function* () {
  const log = yield* AuditLog
  const identify = yield* newId
  const { atomically } = yield* Transactions

  return (change, entryOf) =>
    atomically(
      Effect.tap(change, (answer) => {
        const entry = entryOf(answer)
        if (entry === undefined) return Effect.void
        return Effect.flatMap(timestamp, (at) => log.append({ id: identify("evt"), at, ...entry }))
      })
    )
})

/** Makes it of the ports. The entries have one time, and are appended at once. */
export const auditedAll: Effect.Effect<AuditedAll, never, AuditLog | Secrets | Transactions> = Effect.gen(function* () {
  const log = yield* AuditLog
  const identify = yield* newId
  const { atomically } = yield* Transactions

  return (change, entriesOf) =>
    atomically(
      Effect.tap(change, (answer) => {
        const entries = entriesOf(answer)
        if (entries.length === 0) return Effect.void
        return Effect.flatMap(timestamp, (at) =>
          log.appendAll(entries.map((entry) => ({ id: identify("evt"), at, ...entry })))
        )
      })
    )
})

/** Makes ids: a prefix that says of what, and 20 random characters. */
export const newId = Effect.map(Secrets, (secrets) => (prefix: string) => `${prefix}_${secrets.random(20)}`)

/** Now, ISO 8601, UTC. */
export const timestamp = Effect.map(Clock.currentTimeMillis, (now) => new Date(now).toISOString())
