/** Replicas that share limits on a real database, in a time that tests move: hours pass in seconds. */
import { setImmediate } from "node:timers/promises"
import { Effect } from "effect"
import { Pool } from "pg"
import { PermitLeases } from "../../src/limits/PermitLeases.ts"
import {
  answersOf,
  type PermitAnswer,
  type PermitQuestion,
  type PermitRow,
  type PermitSource,
  parametersOf
} from "../../src/limits/PermitQuestions.ts"

/** The database's clock, where the replicas' is at 0. */
const epoch_ms = 1_790_000_000_000

/** With what it takes to give one back. */
const longestLease_ms = 12_000

export class SimulatedReplicas implements PermitSource {
  now_ms = 0
  /** How many questions were asked. */
  questions = 0
  private readonly pool: Pool
  private readonly replicas = new Set<PermitLeases>()
  private underWay = 0

  private constructor(pool: Pool) {
    this.pool = pool
  }

  /** On a database that has the schema, until the scope closes. */
  static readonly on = (url: string) =>
    Effect.map(
      Effect.acquireRelease(
        // Ending it does not wait until its connections are closed, and the database is dropped behind it.
        Effect.sync(() => new Pool({ connectionString: url, max: 4 }).on("error", () => {})),
        (pool) => Effect.promise(() => pool.end())
      ),
      (pool) => new SimulatedReplicas(pool)
    )

  /** A replica's clock has an origin of its own. */
  addReplica(origin_ms = 0): PermitLeases {
    const replica = new PermitLeases({
      source: this,
      now_ms: () => this.now_ms - origin_ms,
      nameOf: (subject) => `simulated ${subject}`,
      patience_ms: 60_000,
      maximumSubjects: 1_000,
      onAway: (cause) => {
        throw cause
      }
    })
    this.replicas.add(replica)
    return replica
  }

  /** It never says another word. */
  kill(replica: PermitLeases): void {
    this.replicas.delete(replica)
  }

  async ask(questions: ReadonlyArray<PermitQuestion>): Promise<ReadonlyArray<PermitAnswer>> {
    this.underWay++
    this.questions++
    try {
      const { rows } = await this.pool.query<PermitRow>({
        name: "take_permits_at",
        text: "SELECT * FROM postcode.take_permits_at($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        values: [epoch_ms + Math.round(this.now_ms), ...parametersOf(questions)]
      })
      return answersOf(rows)
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
