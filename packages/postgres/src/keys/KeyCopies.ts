/**
 * Copies of keys in memory. A copy is valid for 500 ms after the last query that found its revision of the keys in the
 * database: its own, or a check of the `Follower`. So a free request needs no query, and a revocation on another replica
 * takes effect within 500 ms, even if the network fails.
 */

import { isDeepStrictEqual } from "node:util"
import type { PgClient } from "@effect/sql-pg"
import type { Unavailable } from "@postcode/gateway/Errors"
import type { Principal } from "@postcode/gateway/keys/ApiKey"
import { Context, Effect, Exit, Layer, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { LRUCache } from "lru-cache"
import { databaseUnavailable } from "../connection/Database.ts"
import { Follower, FollowerTimes, layerFollower } from "../connection/Follower.ts"
import { type KeyName, makeBatchedRead, makeRead, maxNames, type Read, type ReadKeys } from "./KeyReads.ts"
import type { KeyUse } from "./LastUses.ts"

/** A replica's copy of a key. */
export interface KeyCopy {
  /** The principal as a reusable result. */
  readonly answer: Exit.Success<Principal>
  expires_at: string | undefined
  /** The record of its last use. */
  use: KeyUse | undefined
  known: KnownRevision
  used_ms: number
}

/** A revision of the keys, and when a query was last sent that found it in the database. */
interface KnownRevision {
  readonly revision: string
  sent_ms: number
}

/** Copies by hash, or by id. */
export interface CopiesByName {
  /** The copy, if it is valid now. */
  readonly get: (name: string) => KeyCopy | undefined
  /** Reads a key whose copy is missing or expired; undefined if the key does not exist or is revoked. */
  readonly read: (name: string) => Effect.Effect<KeyCopy | undefined, Unavailable>
}

/** All copies of a replica. */
export class KeyCopies extends Context.Service<
  KeyCopies,
  {
    readonly by: Readonly<Record<KeyName, CopiesByName>>
    /** Drops all copies, after this replica has committed a change of keys. */
    readonly forget: () => void
  }
>()("@postcode/postgres/KeyCopies") {}

/**
 * Maximum number of copies, by hash and by id each. Unknown hashes are not kept, so guesses cannot fill the memory.
 */
const maxCopies = 100_000

/** After this number of checks without an answer, 2 s by default, requests without a valid copy fail at once. */
const maxMissed = 10

/** Copies used in this time are read again when keys have changed. The others are read when they are used. */
const recentUse_ms = 1_000

export const layerKeyCopies: Layer.Layer<KeyCopies, SqlError, PgClient.PgClient> = Layer.effect(
  KeyCopies,
  Effect.gen(function* () {
    const { follow, silence_ms, sql } = yield* Follower
    const times = yield* FollowerTimes
    const last = new LastTimes()
    const isSilent = () => silence_ms() > maxMissed * times.interval_ms
    const open = (by: KeyName) => openCopies(makeRead(sql, by), last, { ...times, isSilent })
    const [hash, id] = yield* Effect.all([open("hash"), open("id")])
    yield* follow("keys", {
      name: "copies of keys",
      onCheck: (revision, sent_ms) => last.know(revision, sent_ms),
      reload: () => Effect.andThen(hash.refresh, id.refresh)
    })
    return KeyCopies.of({
      by: { hash, id },
      forget: () => {
        last.forgotten_ms = performance.now()
        hash.clear()
        id.clear()
      }
    })
  })
).pipe(Layer.provide(layerFollower))

/** The last revision that is known, and when this replica last changed keys. */
class LastTimes {
  forgotten_ms = Number.NEGATIVE_INFINITY
  private known: KnownRevision = { revision: "", sent_ms: Number.NEGATIVE_INFINITY }

  /** A query found the revision. Copies of another one stay valid for the rest of their lifetime. */
  know(revision: string, sent_ms: number): KnownRevision {
    if (revision !== this.known.revision) this.known = { revision, sent_ms }
    else this.known.sent_ms = Math.max(this.known.sent_ms, sent_ms)
    return this.known
  }

  isLast(known: KnownRevision): boolean {
    return known === this.known
  }
}

interface CopySettings {
  readonly lifetime_ms: number
  /** Whether the database has not answered for so long that requests do not wait for it. */
  readonly isSilent: () => boolean
}

const openCopies = (read: Read, last: LastTimes, settings: CopySettings): Effect.Effect<Copies, never, Scope.Scope> =>
  Effect.map(makeBatchedRead(read), (readOne) => new Copies(read, readOne, last, settings))

class Copies implements CopiesByName {
  private readonly byName = new LRUCache<string, KeyCopy>({ max: maxCopies })
  private readonly readNames: Read
  private readonly readOne: (name: string) => ReturnType<Read>
  private readonly last: LastTimes
  private readonly settings: CopySettings

  constructor(readNames: Read, readOne: (name: string) => ReturnType<Read>, last: LastTimes, settings: CopySettings) {
    this.readNames = readNames
    this.readOne = readOne
    this.last = last
    this.settings = settings
  }

  readonly get = (name: string): KeyCopy | undefined => {
    const copy = this.byName.get(name)
    if (copy === undefined) return undefined
    copy.used_ms = performance.now()
    return copy.used_ms - copy.known.sent_ms > this.settings.lifetime_ms ? undefined : copy
  }

  readonly read = (name: string): ReturnType<CopiesByName["read"]> =>
    Effect.suspend(() => {
      if (this.settings.isSilent()) return Exit.fail(databaseUnavailable)
      return Effect.flatMap(this.readOne(name), (found) =>
        // A result from before a change by this replica may be outdated.
        found.sent_ms <= this.last.forgotten_ms ? this.read(name) : Effect.succeed(this.keep(name, found))
      )
    })

  clear(): void {
    this.byName.clear()
  }

  /** Reads the copies in use again that have another revision than the last one. */
  readonly refresh = Effect.suspend(() => {
    const names = this.outdatedInUse()
    const batches = Array.from({ length: Math.ceil(names.length / maxNames) }, (_, i) =>
      names.slice(i * maxNames, (i + 1) * maxNames)
    )
    return Effect.forEach(batches, (batch) => this.readBatch(batch), { discard: true })
  })

  private outdatedInUse(): ReadonlyArray<string> {
    const names: Array<string> = []
    const since_ms = performance.now() - recentUse_ms
    // The most recently used first.
    for (const [name, { known, used_ms }] of this.byName.entries()) {
      if (used_ms < since_ms) break
      if (!this.last.isLast(known)) names.push(name)
    }
    return names
  }

  private readBatch(names: ReadonlyArray<string>) {
    return Effect.map(this.readNames(names), (found) => {
      if (found.sent_ms <= this.last.forgotten_ms) return
      for (const name of names) this.keep(name, found)
    })
  }

  private keep(name: string, { keys, revision, sent_ms }: ReadKeys): KeyCopy | undefined {
    const key = keys.get(name)
    if (key === undefined || revision === undefined) {
      this.byName.delete(name)
      return undefined
    }
    const known = this.last.know(revision, sent_ms)
    const former = this.byName.peek(name)
    const isSame = former !== undefined && isDeepStrictEqual(former.answer.value, key.principal)
    const copy = isSame ? former : newCopy(key.principal, known)
    copy.expires_at = key.expires_at
    copy.known = known
    if (!isSame) this.byName.set(name, copy)
    return copy
  }
}

const newCopy = (principal: Principal, known: KnownRevision): KeyCopy => ({
  answer: Exit.succeed(principal) as Exit.Success<Principal>,
  expires_at: undefined,
  use: undefined,
  known,
  used_ms: performance.now()
})
