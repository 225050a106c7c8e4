/**
 * What replicas tell each other of changes: for each kind of thing that they keep copies of, a number that rises with
 * every change, in the transaction that makes it. Every replica asks for all numbers five times a second. So a copy that
 * is of the present number is at most as old as the last answer, and where no answer comes, the replica knows that too.
 *
 * Notifications only make it faster: the same as an answer says sooner that it is time to ask.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Deferred, Effect, Layer, Redacted, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { listenForChanges, pollEpochs } from "./EpochConnections.ts"

/** What copies are kept of: keys with their organizations' grants, and the directory. */
export type EpochKind = "keys" | "directory"

const epochKinds: ReadonlyArray<EpochKind> = ["keys", "directory"]

/** The numbers of all kinds, as this replica knows them. */
export class Epochs extends Context.Service<
  Epochs,
  {
    /** The number of a kind as far as it is known; 0 before the first answer. */
    readonly current: (kind: EpochKind) => number
    /** Milliseconds since the last question was sent that was answered; Infinity before the first answer. */
    readonly age_ms: () => number
    /** Whether the last answer is so young that what it says may be relied on: its age is at most the lease. */
    readonly inForce: () => boolean
    /**
     * The same, but where the last answer has only just become too old, the next is waited for, up to 300 ms: a process
     * that was held up for a moment is late with its questions as well. So it is for callers that can wait.
     */
    readonly soonInForce: Effect.Effect<boolean>
    /** Takes note of a number that a statement has seen. */
    readonly observe: (kind: EpochKind, epoch: number) => void
    /** Calls back with each new number of a kind, until the scope closes. */
    readonly onChange: (kind: EpochKind, listener: (epoch: number) => void) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@postcode/postgres/Epochs") {}

/** After this time without an answer a replica no longer relies on its copies of keys. */
export const lease_ms = 600

/** The lease in force, in milliseconds. A longer one lets a busy machine be late, and a revocation as well. */
export const Lease = Context.Reference<number>("@postcode/postgres/Lease", { defaultValue: () => lease_ms })

/** Up to this age of the last answer the next may be about to come. */
const hopeful_ms = 2_000
const hope_ms = 300

/** How long the layer waits for the first answer before it does without. */
const firstAnswer_ms = 2_000

/** The database may be away: then no epoch is in force until it is back. */
export const layerEpochs: Layer.Layer<Epochs, never, PgClient.PgClient> = Layer.effect(
  Epochs,
  Effect.gen(function* () {
    const url = (yield* PgClient.PgClient).config.url ?? Redacted.make("")
    const lease = yield* Lease
    const known = new KnownEpochs()
    const answered = yield* Deferred.make<void>()
    const { nudge, poll } = pollEpochs(url, (epochs, sent_ms) => {
      known.publish(epochs, sent_ms)
      Deferred.doneUnsafe(answered, Effect.void)
    })
    yield* Effect.forkScoped(poll)
    yield* Effect.forkScoped(listenForChanges(url, epochKinds.map(channelOf), nudge))
    yield* Effect.timeoutOption(Deferred.await(answered), firstAnswer_ms)

    const inForce = () => performance.now() - known.answered_ms <= lease
    const soonInForce = Effect.suspend(() => {
      const age_ms = performance.now() - known.answered_ms
      if (age_ms <= lease || age_ms > hopeful_ms) return Effect.succeed(age_ms <= lease)
      return Effect.map(Effect.timeoutOption(known.nextAnswer, hope_ms), inForce)
    })

    return Epochs.of({
      current: (kind) => known.current(kind),
      age_ms: () => performance.now() - known.answered_ms,
      inForce,
      soonInForce,
      observe: (kind, epoch) => known.observe(kind, epoch),
      onChange: (kind, listener) =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.sync(() => known.listen(kind, listener)),
            (withdraw) => Effect.sync(withdraw)
          )
        )
    })
  })
)

/**
 * Raises the number of a kind, and answers the new one. Belongs to the end of the transaction that makes the change: from
 * there to the commit, other changes of that kind wait. All replicas are notified when the transaction commits.
 */
export const raiseEpoch = (sql: SqlClient, kind: EpochKind): Effect.Effect<number, SqlError> =>
  Effect.map(
    sql<{ epoch: bigint }>`WITH raised AS (
      UPDATE postcode.epochs SET epoch = epoch + 1 WHERE kind = ${kind} RETURNING epoch
    ) SELECT epoch, pg_notify(${channelOf(kind)}, '') FROM raised`,
    ([row]) => Number(row?.epoch)
  )

const channelOf = (kind: EpochKind): string => `postcode_${kind}`

type Listener = (epoch: number) => void

class KnownEpochs {
  /** When the last question was sent that was answered, by the clock that never jumps. */
  answered_ms = Number.NEGATIVE_INFINITY
  private readonly epochs = new Map<string, number>()
  private readonly observed_ms = new Map<string, number>()
  private readonly listeners = new Map<string, Set<Listener>>()
  private readonly waiting = new Set<() => void>()

  /** Ends with the next answer. */
  readonly nextAnswer: Effect.Effect<void> = Effect.callback((resume) => {
    const answered = () => resume(Effect.void)
    this.waiting.add(answered)
    return Effect.sync(() => this.waiting.delete(answered))
  })

  current(kind: string): number {
    return this.epochs.get(kind) ?? 0
  }

  /** The answer is what counts, unless it may be older than what this replica saw meanwhile. */
  publish(answer: ReadonlyMap<string, number>, sent_ms: number): void {
    this.answered_ms = Math.max(this.answered_ms, sent_ms)
    for (const [kind, epoch] of answer) {
      const isOlder = sent_ms <= (this.observed_ms.get(kind) ?? Number.NEGATIVE_INFINITY)
      if (!isOlder || epoch > this.current(kind)) this.change(kind, epoch)
    }
    for (const answered of this.waiting) answered()
    this.waiting.clear()
  }

  observe(kind: string, epoch: number): void {
    if (epoch <= this.current(kind)) return
    this.observed_ms.set(kind, performance.now())
    this.change(kind, epoch)
  }

  listen(kind: string, listener: Listener): () => void {
    const listeners = this.listeners.get(kind) ?? new Set()
    this.listeners.set(kind, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  private change(kind: string, epoch: number): void {
    if (epoch === this.current(kind)) return
    this.epochs.set(kind, epoch)
    for (const listener of this.listeners.get(kind) ?? []) listener(epoch)
  }
}
