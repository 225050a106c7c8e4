/** Writes the audit trail of an operation: an id, the time, and who. */
import { Clock, Effect } from "effect"
import { type AuditEvent, AuditLog } from "../ports/AuditLog.ts"
import { Secrets } from "../ports/Secrets.ts"

/** What happened; id and time are added. */
export type AuditEntry = Omit<AuditEvent, "id" | "at">

/** Appends to the audit log. */
export const audit = Effect.gen(function* () {
  const log = yield* AuditLog
  const identify = yield* newId
  return (entry: AuditEntry) => Effect.flatMap(timestamp, (at) => log.append({ id: identify("evt"), at, ...entry }))
})

/** Makes ids: a prefix that says of what, and 20 random characters. */
export const newId = Effect.map(Secrets, (secrets) => (prefix: string) => `${prefix}_${secrets.random(20)}`)

/** Now, ISO 8601, UTC. */
export const timestamp = Effect.map(Clock.currentTimeMillis, (now) => new Date(now).toISOString())
