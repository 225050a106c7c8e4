/** Replicas that share limits on a real database, in a time that tests move: hours pass in seconds. */
import { setImmediate } from "node:timers/promises"
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { drawQuota, type QuotaAnswer, type QuotaRequest } from "../../src/limits/QuotaRequests.ts"
import { Quotas } from "../../src/limits/Quotas.ts"
import { connectionsTo } from "../MigratedDatabase.ts"

/** The database's clock, where the replicas' is at 0. */
const epoch_ms = 1_790_000_000_000

/** With what it takes to give one back. */
const longestLease_ms = 12_000

export class SimulatedReplicas {
  now_ms = 0
  /** How many questions were asked. */
  questions = 0
  private readonly database: Context.Context<PgClient.PgClient | SqlClient.SqlClient>
  private readonly replicas = new Set<Quotas>()
  private underWay = 0

  private constructor(database: Context.Context<PgClient.PgClient | SqlClient.SqlClient>) {
    this.database = database
  }

  /** On a database that has the schema, until the scope closes. */
  static readonly on = (url: string) =>
    Effect.map(Layer.build(connectionsTo(url)), (database) => new SimulatedReplicas(database))

  /** A replica's clock has an origin of its own. */
  addReplica(origin_ms = 0): Quotas {
    const replica = new Quotas({
      source: (requests) => this.ask(requests),
      now_ms: () => this.now_ms - origin_ms,
      nameOf: (subject) => `simulated ${subject}`,
      timeout_ms: 60_000,
      maxSubjects: 1_000,
      onUnavailable: (cause) => {
        throw cause
      }
    })
    this.replicas.add(replica)
    return replica
  }

  /** It never says another word. */
  kill(replica: Quotas): void {
    this.replicas.delete(replica)
  }

  private async ask(requests: ReadonlyArray<QuotaRequest>): Promise<ReadonlyArray<QuotaAnswer>> {
    this.underWay++
    this.questions++
    try {
      const sql = Context.get(this.database, SqlClient.SqlClient)
      return await Effect.runPromise(drawQuota(sql, requests, epoch_ms + this.now_ms))
    } finally {
      this.underWay--
    }
  }

  /** Lets time pass, with what replicas do in it by themselves. Once leases are over, that is nothing. */
  async advance(duration_ms: number): Promise<void> {
    const end_ms = this.now_ms + duration_ms
    const quiet_ms = this.now_ms + longestLease_ms
    while (this.now_ms < Math.min(end_ms, quiet_ms)) {
      this.now_ms = Math.min(end_ms, (Math.floor(this.now_ms / 500) + 1) * 500)
      if (this.now_ms % 500 === 0) await this.settle()
    }
    this.now_ms = end_ms
    if (end_ms > quiet_ms) await this.settle()
  }

  private async settle(): Promise<void> {
    for (const replica of this.replicas) replica.settle()
    // A question goes out at the end of the turn, and its answer is taken in one.
    do await setImmediate()
    while (this.underWay > 0)
  }
}
