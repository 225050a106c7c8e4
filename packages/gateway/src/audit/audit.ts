/** Writes the audit entries of a use case: id, time and actor. */
import { Clock, Effect } from "effect"
import type { Unavailable } from "../Errors.ts"
import { Secrets } from "../store/Secrets.ts"
import { Transactions } from "../store/Transactions.ts"
import { type AuditAction, type AuditEvent, AuditLog } from "./AuditLog.ts"

/** An event; id and time are added. */
export type AuditEntry = Omit<AuditEvent, "id" | "at">

/**
 * Runs a change and appends its audit entry in one transaction: no change is stored without its entry, and no stored
 * change is reported as failed.
 *
 * @param entryOf the entry for the result of the change; undefined if nothing changed
 */
export type Audited = <A, E, R>(
  change: Effect.Effect<A, E, R>,
  entryOf: (answer: A) => AuditEntry | undefined
) => Effect.Effect<A, E | Unavailable, R>

/**
 * The same for a change of several resources with one entry each.
 *
 * @param entriesOf the entries for the result of the change
 */
export type AuditedAll = <A, E, R>(
  change: Effect.Effect<A, E, R>,
  entriesOf: (answer: A) => ReadonlyArray<AuditEntry>
) => Effect.Effect<A, E | Unavailable, R>

/** `Unavailable` leaves either everything or nothing stored, see `Transactions`. */
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

/** All entries have the same time and are appended together. */
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

/**
 * The entry of a change.
 *
 * @param subject the changed resource; without `organization_id` it belongs to the instance
 */
export const entryOf = (
  actor: string,
  action: AuditAction,
  { id, organization_id }: { readonly id: string; readonly organization_id?: string | undefined },
  details: AuditEvent["details"] = {}
): AuditEntry => ({ actor, action, subject: id, ...(organization_id !== undefined && { organization_id }), details })

/** Creates an id: a prefix for its kind, and 20 random characters. */
export const newId = Effect.map(Secrets, (secrets) => (prefix: string) => `${prefix}_${secrets.random(20)}`)

/** The current time, ISO 8601, UTC. */
export const timestamp = Effect.map(Clock.currentTimeMillis, (now) => new Date(now).toISOString())
