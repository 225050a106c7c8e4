/**
 * When keys were last used. Requests only note it in memory; it is written in batches, and for one key at most once a
 * minute, so that the busiest key costs the database one small write a minute and replica.
 */

import type { Unavailable } from "@postcode/core/Errors"
import { Clock, Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { attempting } from "../connection/BackgroundFlush.ts"
import { asking } from "../connection/Database.ts"

/** The use of one key. */
export interface KeyUse {
  readonly organization_id: string
  readonly key_id: string
  /** ISO 8601, UTC. */
  at: string
  /** Whether `at` is still to be written. */
  isNew: boolean
  written_ms: number
}

/** The uses that a replica has noted. */
export interface LastUses {
  /** Where the uses of a key are noted: keep it, and `mark` each use in it. */
  readonly of: (key: Pick<KeyUse, "key_id" | "organization_id">) => KeyUse
  readonly mark: (use: KeyUse, at: string) => void
  /** Writes all that is new now. */
  readonly write: Effect.Effect<void, Unavailable>
}

/** How often is looked for uses that are due. */
const round_ms = 5_000
const apart_ms = 60_000

/** Writes uses from time to time, and what is left when the scope closes. */
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

    const round = Effect.suspend(() => {
      const written_before_ms = clock.currentTimeMillisUnsafe() - apart_ms
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
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(round_ms), attempting(name, round))))

    return {
      of: ({ key_id, organization_id }) => {
        const use = uses.get(key_id)
        if (use !== undefined) return use
        return { organization_id, key_id, at: "", isNew: false, written_ms: Number.NEGATIVE_INFINITY }
      },
      mark: (use, at) => {
        use.at = at
        if (use.isNew) return
        // Another copy of the key may have its own: what is noted of a key is written from one place.
        const noted = uses.get(use.key_id) ?? use
        noted.at = at
        noted.isNew = true
        uses.set(use.key_id, noted)
      },
      write: writeAll
    }
  })

type WrittenUse = Pick<KeyUse, "at" | "key_id" | "organization_id">

/** Rows are locked in one order, as other replicas write uses of the same keys. A later use of theirs stays. */
const writeUses = (sql: SqlClient, uses: ReadonlyArray<WrittenUse>) =>
  sql`WITH used AS (
      SELECT k.organization_id, k.id, u.at
      FROM unnest(
        ${uses.map((use) => use.organization_id)}::text[],
        ${uses.map((use) => use.key_id)}::text[],
        ${uses.map((use) => use.at)}::text[]::timestamptz[]
      ) AS u (organization_id, id, at)
      JOIN postcode.api_keys k ON k.organization_id = u.organization_id AND k.id = u.id
      ORDER BY k.organization_id, k.id
      FOR NO KEY UPDATE OF k
    )
    UPDATE postcode.api_keys k SET last_used_at = used.at
    FROM used
    WHERE k.organization_id = used.organization_id AND k.id = used.id
      AND (k.last_used_at IS NULL OR k.last_used_at < used.at)`
