/**
 * `postcode ledger archive`: writes closed months of the ledger to files, reads the files back, and detaches the months.
 * A month is in the tables until its file is verified and on the disk, so the command can be stopped and repeated at any
 * time.
 */
import { randomUUID } from "node:crypto"
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { AuditAction } from "@postcode/gateway/audit/AuditLog"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { newEventId } from "../../audit/EventId.ts"
import { newRowNumber } from "../../connection/RowNumber.ts"
import { makeMonths, monthsOf } from "../../maintenance/Partitions.ts"
import { ArchiveWriter, type FileDigest, flushFolder, readArchive } from "./ArchiveFile.ts"
import { closeMonths, ledgerJournal } from "./closeMonths.ts"
import { beforeMonth, type Closing, EntryCheck } from "./EntryCheck.ts"
import { LedgerFailure, ledgerFailure } from "./LedgerFailure.ts"
import { longTransaction } from "./LongTransaction.ts"
import { type ClosedMonth, closedMonths, closingsOf, readLines } from "./StoredMonths.ts"

/** Which months of the ledger are archived, and where. */
export interface ArchiveOptions {
  /** Months before this one: `2026-01`. */
  readonly before: string
  readonly folder: string
  /** Whether to drop the tables of archived months, after the file is verified once more. */
  readonly drop: boolean
  /** Called before each step on a month. */
  readonly onStep?: ((step: string) => void) | undefined
}

/** What was done to a month. */
export interface ArchivedMonth extends FileDigest {
  readonly month: string
  readonly file: string
  readonly entries: number
  /** Whether it was archived now, or before. */
  readonly archived: boolean
  /** Whether its table was dropped now. */
  readonly dropped: boolean
}

type Work<A> = Effect.Effect<A, LedgerFailure | SqlError, SqlClient.SqlClient>

/** Archives all closed months before a month, oldest first. It stops at the first one that cannot be archived. */
export const archiveLedger = (options: ArchiveOptions): Work<ReadonlyArray<ArchivedMonth>> =>
  Effect.gen(function* () {
    const { before, drop, folder, onStep = () => {} } = options
    yield* tryFiles(() => mkdir(folder, { recursive: true }))
    yield* makeMonths(ledgerJournal)
    yield* closeMonths("0")
    yield* checkClosed(before)
    const done: Array<ArchivedMonth> = []
    for (const closed of yield* closedMonths) {
      const { month } = closed
      if (month >= before || closed.is_dropped || (closed.is_archived && !drop)) continue
      if (!closed.is_archived) onStep(`archiving ${month}`)
      const { bytes, file, sha256 } = closed.is_archived ? (closed as Filed) : yield* archiveMonth(closed, folder)
      if (drop) {
        onStep(`verifying ${file} once more, then dropping the table of ${month}`)
        yield* dropMonth({ ...closed, bytes, file, sha256 }, folder)
      }
      done.push({ month, file, entries: closed.entries, bytes, sha256, archived: !closed.is_archived, dropped: drop })
    }
    return done
  })

type Filed = ClosedMonth & FileDigest & { readonly file: string }

/** Fails if a month before the given one still takes entries. */
const checkClosed = (before: string): Work<void> =>
  longTransaction((sql) =>
    Effect.gen(function* () {
      const [open] = yield* sql<{ readonly month: string | null }>`
        SELECT to_char(min(month), 'YYYY-MM') AS month FROM (
          SELECT month FROM ${monthsOf(sql, ledgerJournal)}
          UNION SELECT created_at::date FROM postcode.ledger_entries_default
          EXCEPT SELECT month FROM postcode.ledger_months WHERE closed_at IS NOT NULL
        ) AS open WHERE month < to_date(${before}, 'YYYY-MM')`
      const month = open?.month ?? undefined
      if (month === undefined) return
      return yield* Effect.fail(
        new LedgerFailure(
          `${month} is not closed: a month closes a day after its end. If it is over, try again in a minute`
        )
      )
    })
  )

/** `2025-12` → `2026-01` */
export const monthAfter = (month: string): string => {
  const [year = 0, number = 0] = month.split("-").map(Number)
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7)
}

const archiveMonth = (closed: ClosedMonth, folder: string): Work<Filed> =>
  Effect.gen(function* () {
    const { month } = closed
    const file = fileOf(month)
    const path = join(folder, file)
    // A name of its own, so that two commands at the same time cannot write to one file.
    const partial = `${path}.${randomUUID()}.partial`
    const digest = yield* Effect.gen(function* () {
      const digest = yield* writeMonth(month, partial)
      yield* checkFile(partial, { ...closed, ...digest, file })
      yield* tryFiles(() => putInPlace(partial, path, digest))
      return digest
    }).pipe(Effect.ensuring(Effect.promise(() => rm(partial, { force: true }))))
    yield* detach(closed, { file, ...digest })
    return { ...closed, file, ...digest }
  })

/** The name of a month's file. */
export const fileOf = (month: string): string => `ledger-${month}.jsonl.gz`

const tableOf = (month: string): string => `ledger_entries_${month.replace("-", "_")}`

/** Writes the entries of a closed month. */
const writeMonth = (month: string, path: string): Work<FileDigest> =>
  longTransaction((sql) =>
    Effect.gen(function* () {
      const writer = new ArchiveWriter(path)
      const write = readLines(sql, `postcode.${tableOf(month)}`, (lines) => writer.write(lines))
      yield* Effect.onError(write, () => Effect.promise(() => writer.abandon()))
      return yield* tryFiles(() => writer.close())
    })
  )

