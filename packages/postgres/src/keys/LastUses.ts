/**
 * When keys were last used. Requests record uses in memory. They are written in batches, at most once a minute per key,
 * so that the busiest key costs one small write per minute and replica.
 */

import type { Unavailable } from "@postcode/gateway/Errors"
import { Clock, Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { advisoryLocks } from "../connection/AdvisoryLocks.ts"
import { attempting } from "../connection/BackgroundFlush.ts"
import { asking, inTransaction } from "../connection/Database.ts"

/** The last use of a key. */
export interface KeyUse {
  readonly organization_id: string
  readonly key_id: string
  /** ISO 8601, UTC. */
  at: string
  /** Whether `at` is not written yet. */
  isNew: boolean
  written_ms: number
}

/** The uses that a replica has recorded. */
export interface LastUses {
  /** The record of a key's last use, for `mark`; callers may keep it. */
  readonly of: (key: Pick<KeyUse, "key_id" | "organization_id">) => KeyUse
  readonly mark: (use: KeyUse, at: string) => void
  /** The last use that may not be written yet, so that reads show it without a write; undefined if there is none. */
  readonly lastOf: (key_id: string) => string | undefined
  /** Writes all new uses now. */
  readonly write: Effect.Effect<void, Unavailable>
}

/** The pause between two checks for due uses. */
const pause_ms = 5_000
/** The time between two writes of a key. */
const minInterval_ms = 60_000

/** Writes due uses periodically, and all new ones when the scope closes. */
export const makeLastUses = (sql: SqlClient): Effect.Effect<LastUses, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const uses = new Map<string, KeyUse>()

    const write = (due: ReadonlyArray<KeyUse>): Effect.Effect<void, Unavailable> =>
      Effect.suspend(() => {
        if (due.length === 0) return Effect.void
        const now_ms = clock.currentTimeMillisUnsafe()
        const rows = due.map(({ at, key_id, organization_id }) => ({ organization_id, key_id, at }))
        for (const use of due) Object.assign(use, { isNew: false, written_ms: now_ms })
        return Effect.onError(asking(writeUses(sql, rows)), () =>
          Effect.sync(() => {
            for (const use of due) Object.assign(use, { isNew: true, written_ms: Number.NEGATIVE_INFINITY })
          })
        )
      })

    const writeDue = Effect.suspend(() => {
      const written_before_ms = clock.currentTimeMillisUnsafe() - minInterval_ms
      const due: Array<KeyUse> = []
      for (const use of uses.values()) {
        if (use.written_ms > written_before_ms) continue
        if (use.isNew) due.push(use)
        else uses.delete(use.key_id)
      }
      return write(due)
    })
    const writeAll = Effect.suspend(() => write([...uses.values()].filter(({ isNew }) => isNew)))
    const name = "uses of keys"
    yield* Effect.addFinalizer(() => attempting(name, writeAll))
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(pause_ms), attempting(name, writeDue))))

    return {
      of: ({ key_id, organization_id }) => {
        const use = uses.get(key_id)
        if (use !== undefined) return use
        return { organization_id, key_id, at: "", isNew: false, written_ms: Number.NEGATIVE_INFINITY }
      },
      mark: (use, at) => {
        use.at = at
        if (use.isNew) return
        // Copies of a key by hash and by id may have separate records; only one of them is written.
        const noted = uses.get(use.key_id) ?? use
        noted.at = at
        noted.isNew = true
        uses.set(use.key_id, noted)
      },
      lastOf: (key_id) => uses.get(key_id)?.at,
      write: writeAll
    }
  })

type WrittenUse = Pick<KeyUse, "at" | "key_id" | "organization_id">

/**
 * A lock lets one replica write at a time: two that update the same keys in different orders would deadlock. A later use
 * from another replica is kept.
 */
const writeUses = (sql: SqlClient, uses: ReadonlyArray<WrittenUse>) =>
  inTransaction(
    sql,
    Effect.andThen(
      sql`SELECT pg_advisory_xact_lock(${advisoryLocks.lastUses}::bigint)`,
      sql`UPDATE postcode.api_keys k SET last_used_at = u.at
        FROM unnest(
          ${uses.map((use) => use.organization_id)}::text[],
          ${uses.map((use) => use.key_id)}::text[],
          ${uses.map((use) => use.at)}::text[]::timestamptz[]
        ) AS u (organization_id, id, at)
        WHERE k.organization_id = u.organization_id AND k.id = u.id
          AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`
    )
  )
