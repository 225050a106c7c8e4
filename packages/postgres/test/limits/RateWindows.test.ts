/** The function that grants quota, compared with a model that forgets nothing, and the end of idle rows. */
import { assert, layer } from "@effect/vitest"
import { window_s } from "@postcode/core/limits/RateLimiter"
import { unique } from "@postcode/core/testing/Fixtures"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { drawQuota, type QuotaRequest } from "../../src/limits/QuotaRequests.ts"
import { removeIdleRateWindows } from "../../src/limits/RateLimiter.ts"
import { layerMigrated } from "../MigratedDatabase.ts"
import { randomNumbers } from "../RandomNumbers.ts"

const window_ms = 1000 * window_s
/** How much longer than a minute the database may count a request. */
const grace_ms = 500
const start_ms = 1_790_000_000_000

/** For how long a replica uses what it is granted. */
const validity_ms = 5_000

interface Lease {
  readonly end_ms: number
  readonly granted: number
  /** Until when its permits may be used. */
  readonly until_ms: number
}

interface Question {
  readonly limit: number
  readonly need: number
  readonly extra: number
  readonly ended?: Lease | undefined
  readonly used?: number
  readonly age_ms?: number
}

const request = (subject: string, { age_ms = 0, ended, extra, limit, need, used = 0 }: Question): QuotaRequest => ({
  subject,
  quota: limit,
  need,
  extra,
  ended_ms: ended?.end_ms ?? 0,
  granted: ended?.granted ?? 0,
  used,
  age_ms
})

const ask = (subject: string, now_ms: number, question: Question) =>
  Effect.gen(function* () {
    const [answer] = yield* drawQuota(yield* SqlClient.SqlClient, [request(subject, question)], now_ms)
    assert.isDefined(answer)
    return answer!
  })

/** Permits by the time from which they count, exactly. */
class ExactWindow {
  private readonly entries: Array<{ readonly time_ms: number; readonly count: number }> = []

  add(time_ms: number, count: number): void {
    this.entries.push({ time_ms, count })
  }

  totalAfter(time_ms: number): number {
    return this.entries.reduce((sum, entry) => (entry.time_ms > time_ms ? sum + entry.count : sum), 0)
  }
}

