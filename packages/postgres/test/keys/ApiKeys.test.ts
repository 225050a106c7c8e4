/** Keys beyond the suite of their port: copies at replicas, and their queries. */
import { assert, describe, it } from "@effect/vitest"
import { failsWith, newAccessRequest, nextTimestamp, storedKey, storedOrganization } from "@postcode/conformance"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { AccessRequests } from "@postcode/gateway/organizations/AccessRequests"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Clock, Context, Deferred, Effect, Exit, Fiber, Layer, Logger, Scope, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { FollowerTimes } from "../../src/connection/Follower.ts"
import { untilLockWaits } from "../LockWaits.ts"
import { migratedDatabase, proxyTo } from "../MigratedDatabase.ts"
import { quickest_ms } from "../Quickest.ts"
import { storeOn } from "../TestStore.ts"

/** A replica. Logs are off, because the database is made unavailable. */
const replicaOn = (url: string) =>
  Layer.build(storeOn(url)).pipe(
    Effect.provideService(FollowerTimes, { lifetime_ms: 60_000, interval_ms: 60_000 }),
    Effect.provideService(Logger.CurrentLoggers, new Set())
  )

const find = (replica: Context.Context<ApiKeys>, hash: string, now = nextTimestamp()) =>
  Context.get(replica, ApiKeys).findByHash(hash, now)

/** Runs work while another transaction holds the locks of a statement, until they are released. */
const whileLocked = <A, E, R>(lock: string, work: (letGo: Effect.Effect<void>) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const isHeld = yield* Deferred.make<void>()
    const isOver = yield* Deferred.make<void>()
    const holder = yield* Effect.forkChild(
      sql.withTransaction(
        Effect.gen(function* () {
          yield* sql.unsafe(lock)
          yield* Deferred.succeed(isHeld, undefined)
          yield* Deferred.await(isOver)
        })
      )
    )
    yield* Deferred.await(isHeld)
    const letGo = Effect.andThen(Deferred.succeed(isOver, undefined), Effect.asVoid(Effect.orDie(Fiber.join(holder))))
    const answer = yield* work(letGo)
    yield* letGo
    return answer
  })

const lastUses = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ at: Date | null; xmin: string }>`SELECT last_used_at AS at, xmin::text
    FROM postcode.api_keys ORDER BY number`
  return rows.map(({ at, xmin }) => ({ at: at?.toISOString(), version: xmin }))
})

