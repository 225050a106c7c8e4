/** The archive of the ledger: each entry is in it or in the tables, whatever happens meanwhile. */
import { copyFile, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { entriesOf, failsWith } from "@postcode/conformance"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { archiveLedger, fileOf } from "../../../src/credits/months/archiveLedger.ts"
import { keepMonths } from "../../../src/maintenance/Maintenance.ts"
import { connectionsTo } from "../../MigratedDatabase.ts"
import {
  archive,
  attachedPastMonths,
  grownLedger,
  monthsAgo,
  newFolder,
  onLedger,
  problemsOf,
  verified
} from "./LedgerMonths.ts"

const pastMonths = [4, 3, 2].map(monthsAgo)
const page = { limit: 100, cursor: undefined }

/** Reads a file of the archive. */
const contentOf = (folder: string, month: string) =>
  Effect.promise(async () => gunzipSync(await readFile(join(folder, fileOf(month)))).toString())

describe("the archive of the ledger", () => {
  it.live("has every entry of past months once, and statements say from where on they list entries", () =>
    onLedger(() =>
      Effect.gen(function* () {
        const ledger = yield* CreditLedger
        const folder = yield* newFolder
        const { account, last, other } = yield* grownLedger
        const before = yield* entriesOf(account)
        const months = yield* archive(folder)
        assert.deepStrictEqual(
          months.map(({ archived, dropped, entries, month }) => ({ archived, dropped, entries, month })),
          [4, 2, 2].map((entries, i) => ({ archived: true, dropped: false, entries, month: pastMonths[i] as string }))
        )
        const files = yield* Effect.promise(() => readdir(folder))
        assert.sameMembers(
          files,
          pastMonths.map(fileOf).flatMap((file) => [file, `${file}.sha256`])
        )
        const sums = yield* Effect.promise(() => readFile(join(folder, `${fileOf(monthsAgo(4))}.sha256`), "utf8"))
        assert.strictEqual(sums, `${months[0]?.sha256}  ${fileOf(monthsAgo(4))}\n`)
        const texts = yield* Effect.forEach(pastMonths, (month) => contentOf(folder, month))
        const lines = texts.flatMap((text) => text.trimEnd().split("\n")).map((line) => JSON.parse(line))
        const archived = lines
          .filter(({ organization_id }) => organization_id === account.organization_id)
          .map(({ environment, number, organization_id, ...entry }) => ({
            ...entry,
            created_at: new Date(entry.created_at).toISOString()
          }))
        const listed = yield* ledger.statement(account, page)
        assert.deepStrictEqual([...listed.entries.items, ...archived.toReversed()], before)
        assert.lengthOf(listed.entries.items, 2)
        assert.deepStrictEqual(listed.archived, { before: monthsAgo(1), entries: 7, balance: 1_034 })
        assert.deepStrictEqual(yield* ledger.statement(other, page), {
          balance: 50,
          low_balance_threshold: null,
          archived: { before: monthsAgo(1), entries: 1, balance: 50 },
          entries: { items: [], next_cursor: null }
        })
        const { entries } = yield* ledger.statement(account, page, { reference: last.request_id })
        assert.lengthOf(entries.items, 1)
        assert.strictEqual(yield* verified(folder), 10)
        assert.strictEqual(yield* verified(), 2)
        assert.deepStrictEqual(yield* archive(folder), [])
      })
    )
  )

  it.live("keeps what must count once, and charges go on, also when the tables are dropped", () =>
    onLedger(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* CreditLedger
        const folder = yield* newFolder
        const { account, charge, correction, corrected, grant, granted } = yield* grownLedger
        yield* archive(folder)
        const kept = sql`SELECT FROM pg_class WHERE relname IN ${sql.in(pastMonths.map((month) => `ledger_entries_${month.replace("-", "_")}`))}`
        assert.lengthOf(yield* kept, 3)
        const dropped = yield* archive(folder, true)
        assert.deepStrictEqual(
          dropped.map(({ archived, dropped }) => [archived, dropped]),
          Array(3).fill([false, true])
        )
        assert.lengthOf(yield* kept, 0)
        assert.deepStrictEqual(yield* archive(folder, true), [])
        yield* keepMonths()
        assert.deepStrictEqual(yield* attachedPastMonths, [])
        assert.deepStrictEqual(yield* ledger.grant(grant), { ...granted, repeated: true })
        assert.deepStrictEqual(yield* ledger.correct(correction), { ...corrected, repeated: true })
        assert.deepStrictEqual(yield* ledger.charge(charge(2)), { charged: 2, balance: 1_030 })
        assert.deepStrictEqual((yield* ledger.statement(account, page)).archived?.balance, 1_034)
        assert.strictEqual(yield* verified(folder), 11)
        const events = yield* sql`SELECT action, subject FROM postcode.audit_events ORDER BY number`
        assert.sameDeepMembers(
          [...events],
          pastMonths.flatMap((subject) =>
            ["archived", "dropped"].map((did) => ({ action: `ledger.month_${did}`, subject }))
          )
        )
      })
    )
  )

  it.live("takes no month that is not over, and leaves all of them", () =>
    onLedger(() =>
      Effect.gen(function* () {
        const folder = yield* newFolder
        yield* grownLedger
        const early = archiveLedger({ before: monthsAgo(-1), folder, drop: false })
        assert.include((yield* Effect.flip(early)).message, `${monthsAgo(0)} is not closed`)
        assert.deepStrictEqual(yield* attachedPastMonths, pastMonths)
      })
    )
  )

  it.live("is left whole by a command that ends between the file and the detachment", () =>
    onLedger((url) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const folder = yield* newFolder
        yield* grownLedger
        yield* keepMonths()
        const locked = yield* Deferred.make<void>()
        const released = yield* Deferred.make<void>()
        const reader = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`LOCK TABLE postcode.ledger_entries IN ACCESS SHARE MODE`
              yield* Deferred.succeed(locked, undefined)
              yield* Deferred.await(released)
            })
          )
        )
        yield* Deferred.await(locked)
        const command = yield* Effect.forkChild(Effect.provide(archive(folder), connectionsTo(url)))
        const first = join(folder, `${fileOf(monthsAgo(4))}.sha256`)
        yield* Effect.promise(async () => {
          while (
            await stat(first).then(
              () => false,
              () => true
            )
          )
            await new Promise((resolve) => setTimeout(resolve, 20))
        })
        yield* Fiber.interrupt(command)
        yield* Deferred.succeed(released, undefined)
        yield* Fiber.join(reader)
        assert.deepStrictEqual(yield* attachedPastMonths, pastMonths)
        assert.strictEqual(yield* verified(folder), 10)
        yield* archive(folder)
        assert.deepStrictEqual(yield* attachedPastMonths, [])
        assert.strictEqual(yield* verified(folder), 10)
      })
    )
  )

  it.live("overwrites no file of somebody else, and two commands at once do no harm", () =>
    onLedger((url) =>
      Effect.gen(function* () {
        const folder = yield* newFolder
        yield* grownLedger
        const stranger = join(folder, fileOf(monthsAgo(4)))
        yield* Effect.promise(() => writeFile(stranger, gzipSync("another ledger\n")))
        assert.include((yield* Effect.flip(archive(folder))).message, "exists with other content")
        assert.strictEqual(yield* contentOf(folder, monthsAgo(4)), "another ledger\n")
        assert.deepStrictEqual(yield* attachedPastMonths, pastMonths)
        yield* Effect.promise(() => rm(stranger))
        const command = Effect.exit(Effect.provide(archive(folder), connectionsTo(url)))
        yield* Effect.all([command, command, command], { concurrency: "unbounded" })
        yield* archive(folder)
        assert.strictEqual(yield* verified(folder), 10)
        const files = yield* Effect.promise(() => readdir(folder))
        assert.lengthOf(files, 6)
      })
    )
  )
})

