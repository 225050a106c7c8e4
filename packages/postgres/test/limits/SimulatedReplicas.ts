/** Replicas that share limits on a real database, with simulated time: hours take seconds. */
import { setImmediate } from "node:timers/promises"
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { drawQuota, type QuotaAnswer, type QuotaRequest } from "../../src/limits/QuotaRequests.ts"
import { Quotas } from "../../src/limits/Quotas.ts"
import { connectionsTo } from "../MigratedDatabase.ts"

/** The database's time when the replicas' time is 0. */
const epoch_ms = 1_790_000_000_000

/** Maximum validity of an allowance, including the time to return it. */
const maxAllowance_ms = 12_000

export class SimulatedReplicas {
  now_ms = 0
  /** The number of queries. */
  queries = 0
  private readonly database: Context.Context<PgClient.PgClient | SqlClient.SqlClient>
  private readonly replicas = new Set<Quotas>()
  private running = 0
  private hasEnded = false

  private constructor(database: Context.Context<PgClient.PgClient | SqlClient.SqlClient>) {
    this.database = database
  }

  /** Uses a database with the schema, until the scope closes, which waits for queries on their way. */
  static readonly on = (url: string) =>
    Effect.flatMap(Layer.build(connectionsTo(url)), (database) =>
      Effect.acquireRelease(
        Effect.sync(() => new SimulatedReplicas(database)),
        (replicas) => Effect.promise(() => replicas.end())
      )
    )

  /** Each replica's clock may have another origin. */
  addReplica(origin_ms = 0): Quotas {
    const replica = new Quotas({
      source: (requests) => this.ask(requests),
      now_ms: () => this.now_ms - origin_ms,
      nameOf: (subject) => `simulated ${subject}`,
      timeout_ms: 60_000,
      maxSubjects: 1_000,
      onUnavailable: (cause) => {
        if (!this.hasEnded) throw cause
      }
    })
    this.replicas.add(replica)
    return replica
  }

  /** The replica sends nothing more. */
  kill(replica: Quotas): void {
    this.replicas.delete(replica)
  }

  private async ask(requests: ReadonlyArray<QuotaRequest>): Promise<ReadonlyArray<QuotaAnswer>> {
    this.running++
    this.queries++
    try {
      const sql = Context.get(this.database, SqlClient.SqlClient)
      return await Effect.runPromise(drawQuota(sql, requests, epoch_ms + this.now_ms))
    } finally {
      this.running--
    }
  }

  /** Advances the time and settles replicas every 500 ms, but only until all allowances have ended. */
  async advance(duration_ms: number): Promise<void> {
    const end_ms = this.now_ms + duration_ms
    const idle_ms = this.now_ms + maxAllowance_ms
    while (this.now_ms < Math.min(end_ms, idle_ms)) {
      this.now_ms = Math.min(end_ms, (Math.floor(this.now_ms / 500) + 1) * 500)
      if (this.now_ms % 500 === 0) await this.settle()
    }
    this.now_ms = end_ms
    if (end_ms > idle_ms) await this.settle()
    else await this.answered()
  }

  /** What a replica sends afterwards finds no database any more. */
  private async end(): Promise<void> {
    this.hasEnded = true
    await this.answered()
  }

  private async settle(): Promise<void> {
    for (const replica of this.replicas) replica.settle()
    await this.answered()
  }

  /** The database is real, so its answers take time, of which the replicas' clocks know nothing. */
  private async answered(): Promise<void> {
    // A query is sent a few event-loop ticks later, and its answer is processed in a later one.
    do for (let tick = 0; tick < 4; tick++) await setImmediate()
    while (this.running > 0)
  }
}
