/** Fixtures of tests of the ledger's months: a ledger that has grown over months, and its archive. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { inOneDay, openAccount, unique } from "@postcode/conformance"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { archiveLedger } from "../../../src/credits/months/archiveLedger.ts"
import { verifyLedger } from "../../../src/credits/months/verifyLedger.ts"
import { onDatabase } from "../Ledger.ts"

/** `2026-01`, this number of months ago. */
export const monthsAgo = (months: number): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 7)
}

/** Moves everything that was written so far into the past. */
export const passMonths = (months: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const age = sql.literal(`interval '${months} months'`)
    return Effect.andThen(
      sql`UPDATE postcode.ledger_entries SET created_at = created_at - ${age}`,
      sql`UPDATE postcode.credit_accounts SET last_entry_at = last_entry_at - ${age}, revision = revision + 1`
    )
  })

/** No month ends within a test. */
export const onLedger: typeof onDatabase = (test) => Effect.andThen(inOneDay, onDatabase(test))

/**
 * Two accounts with entries of four, three and two months ago, and of now. The first one ends with 1,032 credits after 9
 * entries; the second one has only its opening entry of four months ago.
 */
export const grownLedger = Effect.gen(function* () {
  const ledger = yield* CreditLedger
  const { account, charge } = yield* openAccount(1_000)
  const { account: other } = yield* openAccount(50)
  const grant = { ...account, amount: 100, reference: unique("INV") }
  const note = 'Paid back; line\u2028separator, "quotes"\nand ₦'
  const correction = { ...account, amount: -60, kind: "refund", note, reference: grant.reference } as const
  yield* ledger.charge(charge(1))
  yield* ledger.charge(charge(2, { level: 3 }))
  yield* passMonths(1)
  const granted = yield* ledger.grant(grant)
  yield* ledger.charge(charge(2))
  yield* passMonths(1)
  const corrected = yield* ledger.correct(correction)
  yield* ledger.charge(charge(1))
  yield* passMonths(2)
  const last = charge(1)
  yield* ledger.charge(last)
  yield* ledger.charge(charge(1))
  return { account, charge, other, grant, granted, correction, corrected, last }
})

/** A new folder, until the scope closes. */
export const newFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "ledger-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true }))
)

/** Archives all months before this one. */
export const archive = (folder: string, drop = false) => archiveLedger({ before: monthsAgo(0), folder, drop })

/** Checks that the whole ledger is right, and returns the number of entries that were read. */
export const verified = (folder?: string) =>
  Effect.map(verifyLedger({ archive: folder }), ({ entries, problems }) => {
    assert.deepStrictEqual(problems, [])
    return entries
  })

/** What `verifyLedger` finds. */
export const problemsOf = (folder?: string) =>
  Effect.map(verifyLedger({ archive: folder }), ({ problems }) => problems.join("\n"))

/** The months of the ledger that have a partition and are past. */
export const attachedPastMonths = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly name: string }>`SELECT relname::text AS name FROM pg_inherits
      JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'postcode.ledger_entries'::regclass
        AND relname < ${`ledger_entries_${monthsAgo(0).replace("-", "_")}`} ORDER BY relname`,
    (rows) => rows.map(({ name }) => name.slice(-7).replace("_", "-"))
  )
)
