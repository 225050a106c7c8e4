/** The function that grants quota, compared with an exact reference implementation, and the deletion of idle rows. */
import { assert, layer } from "@effect/vitest"
import { unique } from "@postcode/conformance"
import { window_s } from "@postcode/gateway/limits/RateLimiter"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { drawQuota, maxExtra, type QuotaRequest, usable_ms } from "../../src/limits/QuotaRequests.ts"
import { removeIdleRateWindows } from "../../src/limits/RateLimiter.ts"
import { layerMigrated } from "../MigratedDatabase.ts"
import { randomNumbers } from "../RandomNumbers.ts"

const window_ms = 1000 * window_s
/** Additional time for which the database may count a request. */
const grace_ms = 500
const start_ms = 1_790_000_000_000

interface Allowance {
  readonly end_ms: number
  readonly granted: number
  /** The end of the time in which the allowance may be used. */
  readonly until_ms: number
}

interface QueryFields {
  readonly limit: number
  readonly need: number
  readonly extra: number
  readonly ended?: Allowance | undefined
  readonly used?: number
  readonly age_ms?: number
}

const request = (subject: string, { age_ms = 0, ended, extra, limit, need, used = 0 }: QueryFields): QuotaRequest => ({
  subject,
  quota: limit,
  need,
  extra: Math.min(extra, maxExtra(limit)),
  ended_ms: ended?.end_ms ?? 0,
  granted: ended?.granted ?? 0,
  used,
  age_ms
})

const draw = (subject: string, now_ms: number, query: QueryFields) =>
  Effect.gen(function* () {
    const [answer] = yield* drawQuota(yield* SqlClient.SqlClient, [request(subject, query)], now_ms)
    assert.isDefined(answer)
    return answer!
  })

/** Reference implementation: all counts with their exact times. */
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
  it.effect("grants the rest of a minute's limit, to half a second, in thousands of random steps", () =>
    Effect.gen(function* () {
      const random = randomNumbers(4)
      for (const limit of [1, 4, 40, 600]) {
        const subject = unique("subject")
        const exact = new ExactWindow()
        const allowances: Array<Allowance> = []
        let now_ms = start_ms
        for (let step = 0; step < 500; step++) {
          now_ms += random.pick([0, 1, 400, 1_000, random.below(3_000), random.below(limit === 1 ? 90_000 : 15_000)])
          // Most allowances are reported, some late, some never.
          const ended = random.below(4) > 0 ? allowances.splice(random.below(allowances.length), 1)[0] : undefined
          const used = ended === undefined ? 0 : random.below(ended.granted + 1)
          const age_ms = ended === undefined ? 0 : Math.max(0, now_ms - ended.until_ms) + random.below(400)
          const need = random.pick([0, 1, 1, 2, random.below(limit)])
          const extra = random.pick([0, 0, 2, random.below(limit)])
          const answer = yield* draw(subject, now_ms, { limit, need, extra, ended, used, age_ms })
          // Counts that have left the window cannot be removed.
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
          const allowance = { end_ms: answer.end_ms, granted: answer.granted, until_ms: now_ms + usable_ms }
          assert.isAtLeast(allowance.end_ms, allowance.until_ms)
          exact.add(allowance.end_ms, allowance.granted)
          allowances.push(allowance)
        }
      }
    })
  )

  it.effect("opens_ms is the exact time until more quota is available", () =>
    Effect.gen(function* () {
      const subject = unique("subject")
      let allowance: Allowance | undefined
      for (const [at_ms, need] of [
        [0, 2],
        [7_300, 1],
        [20_000, 3]
      ] as const) {
        const now_ms = start_ms + at_ms
        const answer = yield* draw(subject, now_ms, {
          limit: 6,
          need,
          extra: 0,
          ended: allowance,
          used: allowance?.granted ?? 0
        })
        assert.strictEqual(answer.granted, need)
        allowance = { end_ms: answer.end_ms, granted: need, until_ms: now_ms }
      }
      const read = (at_ms: number, limit = 6) => draw(subject, start_ms + at_ms, { limit, need: 0, extra: 0 })
      const { opens_ms, total } = yield* read(21_000)
      assert.strictEqual(total, 6)
      assert.deepInclude(yield* read(21_000 + opens_ms - 1), { total: 6, opens_ms: 1 })
      assert.deepInclude(yield* read(21_000 + opens_ms), { total: 4, opens_ms: 0 })
      assert.isAbove((yield* read(21_000, 3)).opens_ms, opens_ms, "a lower limit opens later")
    })
  )

  it.effect("creates no row for a subject that is only read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const subject = unique("subject")
      yield* draw(subject, start_ms, { limit: 5, need: 0, extra: 0 })
      assert.lengthOf(yield* sql`SELECT FROM postcode.rate_windows WHERE subject = ${subject}`, 0)
    })
  )

  it.effect("a clock that was set back blocks a subject for a limited time", () =>
    Effect.gen(function* () {
      const subject = unique("subject")
      yield* draw(subject, start_ms + 3_600_000, { limit: 5, need: 5, extra: 0 })
      assert.strictEqual((yield* draw(subject, start_ms, { limit: 5, need: 5, extra: 0 })).granted, 0)
      assert.strictEqual((yield* draw(subject, start_ms + 3_000, { limit: 5, need: 1, extra: 0, used: 1 })).granted, 0)
      assert.strictEqual((yield* draw(subject, start_ms + 90_000, { limit: 5, need: 5, extra: 0 })).granted, 5)
    })
  )

  it.effect("concurrent queries for the same subjects in any order do not deadlock, and grant exactly the limit", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const subjects = Array.from({ length: 20 }, () => unique("subject"))
      const random = randomNumbers(9)
      const query = Effect.suspend(() => {
        const order = subjects.toSorted(() => random.next() - 0.5)
        return drawQuota(
          sql,
          order.map((subject) => request(subject, { limit: 50, need: 3, extra: 0 })),
          null
        )
      })
      const rows = (yield* Effect.replicateEffect(query, 40, { concurrency: 4 })).flat()
      assert.strictEqual(
        rows.reduce((sum, { granted }) => sum + granted, 0),
        50 * subjects.length
      )
    })
  )
})

