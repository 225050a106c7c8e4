/** The port `Notices` on PostgreSQL. */
import { assert, describe, it } from "@effect/vitest"
import { member, newNotice, noticesSuite, openAccount, suiteNoticeLimits } from "@postcode/conformance"
import { Accounts } from "@postcode/gateway/accounts/Accounts"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { Conflict } from "@postcode/gateway/Errors"
import { NoticeLimits } from "@postcode/gateway/notices/Notice"
import { Notices } from "@postcode/gateway/notices/Notices"
import { Transactions } from "@postcode/gateway/store/Transactions"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layerDatabase } from "../src/connection/Database.ts"
import { cleanUp } from "../src/maintenance/Maintenance.ts"
import { layerNotices } from "../src/notices/Notices.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { storeOn } from "./TestStore.ts"

const withMail = Layer.succeed(NoticeLimits, suiteNoticeLimits)
const layerStore = Layer.unwrap(Effect.map(migratedDatabase, (url) => Layer.provide(storeOn(url), withMail)))

let sql: SqlClient.SqlClient | undefined
/** Moves all times of notices into the past by a duration. */
const advance = (duration_ms: number) =>
  Effect.suspend(() => {
    if (sql === undefined) throw new Error("the database is there only while the tests run")
    const by = sql`${duration_ms}::double precision * interval '1 millisecond'`
    return Effect.andThen(
      sql`UPDATE postcode.notices SET created_at = created_at - ${by}, first_due_at = first_due_at - ${by},
        due_at = due_at - ${by}, last_attempt_at = last_attempt_at - ${by}, leased_until = leased_until - ${by}`,
      sql`UPDATE postcode.notice_sender SET until = until - ${by}`
    )
  })
const tapped = Layer.tap(layerStore, (context) =>
  Effect.provide(
    Effect.map(SqlClient.SqlClient, (client) => {
      sql = client
    }),
    context
  )
)
noticesSuite("on PostgreSQL", tapped, { advance: (ms) => Effect.asVoid(advance(ms)) })

const onDatabase = <A, E, R>(test: (url: string) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(migratedDatabase, (url) => Effect.provide(test(url), Layer.provide(storeOn(url), withMail))).pipe(
    Effect.scoped
  )

/** The notices of another replica, until the scope closes. */
const replicaOfNotices = (url: string) =>
  Effect.map(
    Layer.build(
      Layer.fresh(
        Layer.provide(
          layerNotices,
          Layer.merge(withMail, layerDatabase({ url: Redacted.make(url), maxConnections: 2 }))
        )
      )
    ),
    (context) => Context.get(context, Notices)
  )

const all = { limit: 100, cursor: undefined }
const lease_ms = 60_000

describe("notices on PostgreSQL", () => {
  it.live("a notice is rolled back with the change that it tells of", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const notices = yield* Notices
        const { account } = yield* member("owner")
        const change = { name: "renamed", ends_sessions: false, withdraws_invitations: false }
        const work = Effect.gen(function* () {
          yield* (yield* Accounts).change(account.id, change)
          yield* notices.add(newNotice({ email: account.email }))
          return yield* new Conflict({ message: "of the work" })
        })
        yield* Effect.flip(atomically(work))
        assert.deepStrictEqual((yield* notices.list({}, all)).items, [])
      })
    )
  )

  it.live("charges of several organizations in one statement add the notices of each", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const ledger = yield* CreditLedger
        const opened = yield* Effect.replicateEffect(openAccount(10), 4)
        const owners = yield* Effect.forEach(opened, ({ account }) => member("owner", account.organization_id))
        yield* Effect.forEach(opened, ({ account }) => ledger.setThreshold(account, 8))
        yield* Effect.forEach(opened, ({ charge }) => ledger.charge(charge(3)), { concurrency: "unbounded" })
        const { items } = yield* (yield* Notices).list({}, all)
        assert.sameMembers(
          items.map(({ email, facts, kind }) => `${kind} ${email} ${facts.balance} ${facts.threshold}`),
          owners.map(({ account }) => `balance_low ${account.email} 7 8`)
        )
      })
    )
  )

  it.live("one process sends at a time; another one takes over when the leases of the first have expired", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const [here, there] = [yield* Notices, yield* replicaOfNotices(url)]
        for (let i = 0; i < 4; i++) yield* here.add(newNotice())
        const [first] = yield* here.lease(1, lease_ms)
        assert.isDefined(first)
        assert.deepStrictEqual(yield* there.lease(10, lease_ms), [])
        assert.lengthOf(yield* here.lease(2, lease_ms), 2)
        const client = yield* SqlClient.SqlClient
        yield* client`UPDATE postcode.notice_sender SET until = now()`
        assert.lengthOf(yield* there.lease(10, lease_ms), 1)
        assert.deepStrictEqual(yield* here.lease(10, lease_ms), [])
      })
    )
  )

  it.live("an idle service writes nothing", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const client = yield* SqlClient.SqlClient
        yield* (yield* Notices).lease(10, lease_ms)
        assert.deepStrictEqual(yield* client`SELECT FROM postcode.notice_sender`, [])
      })
    )
  )

  it.live("after 30 days, notices are deleted; clients after an hour, withheld notices after a day", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const client = yield* SqlClient.SqlClient
        const notices = yield* Notices
        const [old, recent, withheld] = [
          newNotice(),
          newNotice({ client_hash: "hash" }),
          newNotice({ isWithheld: true, client_hash: "hash" })
        ]
        for (const notice of [old, recent, withheld]) yield* notices.add(notice)
        yield* cleanUp
        assert.lengthOf(yield* client`SELECT FROM postcode.notices WHERE client IS NOT NULL`, 2)
        yield* client`UPDATE postcode.notices SET created_at = created_at - interval '25 hours'`
        yield* client`UPDATE postcode.notices SET created_at = now() - interval '31 days' WHERE id = ${old.id}`
        yield* cleanUp
        const rows = yield* client`SELECT id, client FROM postcode.notices`
        assert.deepStrictEqual(rows, [{ id: recent.id, client: null }])
      })
    )
  )
})
