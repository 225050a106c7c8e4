/**
 * Copies of keys in memory. A copy is valid for 500 ms after its query was sent, and copies in use are refreshed in
 * batches before they expire. So a free request needs no query, and a revocation on another replica takes effect within
 * 500 ms, even if the network fails.
 */

import { isDeepStrictEqual } from "node:util"
import { PgClient } from "@effect/sql-pg"
import type { Unavailable } from "@postcode/gateway/Errors"
import type { Principal } from "@postcode/gateway/keys/ApiKey"
import { Context, Effect, Exit, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { LRUCache } from "lru-cache"
import { attempting } from "../connection/BackgroundFlush.ts"
import { databaseAway, layerDatabase } from "../connection/Database.ts"
import { type KeyName, makeBatchedRead, makeRead, maxNames, type Read, type StoredKey } from "./KeyReads.ts"
import type { KeyUse } from "./LastUses.ts"

/** A replica's copy of a key. */
export interface KeyCopy {
  /** The principal as a reusable result. */
  readonly answer: Exit.Success<Principal>
  expires_at: string | undefined
  /** The record of its last use. */
  use: KeyUse | undefined
  sent_ms: number
  isUsed: boolean
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
    /** Milliseconds since the last query was sent that was answered; Infinity before the first answer. */
    readonly silence_ms: () => number
  }
>()("@postcode/postgres/KeyCopies") {}

/** How long copies of keys are valid, and how often they are refreshed. */
export interface KeyCopyTimes {
  /** How long a copy is valid. A longer time tolerates slower answers, but delays revocations. */
  readonly lifetime_ms: number
  /** The pause between refreshes of copies in use. The rest of the lifetime is left for slow answers. */
  readonly refresh_ms: number
}

export const KeyCopyTimes = Context.Reference<KeyCopyTimes>("@postcode/postgres/KeyCopyTimes", {
  defaultValue: () => ({ lifetime_ms: 500, refresh_ms: 200 })
})

/**
 * Maximum number of copies, by hash and by id each. Unknown hashes are not kept, so guesses cannot fill the memory.
 */
const maxCopies = 100_000

/** After this number of pauses without an answer, 2 s by default, requests without a valid copy fail at once. */
const maxMissed = 10

/** How long the layer waits for the first answer. */
const firstAnswer_ms = 2_000

/** Uses separate connections, so that load on the others cannot delay it. */
export const layerKeyCopies: Layer.Layer<KeyCopies, SqlError, PgClient.PgClient> = Layer.effect(
  KeyCopies,
  Effect.gen(function* () {
    const url = (yield* PgClient.PgClient).config.url ?? Redacted.make("")
    const connections = layerDatabase({ url, maxConnections: 2, applicationName: "postcode-gateway keys" })
    const sql = Context.get(yield* Layer.build(Layer.fresh(connections)), SqlClient)
    const last = { answered_ms: Number.NEGATIVE_INFINITY, forgotten_ms: Number.NEGATIVE_INFINITY }
    const times = yield* KeyCopyTimes
    const open = (by: KeyName) => openCopies(recording(last, makeRead(sql, by)), last, times)
    const [hash, id] = yield* Effect.all([open("hash"), open("id")], { concurrency: 2 })
    return KeyCopies.of({
      by: { hash, id },
      forget: () => {
        last.forgotten_ms = performance.now()
        hash.clear()
        id.clear()
      },
      silence_ms: () => performance.now() - last.answered_ms
    })
  })
)

/** When the last answered query was sent, and when this replica last changed keys. */
interface LastTimes {
  answered_ms: number
  forgotten_ms: number
}

const recording =
  (last: LastTimes, read: Read): Read =>
  (names) =>
    Effect.tap(read(names), ({ sent_ms }) =>
      Effect.sync(() => {
        last.answered_ms = Math.max(last.answered_ms, sent_ms)
      })
    )

/** Creates the copies by hash or by id, and refreshes those in use after every pause. */
const openCopies = (
  read: Read,
  last: LastTimes,
  times: KeyCopyTimes
): Effect.Effect<CopiesByName & { readonly clear: () => void }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const copies = new Copies(read, yield* makeBatchedRead(read), last, times)
    yield* Effect.timeoutOption(Effect.exit(copies.refresh), firstAnswer_ms)
    const pause = Effect.sleep(times.refresh_ms)
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(pause, attempting("copies of keys", copies.refresh))))
    return { get: (name) => copies.get(name), read: (name) => copies.read(name), clear: () => copies.clear() }
  })

class Copies implements CopiesByName {
  private readonly byName = new LRUCache<string, KeyCopy>({ max: maxCopies })
  /** Names used since the last refresh. */
  private used: Array<string> = []
  private readonly readNames: Read
  private readonly readOne: (name: string) => ReturnType<Read>
  private readonly last: LastTimes
  private readonly times: KeyCopyTimes

  constructor(readNames: Read, readOne: (name: string) => ReturnType<Read>, last: LastTimes, times: KeyCopyTimes) {
    this.readNames = readNames
    this.readOne = readOne
    this.last = last
    this.times = times
  }

  get(name: string): KeyCopy | undefined {
    const copy = this.byName.get(name)
    if (copy === undefined || performance.now() - copy.sent_ms > this.times.lifetime_ms) return undefined
    if (!copy.isUsed) {
      copy.isUsed = true
      this.used.push(name)
    }
    return copy
  }

  read(name: string): ReturnType<CopiesByName["read"]> {
    return Effect.suspend(() => {
      if (performance.now() - this.last.answered_ms > maxMissed * this.times.refresh_ms) return Exit.fail(databaseAway)
      return Effect.flatMap(this.readOne(name), ({ keys, sent_ms }) =>
        // A result from before a change by this replica may be outdated.
        sent_ms <= this.last.forgotten_ms ? this.read(name) : Effect.succeed(this.keep(name, keys.get(name), sent_ms))
      )
    })
  }

  clear(): void {
    this.byName.clear()
  }

  /** Refreshes the copies used since the last time. Always sends a query, to find out whether the database answers. */
  readonly refresh = Effect.suspend(() => {
    const due = this.used
    this.used = []
    for (const name of due) {
      const copy = this.byName.get(name)
      if (copy !== undefined) copy.isUsed = false
    }
    const batches = Math.max(1, Math.ceil(due.length / maxNames))
    return Effect.forEach(
      Array.from({ length: batches }, (_, i) => due.slice(i * maxNames, (i + 1) * maxNames)),
      (names) => this.readBatch(names),
      { discard: true }
    )
  })

  private readBatch(names: ReadonlyArray<string>) {
    return Effect.map(this.readNames(names), ({ keys, sent_ms }) => {
      if (sent_ms <= this.last.forgotten_ms) return
      for (const name of names) this.keep(name, keys.get(name), sent_ms)
    })
  }

  private keep(name: string, key: StoredKey | undefined, sent_ms: number): KeyCopy | undefined {
    if (key === undefined) {
      this.byName.delete(name)
      return undefined
    }
    const known = this.byName.get(name)
    const isSame = known !== undefined && isDeepStrictEqual(known.answer.value, key.principal)
    const copy = isSame ? known : newCopy(key.principal)
    copy.expires_at = key.expires_at
    copy.sent_ms = sent_ms
    if (!isSame) this.byName.set(name, copy)
    return copy
  }
}

const newCopy = (principal: Principal): KeyCopy => ({
  answer: Exit.succeed(principal) as Exit.Success<Principal>,
  expires_at: undefined,
  use: undefined,
  sent_ms: Number.NEGATIVE_INFINITY,
  isUsed: false
})