/** Reads a file, and compares it with its checksum, with the closings of its month, and with the number of entries. */
const checkFile = (path: string, { bytes, entries, file, month, sha256 }: Filed): Work<void> =>
  Effect.gen(function* () {
    const closings = yield* longTransaction((sql) => closingsOf(sql, month))
    const check = new EntryCheck(beforeMonth(closings))
    const read = yield* tryFiles(() => readMonth(path, month, closings, check))
    if (read.sha256 !== sha256 || read.bytes !== bytes) check.report("the checksum differs")
    if (check.entries !== entries) check.report(`${check.entries} entries instead of ${entries}`)
    if (check.problems.length > 0) {
      return yield* Effect.fail(
        new LedgerFailure(`${file} is not the archive of its month: ${check.problems.join("; ")}`)
      )
    }
  })

/** Checks the entries of a file as the next month. */
export const readMonth = async (
  path: string,
  month: string,
  closings: ReadonlyArray<Closing>,
  check: EntryCheck
): Promise<FileDigest> => {
  check.startMonth(month)
  const digest = await readArchive(path, (line) => check.add(line))
  check.endMonth(closings)
  return digest
}

/** Gives a verified file its name, and writes its checksum beside it, as `sha256sum` reads it. */
const putInPlace = async (partial: string, path: string, { sha256 }: FileDigest): Promise<void> => {
  const name = path.slice(path.lastIndexOf("/") + 1)
  const exists = await stat(path).then(
    () => true,
    () => false
  )
  if (exists) {
    // Left by a command that ended before it detached the month, or somebody else's.
    const { sha256: former } = await readArchive(path, () => {}).catch(() => ({ sha256: "" }))
    if (former !== sha256) {
      throw new LedgerFailure(`${path} exists with other content: choose another folder, or move it away`)
    }
  } else {
    await rename(partial, path)
  }
  await writeFile(`${path}.sha256`, `${sha256}  ${name}\n`, { flush: true })
  await flushFolder(path.slice(0, -name.length) || ".")
}

/** Detaches a month whose file is verified. Its table remains, and statements no longer list its entries. */
const detach = ({ entries, month }: ClosedMonth, { bytes, file, sha256 }: FileDigest & { readonly file: string }) =>
  whenFree(
    longTransaction((sql) =>
      Effect.gen(function* () {
        const [open] = yield* sql`SELECT month FROM postcode.ledger_months
          WHERE month = to_date(${month}, 'YYYY-MM') AND archived_at IS NULL FOR UPDATE`
        if (open === undefined) return yield* Effect.fail(new LedgerFailure(`another command has archived ${month}`))
        const run = (statement: string) => sql.unsafe(statement).unprepared
        yield* run("SET LOCAL lock_timeout = '200ms'")
        yield* run(`ALTER TABLE postcode.ledger_entries DETACH PARTITION postcode.${tableOf(month)}`)
        yield* sql`UPDATE postcode.ledger_months
          SET file = ${file}, sha256 = ${sha256}, bytes = ${bytes}::float8::bigint, archived_at = clock_timestamp()
          WHERE month = to_date(${month}, 'YYYY-MM')`
        // An entry of an archived month, by a clock that was set back, would otherwise go to the default partition.
        const [latest] = yield* sql<{ readonly month: string }>`
          SELECT to_char(max(month), 'YYYY-MM') AS month FROM postcode.ledger_months WHERE archived_at IS NOT NULL`
        yield* run("ALTER TABLE postcode.ledger_entries_default DROP CONSTRAINT IF EXISTS archived")
        yield* run(`ALTER TABLE postcode.ledger_entries_default
          ADD CONSTRAINT archived CHECK (created_at >= '${monthAfter(latest?.month ?? month)}-01 00:00:00+00')`)
        yield* noteEvent(sql, "ledger.month_archived", month, { file, entries, bytes, sha256 })
      })
    )
  )

/** Drops the table of an archived month, after its file is verified once more. */
const dropMonth = (closed: Filed, folder: string): Work<void> =>
  Effect.andThen(
    checkFile(join(folder, closed.file), closed),
    whenFree(
      longTransaction((sql) =>
        Effect.gen(function* () {
          const { file, month } = closed
          yield* sql.unsafe(`DROP TABLE IF EXISTS postcode.${tableOf(month)}`).unprepared
          yield* sql`UPDATE postcode.ledger_months SET dropped_at = clock_timestamp()
            WHERE month = to_date(${month}, 'YYYY-MM')`
          yield* noteEvent(sql, "ledger.month_dropped", month, { file })
        })
      )
    )
  )

const noteEvent = (
  sql: SqlClient.SqlClient,
  action: AuditAction,
  subject: string,
  details: Readonly<Record<string, string | number>>
) => sql`INSERT INTO postcode.audit_events (organization_id, number, id, at, actor, action, subject, details)
  VALUES ('', ${newRowNumber()}, ${newEventId()}, now(), 'command', ${action}, ${subject}, ${JSON.stringify(details)}::json)`

/**
 * Repeats work that waits for a table. Charges wait behind it, so each attempt is short, and the next follows two seconds
 * later.
 */
const whenFree = <R>(work: Effect.Effect<void, LedgerFailure | SqlError, R>, attempts = 30): typeof work =>
  Effect.catchIf(
    work,
    (error) => error._tag === "SqlError" && error.reason._tag === "LockTimeoutError",
    () => (attempts > 1 ? Effect.andThen(Effect.sleep(2_000), whenFree(work, attempts - 1)) : Effect.fail(notFree))
  )

const notFree = new LedgerFailure(
  "another transaction reads the ledger, such as a backup or 'postcode ledger verify': repeat this command when it has ended"
)

const tryFiles = <A>(work: () => Promise<A>): Effect.Effect<A, LedgerFailure> =>
  Effect.tryPromise({ try: work, catch: ledgerFailure })
