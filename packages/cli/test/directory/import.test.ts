import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { demoPlacesCsv, demoUnitsCsv } from "@postcode/demo"
import { makeTestDatabase } from "@postcode/drills/postgres"
import { ended, start } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { afterAll, expect, it } from "vitest"
import { queriesOf } from "../Queries.ts"
import { run } from "../RunCommand.ts"

const database = await makeTestDatabase()
afterAll(database.drop)
const env = { DATABASE_URL: database.url }
const query = queriesOf(database.url)

const importing = (path: string, ...flags: ReadonlyArray<string>) => run(["import", path, ...flags], { env })

const [header = "", firstRow = ""] = smallDirectory["units.csv"].split(/(?<=\n)/)
const unit = (number: number, status = "active"): string =>
  `LA-12-A03-BG-${String(number).padStart(2, "0")},6.6,3.35,${status},,,,,,\n`

const units = (...rows: ReadonlyArray<string>): string => header + rows.join("")

it("loads a directory, with its result on standard output and its progress on standard error", async () => {
  await using folder = await temporaryFolder()
  await writeFiles(folder.path, { ...smallDirectory, "units.csv": units(firstRow, unit(8), unit(9, "retired")) })
  const { code, stderr, stdout } = await importing(folder.path, "--data-version", "2026-1", "--data-date", "2026-01-31")
  expect(stderr).toMatch(
    /^reading .*: 3 units in .*\nindexing: 3 units in .*\nchanges: 3 added, 0 moved, .*\npublishing: .* bytes in .*\nedition 1 is current\n$/
  )
  expect({ code, stdout: stdout.replaceAll(/ {2,}/g, " ") }).toEqual({
    code: 0,
    stdout:
      "outcome imported\nedition 1\ndata version 2026-1\ndata date 2026-01-31\nunits 3\nactive 2\nbad rows 0\n" +
      "added 3\nmoved 0\nretired 0\nreactivated 0\nremoved 0\nunchanged 0\n"
  })
  const again = await importing(folder.path, "--json")
  expect(again).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /edition 1 was made from these files and is current: nothing to do without --force\n$/
    )
  })
  expect(JSON.parse(again.stdout)).toEqual({
    outcome: "unchanged",
    edition: 1,
    data_version: "2026-1",
    data_date: "2026-01-31"
  })
})

it("reads compressed files, and shows in a dry run what would change", async () => {
  await using folder = await temporaryFolder()
  await writeFiles(folder.path, {
    "places.csv.gz": gzipSync(smallDirectory["places.csv"]),
    "units.csv.gz": gzipSync(units(firstRow, unit(8, "retired"), unit(10)))
  })
  const { code, stderr, stdout } = await importing(folder.path, "--dry-run", "--json", "--data-version", "2026-2")
  expect(stderr).toMatch(/\nnothing was written\n$/)
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 0,
    outcome: "checked",
    edition: null,
    units: 3,
    active_units: 2,
    bad_rows: 0,
    changes: { added: 1, moved: 0, retired: 1, reactivated: 0, removed: 1, unchanged: 1 }
  })
})

it("refuses files with a bad row, and skips bad rows only with the flag", async () => {
  await using folder = await temporaryFolder()
  await writeFiles(folder.path, { ...smallDirectory, "units.csv": units(firstRow, unit(8, "lost"), firstRow) })
  const reports = [
    'units.csv:3: status: expected active or retired, found "lost"',
    "units.csv:4: postcode: repeats LA-12-A03-BG-07 of line 2"
  ]
  const refused = await importing(folder.path)
  expect(refused).toMatchObject({ code: 1, stdout: "" })
  expect(refused.stderr.split("\n").filter((line) => /^\w+\.csv:/.test(line))).toEqual(reports)
  expect(refused.stderr).toMatch(/\nerror: .* was not imported: 2 bad rows\n$/)
  const taken = await importing(folder.path, "--skip-bad-rows", "--allow-removals", "1", "--json")
  expect(JSON.parse(taken.stdout)).toMatchObject({ outcome: "imported", units: 1, bad_rows: 2 })
  expect(taken.stderr).toMatch(/\n2 bad rows left out; edition \d+ is current\n$/)
})