describe("a damaged archive", () => {
  const damages = {
    "a changed byte": (path: string) =>
      readFile(path).then((bytes) => {
        bytes[bytes.length - 12] = (bytes[bytes.length - 12] as number) ^ 1
        return writeFile(path, bytes)
      }),
    "a missing end": async (path: string) => truncate(path, (await stat(path)).size - 20),
    "no file": (path: string) => rm(path),
    "the file of another month": (path: string) => copyFile(path.replace(monthsAgo(3), monthsAgo(2)), path),
    "an entry that was changed": async (path: string) => {
      const text = gunzipSync(await readFile(path)).toString()
      await writeFile(path, gzipSync(text.replace('"amount":-2', '"amount":-1')))
    },
    "an entry that is missing": async (path: string) => {
      const text = gunzipSync(await readFile(path)).toString()
      await writeFile(path, gzipSync(text.slice(text.indexOf("\n") + 1)))
    }
  }

  it.live.each(Object.entries(damages))("is noticed, and its table is not dropped: %s", ([, damage]) =>
    onLedger(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const folder = yield* newFolder
        yield* grownLedger
        yield* archive(folder)
        yield* Effect.promise(() => damage(join(folder, fileOf(monthsAgo(3)))))
        const problems = (yield* problemsOf(folder)).split("\n")
        // Later months, balances and references are not in doubt.
        assert.deepStrictEqual(
          problems.filter((problem) => !problem.startsWith(`${monthsAgo(3)}: `)),
          []
        )
        yield* failsWith(archive(folder, true), "LedgerFailure")
        const name = `ledger_entries_${monthsAgo(3).replace("-", "_")}`
        assert.lengthOf(yield* sql`SELECT FROM pg_class WHERE relname = ${name}`, 1)
        // Without the archive, the closings still prove the rest.
        assert.strictEqual(yield* verified(), 2)
      })
    )
  )

  it.live("does not hide what is wrong in the tables", () =>
    onLedger(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const folder = yield* newFolder
        const { account } = yield* grownLedger
        yield* archive(folder)
        const { organization_id } = account
        yield* sql`UPDATE postcode.credit_accounts SET balance = balance + 1
          WHERE organization_id = ${organization_id} AND environment = 'test'`
        assert.include(yield* problemsOf(folder), `${organization_id} test: balance 1033 after 9 entries`)
        assert.include(yield* problemsOf(), `${organization_id} test: balance 1033 after 9 entries`)
        yield* sql`UPDATE postcode.credit_accounts SET balance = balance - 1
          WHERE organization_id = ${organization_id} AND environment = 'test'`
        yield* sql`DELETE FROM postcode.ledger_references WHERE organization_id = ${organization_id} AND purpose = 'grant'`
        assert.include(yield* problemsOf(folder), "2 grants and corrections, but 1 references")
      })
    )
  )
})
