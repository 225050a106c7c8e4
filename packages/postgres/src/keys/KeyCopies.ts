/**
 * Copies of keys in memory. A copy is valid for 500 ms from the moment when its query was sent, and copies in use are
 * read again before they end, in batches. So a free request asks the database nothing, and a revocation on another
 * replica is in effect within 500 ms, whatever the network loses.
 */

import { isDeepStrictEqual } from "node:util"
import { PgClient } from "@effect/sql-pg"
import type { Principal } from "@postcode/core/ApiKey"
import type { Unavailable } from "@postcode/core/Errors"
import { Context, Effect, Exit, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { LRUCache } from "lru-cache"
import { attempting } from "../connection/BackgroundFlush.ts"
import { databaseAway, layerDatabase } from "../connection/Database.ts"
import { type KeyName, makeBatchedRead, makeRead, maxNames, type Read, type StoredKey } from "./KeyReads.ts"
import type { KeyUse } from "./LastUses.ts"

/** A key as this replica knows it. */
export interface KeyCopy {
  /** The principal, ready to be answered. */
  readonly answer: Exit.Success<Principal>
  expires_at: string | undefined
  /** Where its uses are noted. */
  use: KeyUse | undefined
  sent_ms: number
  isUsed: boolean
}

/** The copies under one kind of name. */
export interface CopiesByName {
  /** The copy, if it is valid now. */
  readonly get: (name: string) => KeyCopy | undefined
  /** Reads a key whose copy is missing or too old; undefined if there is none, or it is revoked. */
  readonly read: (name: string) => Effect.Effect<KeyCopy | undefined, Unavailable>
}

/** What this replica knows of keys. */
export class KeyCopies extends Context.Service<
  KeyCopies,
  {
    readonly by: Readonly<Record<KeyName, CopiesByName>>
    /** Drops all copies: for a change that this replica has just committed. */
    readonly forget: () => void
    /** Milliseconds since the last query was sent that was answered; Infinity before the first answer. */
    readonly silence_ms: () => number
  }
>()("@postcode/postgres/KeyCopies") {}

export interface KeyCopyTimes {
  /** How long a copy is valid. With a longer time a busy machine may be late, and a revocation too. */
  readonly lifetime_ms: number
  /** After which pause copies in use are read again. The rest of their life is left for a slow answer. */
  readonly refresh_ms: number
}

export const KeyCopyTimes = Context.Reference<KeyCopyTimes>("@postcode/postgres/KeyCopyTimes", {
  defaultValue: () => ({ lifetime_ms: 500, refresh_ms: 200 })
})

/**
 * How many copies a replica keeps, by hash and by id each. Unknown hashes leave none, so guesses cannot fill the memory.
 */
const maxCopies = 100_000

/** After so many pauses without an answer, 2 s by default, keys are no longer asked for, and requests fail at once. */
const maxMissed = 10

/** How long the layer waits for its first answer. */
const firstAnswer_ms = 2_000

/** Reads on connections of its own, so that no load on the others delays it. */
export const layerKeyCopies: Layer.Layer<KeyCopies, SqlError, PgClient.PgClient> = Layer.effect(
  KeyCopies,
  Effect.gen(function* () {
    const url = (yield* PgClient.PgClient).config.url ?? Redacted.make("")
    const connections = layerDatabase({ url, maxConnections: 2, applicationName: "postcode-gateway keys" })
    const sql = Context.get(yield* Layer.build(Layer.fresh(connections)), SqlClient)
    const news = { answered_ms: Number.NEGATIVE_INFINITY, forgotten_ms: Number.NEGATIVE_INFINITY }
    const times = yield* KeyCopyTimes
    const open = (by: KeyName) => openCopies(noting(news, makeRead(sql, by)), news, times)
    const [hash, id] = yield* Effect.all([open("hash"), open("id")], { concurrency: 2 })
    return KeyCopies.of({
      by: { hash, id },
      forget: () => {
        news.forgotten_ms = performance.now()
        hash.clear()
        id.clear()
      },
      silence_ms: () => performance.now() - news.answered_ms
    })
  })
)

/** When the last answered query was sent, and when this replica last changed keys itself. */
interface News {
  answered_ms: number
  forgotten_ms: number
}

const noting =
  (news: News, read: Read): Read =>
  (names) =>
    Effect.tap(read(names), ({ sent_ms }) =>
      Effect.sync(() => {
        news.answered_ms = Math.max(news.answered_ms, sent_ms)
      })
    )

/** Opens the copies under one kind of name, and reads those in use again after every pause. */
const openCopies = (
  read: Read,
  news: News,
  times: KeyCopyTimes
): Effect.Effect<CopiesByName & { readonly clear: () => void }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const copies = new Copies(read, yield* makeBatchedRead(read), news, times)
    yield* Effect.timeoutOption(Effect.exit(copies.readAgain), firstAnswer_ms)
    const pause = Effect.sleep(times.refresh_ms)
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(pause, attempting("copies of keys", copies.readAgain))))
    return { get: (name) => copies.get(name), read: (name) => copies.read(name), clear: () => copies.clear() }
  })

class Copies implements CopiesByName {
  private readonly byName = new LRUCache<string, KeyCopy>({ max: maxCopies })
  /** Names that were used since they were last read again. */
  private used: Array<string> = []
  private readonly readNames: Read
  private readonly readOne: (name: string) => ReturnType<Read>
  private readonly news: News
  private readonly times: KeyCopyTimes

  constructor(readNames: Read, readOne: (name: string) => ReturnType<Read>, news: News, times: KeyCopyTimes) {
    this.readNames = readNames
    this.readOne = readOne
    this.news = news
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
      if (performance.now() - this.news.answered_ms > maxMissed * this.times.refresh_ms) return Exit.fail(databaseAway)
      return Effect.flatMap(this.readOne(name), ({ keys, sent_ms }) =>
        // What was read before a change of this replica may not show it.
        sent_ms <= this.news.forgotten_ms ? this.read(name) : Effect.succeed(this.keep(name, keys.get(name), sent_ms))
      )
    })
  }

  clear(): void {
    this.byName.clear()
  }

  /** Reads the copies that were used since the last time. Without any it sends one query, to see that the database answers. */
  readonly readAgain = Effect.suspend(() => {
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
      if (sent_ms <= this.news.forgotten_ms) return
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
