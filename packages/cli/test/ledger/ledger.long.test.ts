/** `postcode ledger archive` and `verify` as processes: killed, on a large month, and on damaged files. */
import { existsSync } from "node:fs"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { connectToAddress, makeMigratedDatabase } from "@postcode/drills/postgres"
import { ended, runProcess, start } from "@postcode/drills/StartCommand"
import { temporaryFolder } from "@postcode/drills/TemporaryFolder"
import { afterAll, expect, it } from "vitest"
import { queriesOf } from "../Queries.ts"

const database = await makeMigratedDatabase()
afterAll(database.drop)
const query = queriesOf(database.url)
const env = { DATABASE_URL: database.url }

const entries = 100_000

/** `2026-01`, this number of months ago. */
const monthsAgo = (months: number): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 7)
}
const month = monthsAgo(2)
const archived = ["ledger", "archive", "--before", monthsAgo(0), "--json"]

/** An organization whose ledger has entries of two months ago. */
const growLedger = async (): Promise<void> => {
  await query(`INSERT INTO postcode.organizations (id, number, name, granted_level, kyb_status, created_at)
    VALUES ('org_a', 1, 'A', 3, 'verified', now())`)
  await query(`INSERT INTO postcode.credit_accounts (organization_id, environment, balance, entries)
    VALUES ('org_a', 'test', 0, 0), ('org_a', 'live', ${entries}, ${entries})`)
  await query(`INSERT INTO postcode.ledger_entries
      (organization_id, environment, number, id, amount, reason, reference, balance_after, created_at)
    SELECT 'org_a', 'live', n, 'ent_' || n, 1, 'opening', gen_random_uuid(), n, '${month}-10 12:00:00+00'
    FROM generate_series(1, ${entries}) AS n`)
}

const attached = () =>
  query(`SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE relname = 'ledger_entries_${month.replace("-", "_")}'`)

it("archives a month once, whenever it is killed, and proves it", { timeout: 400_000 }, async () => {
  await growLedger()
  await using folder = await temporaryFolder()
  const to = ["--to", folder.path]
  const file = join(folder.path, `ledger-${month}.jsonl.gz`)
  const verify = () => runProcess(["ledger", "verify", "--archive", folder.path, "--json"], { env })

  const nothing = await runProcess(["ledger", "archive", "--before", "2000-01", "--json", ...to], { env })
  expect(nothing).toMatchObject({ code: 0, stdout: expect.stringContaining('"months":[]') })
  // No month can be detached while it is read.
  const reader = await connectToAddress(database.url)
  await reader.query("BEGIN; LOCK TABLE postcode.ledger_entries IN ACCESS SHARE MODE")

  // While the file is written.
  const writing = start([...archived, ...to], { env })
  await expect.poll(() => readdir(folder.path), { timeout: 60_000 }).not.toEqual([])
  writing.kill("SIGKILL")
  await ended(writing)
  expect(await attached()).toHaveLength(1)
  expect(await verify()).toMatchObject({ code: 0 })

  // Between the file and the detachment.
  const detaching = start([...archived, ...to], { env })
  await expect.poll(() => existsSync(`${file}.sha256`), { timeout: 120_000 }).toBe(true)
  detaching.kill("SIGKILL")
  await ended(detaching)
  await reader.end()
  expect(await attached()).toHaveLength(1)
  const written = await readFile(file)
  expect(await verify()).toMatchObject({ code: 0 })

  const done = await runProcess([...archived, ...to], { env })
  expect(done).toMatchObject({ code: 0 })
  const first = { month, entries, archived: true, dropped: false, bytes: written.length }
  expect(JSON.parse(done.stdout)).toMatchObject({ months: [first] })
  expect(await attached()).toEqual([])
  expect(await readFile(file)).toEqual(written)
  const proof = await verify()
  expect(proof).toMatchObject({ code: 0 })
  expect(JSON.parse(proof.stdout)).toMatchObject({ entries, balances: { test: 0, live: entries }, problems: [] })

  await writeFile(file, written.subarray(0, written.length - 100))
  const damaged = await verify()
  expect(damaged).toMatchObject({ code: 1 })
  expect(damaged.stderr).toContain(`ledger-${month}.jsonl.gz`)
  const refused = await runProcess([...archived, ...to, "--drop"], { env })
  expect(refused).toMatchObject({ code: 1 })
  await writeFile(file, written)
  expect(await runProcess([...archived, ...to, "--drop"], { env })).toMatchObject({ code: 0 })
  expect(await query(`SELECT FROM pg_class WHERE relname = 'ledger_entries_${month.replace("-", "_")}'`)).toEqual([])
  expect(await verify()).toMatchObject({ code: 0 })
})