layer(layerMigrated, { excludeTestServices: true })("postcode.draw_quota", (it) => {
  it.effect("lends what is left of a minute, to half a second, over thousands of random steps", () =>
    Effect.gen(function* () {
      const random = randomNumbers(4)
      for (const limit of [1, 4, 40, 600]) {
        const subject = unique("subject")
        const exact = new ExactWindow()
        const leases: Array<Lease> = []
        let now_ms = start_ms
        for (let step = 0; step < 500; step++) {
          now_ms += random.pick([0, 1, 400, 1_000, random.below(3_000), random.below(limit === 1 ? 90_000 : 15_000)])
          // Most leases come back, some late, some never.
          const ended = random.below(4) > 0 ? leases.splice(random.below(leases.length), 1)[0] : undefined
          const used = ended === undefined ? 0 : random.below(ended.granted + 1)
          const age_ms = ended === undefined ? 0 : Math.max(0, now_ms - ended.until_ms) + random.below(400)
          const need = random.pick([0, 1, 1, 2, random.below(limit)])
          const extra = random.pick([0, 0, 2, random.below(limit)])
          const answer = yield* ask(subject, now_ms, { limit, need, extra, ended, used, age_ms })
          // What has left the window cannot be taken out of it.
          if (ended !== undefined && ended.end_ms > now_ms - window_ms) exact.add(ended.end_ms, -ended.granted)
          exact.add(now_ms - age_ms, used)
          const least = exact.totalAfter(now_ms - window_ms)
          const most = exact.totalAfter(now_ms - window_ms - grace_ms)
          const before = answer.total - answer.granted
          assert.isTrue(before >= least && before <= most, `${before} are counted, not ${least} to ${most}`)
          assert.isAtMost(answer.granted, Math.max(0, limit - before))
          assert.isAtLeast(answer.granted, Math.max(0, Math.min(need, limit - before)))
          assert.isAtMost(answer.granted, need + limit / 20)
          assert.strictEqual(answer.opens_ms > 0, answer.total >= limit)
          if (answer.granted === 0) continue
          const lease = { end_ms: answer.end_ms, granted: answer.granted, until_ms: now_ms + validity_ms }
          assert.isAtLeast(lease.end_ms, lease.until_ms)
          exact.add(lease.end_ms, lease.granted)
          leases.push(lease)
        }
      }
    })
  )

  it.effect("after opens_ms there is one more, and not before", () =>
    Effect.gen(function* () {
      const subject = unique("subject")
      let lease: Lease | undefined
      for (const [at_ms, need] of [
        [0, 2],
        [7_300, 1],
        [20_000, 3]
      ] as const) {
        const now_ms = start_ms + at_ms
        const answer = yield* ask(subject, now_ms, {
          limit: 6,
          need,
          extra: 0,
          ended: lease,
          used: lease?.granted ?? 0
        })
        assert.strictEqual(answer.granted, need)
        lease = { end_ms: answer.end_ms, granted: need, until_ms: now_ms }
      }
      const look = (at_ms: number, limit = 6) => ask(subject, start_ms + at_ms, { limit, need: 0, extra: 0 })
      const { opens_ms, total } = yield* look(21_000)
      assert.strictEqual(total, 6)
      assert.deepInclude(yield* look(21_000 + opens_ms - 1), { total: 6, opens_ms: 1 })
      assert.deepInclude(yield* look(21_000 + opens_ms), { total: 4, opens_ms: 0 })
      assert.isAbove((yield* look(21_000, 3)).opens_ms, opens_ms, "a lower limit opens later")
    })
  )

  it.effect("leaves no row of a subject that was only looked at", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const subject = unique("subject")
      yield* ask(subject, start_ms, { limit: 5, need: 0, extra: 0 })
      assert.lengthOf(yield* sql`SELECT FROM postcode.rate_windows WHERE subject = ${subject}`, 0)
    })
  )

  it.effect("a clock that was set back locks nobody out", () =>
    Effect.gen(function* () {
      const subject = unique("subject")
      yield* ask(subject, start_ms + 3_600_000, { limit: 5, need: 5, extra: 0 })
      assert.strictEqual((yield* ask(subject, start_ms, { limit: 5, need: 5, extra: 0 })).granted, 0)
      assert.strictEqual((yield* ask(subject, start_ms + 3_000, { limit: 5, need: 1, extra: 0, used: 1 })).granted, 0)
      assert.strictEqual((yield* ask(subject, start_ms + 90_000, { limit: 5, need: 5, extra: 0 })).granted, 5)
    })
  )

  it.effect("replicas that ask about the same subjects in any order do not wait in a circle, and share exactly", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const subjects = Array.from({ length: 20 }, () => unique("subject"))
      const random = randomNumbers(9)
      const question = Effect.suspend(() => {
        const order = subjects.toSorted(() => random.next() - 0.5)
        return drawQuota(
          sql,
          order.map((subject) => request(subject, { limit: 50, need: 3, extra: 0 })),
          null
        )
      })
      const rows = (yield* Effect.replicateEffect(question, 40, { concurrency: 4 })).flat()
      assert.strictEqual(
        rows.reduce((sum, { granted }) => sum + granted, 0),
        50 * subjects.length
      )
    })
  )
})

layer(layerMigrated, { excludeTestServices: true })("removeIdleRateWindows", (it) => {
  it.effect("removes what has left every window, and nothing else", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const now_ms = Date.now()
      yield* ask("idle", now_ms - 100_000, { limit: 5, need: 1, extra: 0 })
      yield* ask("counting", now_ms - 40_000, { limit: 5, need: 1, extra: 0 })
      assert.strictEqual(yield* removeIdleRateWindows, 1)
      assert.deepStrictEqual(yield* sql`SELECT subject FROM postcode.rate_windows`, [{ subject: "counting" }])
    })
  )

  it.effect("goes through all of the table, however large a flood of addresses has made it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`TRUNCATE postcode.rate_windows`
      const idle_ms = Date.now() - 100_000
      yield* sql`INSERT INTO postcode.rate_windows (subject, times_ms, counts)
        SELECT 'idle ' || n, ARRAY[${idle_ms}::text::bigint], ARRAY[1] FROM generate_series(1, 40000) AS n`
      yield* ask("counting", Date.now() - 40_000, { limit: 5, need: 1, extra: 0 })
      const [table] = yield* sql<{ pages: number }>`
        SELECT (pg_relation_size('postcode.rate_windows') / 8192)::integer AS pages`
      assert.isAbove(table?.pages ?? 0, 400)
      assert.strictEqual(yield* removeIdleRateWindows, 40_000)
      assert.deepStrictEqual(yield* sql`SELECT subject FROM postcode.rate_windows`, [{ subject: "counting" }])
    })
  )

  it.effect("the table is in no write-ahead log, so in no backup of the files", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [table] = yield* sql<{ kind: string }>`SELECT relpersistence::text AS kind FROM pg_class
        WHERE oid = 'postcode.rate_windows'::regclass`
      assert.strictEqual(table?.kind, "u")
    })
  )
})
