/** `postcode ledger verify`: proves every balance from the entries of the ledger, and from the files of its archive. */
import { join } from "node:path"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { monthAfter, readMonth } from "./archiveLedger.ts"
import { type AccountSum, accountName, EntryCheck } from "./EntryCheck.ts"
import { type LedgerFailure, ledgerFailure } from "./LedgerFailure.ts"
import { longTransaction } from "./LongTransaction.ts"
import { accountsAfter, type ClosedMonth, closedMonths, closingsOf, readLines } from "./StoredMonths.ts"

/** What is verified: the tables alone, or with the files of the archive. */
export interface VerifyOptions {
  /** The folder of the archive; without it, archived months are taken from their closings. */
  readonly archive: string | undefined
  /** Called before each step. */
  readonly onStep?: ((step: string) => void) | undefined
}

/** What was read, and what is wrong. */
export interface LedgerReport {
  /** The entries that were read, and the months that they are from. */
  readonly entries: number
  readonly months: number
  /** Months that were taken from their closings, because no folder was given. */
  readonly carried_forward: number
  readonly accounts: number
  /** The sum of all balances by environment. */
  readonly balances: Readonly<Record<string, number>>
  /** The first few; empty if the ledger is right. */
  readonly problems: ReadonlyArray<string>
}

/**
 * Reads everything at one moment, while the service runs. Each account must have entries numbered from 1 without gaps,
 * each with the balance after it, and the last one with the present balance; each closed month must match its closings,
 * and each file its checksum.
 */
export const verifyLedger = ({
  archive,
  onStep = () => {}
}: VerifyOptions): Effect.Effect<LedgerReport, LedgerFailure | SqlError, SqlClient.SqlClient> =>
  longTransaction(
    (sql) =>
      Effect.gen(function* () {
        // No month can be detached until the end. The lock comes before the snapshot, which the first query takes.
        yield* sql.unsafe("LOCK TABLE postcode.ledger_entries IN ACCESS SHARE MODE").unprepared
        const closed = yield* closedMonths
        const archived = closed.filter(({ is_archived }) => is_archived)
        const last = archived.at(-1)?.month
        const isWhole = last === undefined || archive !== undefined
        const check = new EntryCheck(isWhole ? new Map() : yield* accountsAfter(sql, last))
        let months = 0
        if (archive !== undefined) {
          for (const month of archived) {
            onStep(`reading ${month.file}`)
            yield* checkArchived(sql, archive, month, check)
            months++
          }
        }
        const isArchiveRight = check.problems.length === 0
        for (const month of yield* storedMonths(sql)) {
          onStep(`reading ${month} from the database`)
          yield* checkStored(sql, month, closed, check)
          months++
        }
        check.startMonth("")
        yield* compareBalances(sql, check)
        if (isWhole && isArchiveRight) yield* compareReferences(sql, check)
        const { accounts, entries, problems } = check
        const carried_forward = isWhole ? 0 : archived.length
        return { entries, months, carried_forward, accounts: accounts.size, balances: sumsOf(accounts), problems }
      }),
    "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"
  )

const checkArchived = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  folder: string,
  { bytes, entries, file, month, sha256 }: ClosedMonth,
  check: EntryCheck
) {
  const closings = yield* closingsOf(sql, month)
  const before = { entries: check.entries, problems: check.problems.length }
  const read = yield* Effect.promise(() =>
    readMonth(join(folder, file ?? ""), month, closings, check).catch((error: unknown) => ledgerFailure(error))
  )
  const found = check.entries - before.entries
  if ("message" in read) check.report(`${file}: ${read.message}`)
  else if (read.sha256 !== sha256 || read.bytes !== bytes) check.report(`${file}: the checksum differs`)
  else if (found !== entries) check.report(`${found} entries instead of ${entries}`)
  // The later months are proven from the closings, as if this one were not there.
  if (check.problems.length > before.problems) check.accounts = yield* accountsAfter(sql, month)
})

/** The months of entries in the tables, oldest first; each of them with a partition, or in the default one. */
const storedMonths = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly month: string }>`
      SELECT to_char(to_date(right(relname, 7), 'YYYY_MM'), 'YYYY-MM') AS month
      FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'postcode.ledger_entries'::regclass AND relname ~ '_[0-9]{4}_[0-9]{2}$'
      UNION SELECT to_char(created_at, 'YYYY-MM') FROM postcode.ledger_entries_default ORDER BY month`,
    (rows) => rows.map(({ month }) => month)
  )

const checkStored = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  month: string,
  closed: ReadonlyArray<ClosedMonth>,
  check: EntryCheck
) {
  check.startMonth(month)
  const before = check.entries
  const source = `postcode.ledger_entries
    WHERE created_at >= '${month}-01 00:00:00+00' AND created_at < '${monthAfter(month)}-01 00:00:00+00'`
  yield* readLines(sql, source, async (lines) => {
    for (const line of lines) check.add(line)
  })
  const closing = closed.find((one) => one.month === month)
  if (closing === undefined) return
  check.endMonth(yield* closingsOf(sql, month))
  const entries = check.entries - before
  if (entries !== closing.entries) check.report(`${entries} entries instead of ${closing.entries}`)
})

interface AccountRow {
  readonly organization_id: string
  readonly environment: string
  readonly balance: number
  readonly entries: number
}

/** Compares each balance with the sum of the account's entries. */
const compareBalances = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, check: EntryCheck) {
  const rows = yield* sql<AccountRow>`
    SELECT organization_id, environment, balance::float8, entries::float8 FROM postcode.credit_accounts`
  const names = new Set<string>()
  for (const { balance, entries, environment, organization_id } of rows) {
    const name = accountName(organization_id, environment)
    const sum = check.accounts.get(name) ?? { number: 0, balance: 0 }
    names.add(name)
    if (sum.balance !== balance || sum.number !== entries) {
      check.report(
        `${name}: balance ${balance} after ${entries} entries, but ${sum.number} entries sum up to ${sum.balance}`
      )
    }
  }
  for (const name of check.accounts.keys()) if (!names.has(name)) check.report(`${name}: has entries, but no balance`)
})

/** Compares the number of grants and corrections of each account with that of the references that count once. */
const compareReferences = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, check: EntryCheck) {
  const rows = yield* sql<Omit<AccountRow, "balance">>`
    SELECT organization_id, environment, count(*)::float8 AS entries FROM postcode.ledger_references
    GROUP BY organization_id, environment`
  const counts = new Map(rows.map((row) => [accountName(row.organization_id, row.environment), row.entries]))
  for (const [name, { references }] of check.accounts) {
    const count = counts.get(name) ?? 0
    if (count !== references) check.report(`${name}: ${references} grants and corrections, but ${count} references`)
  }
})

/** By environment, the last part of each name. */
const sumsOf = (accounts: ReadonlyMap<string, AccountSum>): Record<string, number> => {
  const sums: Record<string, number> = { test: 0, live: 0 }
  for (const [name, { balance }] of accounts) {
    const environment = name.slice(name.lastIndexOf(" ") + 1)
    sums[environment] = (sums[environment] ?? 0) + balance
  }
  return sums
}