it("reports a missing or unavailable database with its exit code, and never shows a password", async () => {
  await using folder = await temporaryFolder()
  await writeFiles(folder.path, smallDirectory)
  expect(await run(["import", folder.path])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: a database is needed: .*--database-url.*--data/)
  })
  const away = new URL(database.url)
  away.port = "1"
  away.password = "hunter2"
  const unreachable = await run(["import", folder.path, "--database-url", away.href])
  expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringMatching(/no database responds at .*:1: /) })
  expect(unreachable.stderr).not.toContain("hunter2")
  const nothing = join(folder.path, "nothing")
  await mkdir(nothing)
  expect(await importing(nothing)).toMatchObject({
    code: 1,
    stderr: `error: ${nothing} has no units.csv, .xlsx or .geojson: expected a folder with places.csv and units.csv; it is empty\n`
  })
})

it("ends with 130 at Ctrl-C, and nothing has changed", async () => {
  await using folder = await temporaryFolder()
  await writeFiles(folder.path, {
    "places.csv": demoPlacesCsv(),
    "units.csv": [...demoUnitsCsv({ units: 100_000, seed: 1 })].map(({ text }) => text).join("")
  })
  const count = async (what: string) => (await query(`SELECT 1 FROM ${what}`)).length
  const before = await count("postcode.directory_editions")
  const child = start(["import", folder.path], { env })
  const end = ended(child)
  await expect.poll(() => count("pg_stat_progress_copy"), { interval: 5 }).toBe(1)
  child.kill("SIGINT")
  expect(await end).toMatchObject({ code: 130, stdout: "" })
  expect(await count("postcode.directory_editions")).toBe(before)
})

it("reports an import in doubt after Ctrl-C during the commit", async () => {
  await using folder = await temporaryFolder()
  await writeFiles(folder.path, { ...smallDirectory, "units.csv": units(firstRow, unit(20)) })
  await query(`CREATE FUNCTION take_time() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(20); RETURN NULL; END'`)
  await query(`CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON postcode.directory_editions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION take_time()`)
  const child = start(["import", folder.path], { env })
  const end = ended(child)
  const committing = "SELECT 1 FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active'"
  await expect.poll(() => query(committing)).toHaveLength(1)
  child.kill("SIGINT")
  const { code, stderr } = await end
  expect(code).toBe(130)
  expect(stderr).toMatch(/^warning: edition \d+ may or may not be current: .*; run the import again$/m)
  await query("DROP FUNCTION take_time CASCADE")
})

it("warns of addresses that repeat, and stores the warning with the edition", async () => {
  await using folder = await temporaryFolder()
  const at = (number: number, lat: number, address: string) =>
    `LA-12-A03-BG-${number},${lat},3.35,active,Alausa,"${address}",,,,\n`
  const rows = [
    at(10, 6.6, "12 Allen Avenue, Ikeja"),
    at(11, 6.7, "12, ALLEN avenue Ikeja"),
    at(12, 6.6, "13 Allen Avenue")
  ]
  await writeFiles(folder.path, { ...smallDirectory, "units.csv": units(...rows) })
  const { code, stderr } = await importing(folder.path, "--data-version", "repeated", "--allow-removals", "all")
  expect(stderr).toMatch(/\nwarning: 1 repeated_address, the address of another unit: line of units.csv 3\n/)
  expect(code).toBe(0)
  const [stored] = await query("SELECT warnings FROM postcode.directory_editions WHERE is_current")
  const first = [{ line: 3, postcode: "LA-12-A03-BG-11", detail: "the address of LA-12-A03-BG-10, 11.1 km away" }]
  expect(stored).toMatchObject({ warnings: expect.arrayContaining([{ kind: "repeated_address", count: 1, first }]) })
})