layer(layerMigrated, { excludeTestServices: true })("removeIdleRateWindows", (it) => {
  it.effect("deletes only rows without requests in the window", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const now_ms = Date.now()
      yield* draw("idle", now_ms - 100_000, { limit: 5, need: 1, extra: 0 })
      yield* draw("counting", now_ms - 40_000, { limit: 5, need: 1, extra: 0 })
      assert.strictEqual(yield* removeIdleRateWindows, 1)
      assert.deepStrictEqual(yield* sql`SELECT subject FROM postcode.rate_windows`, [{ subject: "counting" }])
    })
  )

  it.effect("deletes from the whole table, even after a flood of addresses", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`TRUNCATE postcode.rate_windows`
      const idle_ms = Date.now() - 100_000
      yield* sql`INSERT INTO postcode.rate_windows (subject, times_ms, counts)
        SELECT 'idle ' || n, ARRAY[${idle_ms}::text::bigint], ARRAY[1] FROM generate_series(1, 40000) AS n`
      yield* draw("counting", Date.now() - 40_000, { limit: 5, need: 1, extra: 0 })
      const [table] = yield* sql<{ pages: number }>`
        SELECT (pg_relation_size('postcode.rate_windows') / 8192)::integer AS pages`
      assert.isAbove(table?.pages ?? 0, 400)
      assert.strictEqual(yield* removeIdleRateWindows, 40_000)
      assert.deepStrictEqual(yield* sql`SELECT subject FROM postcode.rate_windows`, [{ subject: "counting" }])
    })
  )

  it.effect("the table is not in the write-ahead log, so it is not in file backups", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [table] = yield* sql<{ kind: string }>`SELECT relpersistence::text AS kind FROM pg_class
        WHERE oid = 'postcode.rate_windows'::regclass`
      assert.strictEqual(table?.kind, "u")
    })
  )
})