describe("ApiKeys on PostgreSQL", () => {
  it.live("a new key is known at every replica immediately, even if it was looked up before", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const [here, there] = yield* Effect.all([replicaOn(url), replicaOn(url)])
      const { id } = yield* Effect.provide(storedOrganization(), here)
      const keys = Context.get(there, ApiKeys)
      const early = yield* Effect.provide(
        storedKey(id),
        Context.add(here, ApiKeys, { ...keys, create: () => Effect.void })
      )
      assert.isUndefined(yield* find(there, early.hash))
      yield* Context.get(here, ApiKeys).create(early.record, early.hash)
      assert.propertyVal(yield* find(there, early.hash), "key_id", early.record.id)
    }).pipe(Effect.scoped)
  )

  it.live("a key with a copy is found synchronously", () =>
    Effect.gen(function* () {
      const replica = yield* replicaOn(yield* migratedDatabase)
      const { id } = yield* Effect.provide(storedOrganization(), replica)
      const { hash } = yield* Effect.provide(storedKey(id), replica)
      const principal = yield* find(replica, hash)
      assert.deepStrictEqual(find(replica, hash), Exit.succeed(principal))
    }).pipe(Effect.scoped)
  )

  it.live("all lookups during a statement share the next one", () =>
    Effect.gen(function* () {
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const traced = replicaOn(yield* migratedDatabase).pipe(Effect.provideService(Tracer.Tracer, tracer))
      const replica = yield* traced
      const queriesBy = (name: string) =>
        spans.filter((span) => String(span.attributes.get("db.query.text")).includes(`"${name}" = ANY`)).length
      const atStart = { hash: queriesBy("hash"), id: queriesBy("id") }
      const byHash = () => queriesBy("hash") - atStart.hash
      const byId = () => queriesBy("id") - atStart.id
      yield* Effect.gen(function* () {
        const { id } = yield* storedOrganization()
        const stored = yield* Effect.replicateEffect(storedKey(id), 50)
        const findAll = Effect.forEach(stored, ({ hash }) => find(replica, hash), { concurrency: "unbounded" })
        const found = yield* whileLocked("LOCK TABLE postcode.api_keys", (letGo) =>
          Effect.gen(function* () {
            const first = yield* Effect.forkChild(find(replica, stored[0]?.hash ?? ""))
            yield* untilLockWaits()
            const rest = yield* Effect.forkChild(findAll)
            yield* Effect.sleep(50)
            assert.strictEqual(byHash(), 1)
            yield* letGo
            assert.isDefined(yield* Fiber.join(first))
            return yield* Fiber.join(rest)
          })
        )
        assert.strictEqual(byHash(), 2)
        assert.deepStrictEqual(
          found.map((principal) => principal?.key_id),
          stored.map(({ record }) => record.id)
        )
        yield* findAll
        assert.strictEqual(byHash(), 2)
        const findAllById = Effect.forEach(
          stored,
          ({ record }) => Context.get(replica, ApiKeys).findById(record.id, nextTimestamp()),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(yield* findAllById, found)
        yield* findAllById
        assert.strictEqual(byId(), 1, "a copy by id asks the database nothing either")
      }).pipe(Effect.provide(replica))
    }).pipe(Effect.scoped)
  )

  it.live("changes that restrict keys wait for running charges, and other changes do not", () =>
    Effect.gen(function* () {
      const replica = yield* replicaOn(yield* migratedDatabase)
      yield* Effect.gen(function* () {
        const organizations = yield* Organizations
        const requests = yield* AccessRequests
        const { id } = yield* storedOrganization({}, { granted_level: 2 })
        const { record } = yield* storedKey(id)
        const request = newAccessRequest(id)
        yield* requests.create(request)
        const taking: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
          (yield* ApiKeys).revoke(record.id, nextTimestamp()),
          organizations.update(id, { granted_level: 1 }),
          requests.decide(request.id, { status: "approved", note: "seen", decided_at: nextTimestamp() })
        ]
        for (const environment of ["test", "live"]) {
          const account = `SELECT FROM postcode.credit_accounts
            WHERE organization_id = '${id}' AND environment = '${environment}' FOR UPDATE`
          for (const take of taking) {
            yield* whileLocked(account, (letGo) =>
              Effect.gen(function* () {
                yield* organizations.update(id, { name: "Renamed" })
                yield* storedKey(id)
                const fiber = yield* Effect.forkChild(Effect.exit(take))
                yield* untilLockWaits()
                assert.isUndefined(fiber.pollUnsafe())
                yield* letGo
                yield* Fiber.join(fiber)
              })
            )
          }
        }
      }).pipe(Effect.provide(replica))
    }).pipe(Effect.scoped)
  )

  it.live("a use is written at most once a minute, and at shutdown; a later use at another replica stays", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const here = yield* replicaOn(url)
      const scope = yield* Scope.make()
      const there = yield* Scope.provide(replicaOn(url), scope)
      yield* Effect.gen(function* () {
        const { id } = yield* storedOrganization()
        const { hash } = yield* storedKey(id)
        const [first, second, third, fourth] = Array.from({ length: 4 }, nextTimestamp)
        const list = Context.get(here, ApiKeys).list(id, { limit: 20, cursor: undefined })
        yield* find(there, hash, fourth)
        for (const now of [first, second]) yield* find(here, hash, now)
        assert.propertyVal((yield* list).items[0], "last_used_at", second)
        const [written] = yield* lastUses
        yield* list
        assert.deepStrictEqual(yield* lastUses, [written])
        yield* Scope.close(scope, Exit.void)
        assert.propertyVal((yield* lastUses)[0], "at", fourth)
        yield* find(here, hash, third)
        assert.propertyVal((yield* list).items[0], "last_used_at", fourth)
      }).pipe(Effect.provide(here))
    }).pipe(Effect.scoped)
  )

  it.live("a key without a copy fails within a second while the database is silent", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const proxy = yield* proxyTo(url)
      const replica = yield* replicaOn(proxy.url)
      const { id } = yield* Effect.provide(storedOrganization(), replica)
      const { hash } = yield* Effect.provide(storedKey(id), replica)
      proxy.goSilent()
      const silence_ms = Effect.gen(function* () {
        const start_ms = yield* Clock.currentTimeMillis
        yield* failsWith(find(replica, hash), "Unavailable")
        return (yield* Clock.currentTimeMillis) - start_ms
      })
      // A busy machine takes longer, but not the five seconds of the general timeout.
      assert.isBelow(yield* quickest_ms(silence_ms, 3_000), 3_000)
      proxy.resume()
    }).pipe(Effect.scoped)
  )
})
