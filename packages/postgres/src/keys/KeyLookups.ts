/**
 * Finds keys in the database by their hashes, or by their ids. One statement is under way at a time, and all that are
 * asked for meanwhile go into the next, so however many requests come with keys that this replica does not know, they
 * take one connection.
 */
import type { Principal } from "@postcode/core/ApiKey"
import type { Unavailable } from "@postcode/core/Errors"
import { Deferred, Effect, Exit, Queue, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { giveUpAfter } from "../connection/AnsweredWithin.ts"
import { asking, databaseAway } from "../connection/Database.ts"
import { SharedValues } from "./SharedValues.ts"

/** What the database says of a key at a moment, and of what number the keys were then, see `Epochs`. */
export interface FoundKey {
  readonly epoch: number
  /** Undefined if no key has the hash, or the id, or it is revoked. */
  readonly key: StoredKey | undefined
}

/** A key that is not revoked. */
export interface StoredKey {
  readonly principal: Principal
  /**
   * When it ends, ISO 8601; undefined if it does not. The question knows nothing of the time: that is up to the caller.
   */
  readonly expires_at: string | undefined
}

/** @param name the key's hash, or its id; fails with `Unavailable` after a second, and where too many wait */
export type FindKey = (name: string) => Effect.Effect<FoundKey, Unavailable>

/** How long a request waits for its key. */
const patience_ms = 1_000
/** How many keys one statement asks for. */
const mostNames = 1_000
/** How many requests may wait; more are refused. */
const mostWaiting = 10_000

/** What a key is found by. */
export type KeyName = "hash" | "id"

interface Waiting {
  /** The key's hash, or its id. */
  readonly name: string
  readonly found: Deferred.Deferred<FoundKey, Unavailable>
}

/** Looks keys up until the scope closes. */
export const makeKeyLookups = (sql: SqlClient, by: KeyName): Effect.Effect<FindKey, never, Scope.Scope> =>
  Effect.gen(function* () {
    const queue = yield* Queue.dropping<Waiting>(mostWaiting)
    const { share } = new SharedValues()

    const answerNext = Effect.gen(function* () {
      yield* Queue.peek(queue)
      // Whatever else is asked for in this moment comes along.
      yield* Effect.yieldNow
      const waiting = yield* Queue.takeBetween(queue, 1, mostNames)
      const names = [...new Set(waiting.map(({ name }) => name))]
      const exit = yield* Effect.exit(giveUpAfter(readKeys(sql, by, names, share), patience_ms, databaseAway))
      for (const { found, name } of waiting) Deferred.doneUnsafe(found, answerOf(exit, name))
    })
    yield* Effect.forkScoped(Effect.forever(answerNext))

    return (name) =>
      Effect.suspend(() => {
        const found = Deferred.makeUnsafe<FoundKey, Unavailable>()
        if (!Queue.offerUnsafe(queue, { name, found })) return Effect.fail(databaseAway)
        return Effect.timeoutOrElse(Deferred.await(found), {
          duration: patience_ms,
          orElse: () => Effect.fail(databaseAway)
        })
      })
  })

interface KeysAtOnce {
  readonly epoch: number
  readonly keys: ReadonlyMap<string, StoredKey>
}

const answerOf = (exit: Exit.Exit<KeysAtOnce, Unavailable>, name: string): Exit.Exit<FoundKey, Unavailable> =>
  Exit.map(exit, ({ epoch, keys }) => ({ epoch, key: keys.get(name) }))

/** One statement, so that the keys are those of the number that stands beside them. */
const readKeys = (
  sql: SqlClient,
  by: KeyName,
  names: ReadonlyArray<string>,
  share: Share
): Effect.Effect<KeysAtOnce, Unavailable> =>
  Effect.map(
    asking(
      sql<KeyRow>`SELECT e.epoch, k.*
        FROM postcode.epochs e
        LEFT JOIN (
          SELECT k.hash, k.id, k.organization_id, k.kind, k.environment, k.scopes, k.max_level, k.origins,
            k.rate_limit_per_minute, k.expires_at, o.granted_level,
            o.kyb_status = 'verified' AS organization_verified,
            o.rate_limit_per_minute AS organization_rate_limit_per_minute
          FROM postcode.api_keys k
          JOIN postcode.organizations o ON o.id = k.organization_id
          WHERE k.${sql(by)} = ANY(${names}::text[]) AND k.revoked_at IS NULL
        ) k ON true
        WHERE e.kind = 'keys'`
    ),
    (rows) => ({
      epoch: Number(rows[0]?.epoch),
      keys: new Map(rows.flatMap((row) => (isFound(row) ? [[row[by], toStoredKey(row, share)]] : [])))
    })
  )

type FoundRow = Omit<Principal, "key_id" | "organization_rate_limit_per_minute" | "rate_limit_per_minute"> & {
  readonly epoch: bigint
  readonly hash: string
  readonly id: string
  readonly rate_limit_per_minute: number | null
  readonly organization_rate_limit_per_minute: number | null
  readonly expires_at: Date | null
}

/** Where no key was found there is the number alone. */
type KeyRow = FoundRow | { readonly epoch: bigint; readonly id: null }

const isFound = (row: KeyRow): row is FoundRow => row.id !== null

type Share = SharedValues["share"]

const toStoredKey = (row: FoundRow, share: Share): StoredKey => ({
  principal: toPrincipal(row, share),
  expires_at: row.expires_at?.toISOString()
})

const toPrincipal = (row: FoundRow, share: Share): Principal =>
  Object.freeze({
    key_id: row.id,
    organization_id: share(row.organization_id),
    kind: share(row.kind),
    environment: share(row.environment),
    scopes: share(row.scopes),
    max_level: row.max_level,
    granted_level: row.granted_level,
    organization_verified: row.organization_verified,
    origins: share(row.origins),
    rate_limit_per_minute: row.rate_limit_per_minute ?? undefined,
    organization_rate_limit_per_minute: row.organization_rate_limit_per_minute ?? undefined
  })
