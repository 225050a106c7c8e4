/** What an import accepts, refuses and leaves in the database. */
import { toE7 } from "@postcode/core/Coordinate"
import { DirectoryReader, requiredUnitColumns } from "@postcode/core/Csv"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { makeMigratedDatabase, startTcpProxy, type TestDatabase, textInput } from "@postcode/drills/postgres"
import { type DirectoryInput, type ImportOptions, type ImportResult, importDirectory } from "@postcode/postgres"
import fc from "fast-check"
import { Client } from "pg"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { explainFailure } from "../../../src/directory/editions/ImportFailure.ts"

let database: TestDatabase
let client: Client

beforeEach(async () => {
  database = await makeMigratedDatabase()
  client = new Client({ connectionString: database.url })
  await client.connect()
})

afterEach(async () => {
  await client.end()
  await database.drop()
})

/** Without the optional column. */
const unitsHeader = `${requiredUnitColumns}\n`

const places = "code,name,zone\nLA,Lagos,South West\nLA-12,Ikeja,\n"

const row = (number: number, more = "6.6,3.35,active,,,,,,"): string =>
  `LA-12-A03-BG-${String(number).padStart(2, "0")},${more}\n`

/** A file with units of these numbers. */
const file = (...numbers: ReadonlyArray<number>): string => unitsHeader + numbers.map((number) => row(number)).join("")

interface Outcome {
  readonly result: ImportResult
  readonly bad: ReadonlyArray<string>
}

const runImport = async (input: DirectoryInput | string, options: Partial<ImportOptions> = {}): Promise<Outcome> => {
  const bad: Array<string> = []
  const result = await importDirectory(typeof input === "string" ? textInput(places, input) : input, {
    url: database.url,
    dayOfFiles: "2026-01-31",
    // One of a few units is more than 1 %.
    removals: "all",
    onBadRow: ({ file, line, reason }) => bad.push(`${file}.csv:${line}: ${reason}`),
    ...options
  })
  return { result, bad }
}

const query = async (statement: string): Promise<ReadonlyArray<Record<string, unknown>>> =>
  (await client.query<Record<string, unknown>>(statement)).rows

/** The tables of units. */
const unitsTables = async () =>
  (await query("SELECT tablename FROM pg_tables WHERE tablename ~ '^units_' ORDER BY 1")).map(
    ({ tablename }) => tablename
  )

const editions = () => query("SELECT edition, version, is_current FROM postcode.directory_editions ORDER BY edition")

const unchanged = { added: 0, removed: 0, retired: 0, reactivated: 0, moved: 0, unchanged: 0 }

describe("an import", () => {
  it("stores a directory, and returns its contents and its changes", async () => {
    const { result } = await runImport(file(1, 2, 3), { version: "2026-1", date: "2026-02-01" })
    expect(result).toMatchObject({
      outcome: "imported",
      edition: 1,
      version: "2026-1",
      date: "2026-02-01",
      units: 3,
      activeUnits: 3,
      badRows: 0,
      difference: { ...unchanged, added: 3 }
    })
    const second = await runImport(
      unitsHeader +
        row(1) +
        row(2, "6.60001,3.35,active,Ikeja,,,,,") +
        row(3, "6.6,3.35,retired,,,,,,") +
        row(5, "6.6,3.36,retired,,,,,,")
    )
    expect(second.result).toMatchObject({
      edition: 2,
      difference: { ...unchanged, added: 1, moved: 1, retired: 1, unchanged: 1 }
    })
    const third = await runImport(unitsHeader + row(3) + row(4) + row(5, "6.6,3.36,active,,,,,,"))
    expect(third.result).toMatchObject({
      edition: 3,
      difference: { ...unchanged, added: 1, reactivated: 2, removed: 2 }
    })
    expect(await query("SELECT postcode FROM postcode.units_3 ORDER BY postcode")).toHaveLength(3)
  })

  it("has one audit entry for each new edition", async () => {
    await runImport(file(1, 2), { version: "2026-1", date: "2026-02-01", dryRun: true })
    await runImport(`${file(1)}nothing\n`)
    await runImport(file(1, 2), { version: "2026-1", date: "2026-02-01" })
    await runImport(file(1, 2))
    await runImport(`${file(2, 3)}nothing\n`, { version: "2026-2", date: "2026-03-01", skipBadRows: true })
    const events = await query(`SELECT id, at > now() - interval '1 minute' AS is_new, actor, action, subject,
      organization_id, details FROM postcode.audit_events ORDER BY number`)
    const noted = { is_new: true, actor: "command", action: "directory.imported", organization_id: "" }
    const counts = { moved: 0, retired: 0, reactivated: 0 }
    const first = { version: "2026-1", date: "2026-02-01", units: 2, active_units: 2, bad_rows: 0 }
    const second = { version: "2026-2", date: "2026-03-01", units: 2, active_units: 2, bad_rows: 1 }
    expect(events).toEqual([
      { id: expect.any(String), ...noted, subject: "1", details: { ...first, ...counts, added: 2, removed: 0 } },
      { id: expect.any(String), ...noted, subject: "2", details: { ...second, ...counts, added: 1, removed: 1 } }
    ])
    for (const { id } of events) expect(id).toMatch(/^evt_[0-9A-Za-z]{20}$/)
  })

  it("keeps the previous edition for replicas that still use it, and drops older ones", async () => {
    for (const version of ["a", "b", "c", "d"]) await runImport(file(1, 2), { version })
    expect(await unitsTables()).toEqual(["units_3", "units_4"])
    expect(await editions()).toEqual([
      { edition: 3, version: "c", is_current: false },
      { edition: 4, version: "d", is_current: true }
    ])
    expect(await query("SELECT DISTINCT edition FROM postcode.directory_snapshots")).toHaveLength(2)
  })

  it("leaves an old edition that is being read to the next import", async () => {
    for (const version of ["a", "b"]) await runImport(file(1), { version })
    await client.query("BEGIN; SELECT * FROM postcode.units_1")
    expect((await runImport(file(1), { version: "c" })).result.outcome).toBe("imported")
    await client.query("COMMIT")
    expect(await unitsTables()).toEqual(["units_1", "units_2", "units_3"])
    await runImport(file(1), { version: "d" })
    expect(await unitsTables()).toEqual(["units_3", "units_4"])
  })

  it("does nothing if the same files are already current, unless forced", async () => {
    const first = await runImport(file(1, 2))
    expect(first.result.outcome).toBe("imported")
    expect((await runImport(file(1, 2))).result).toMatchObject({ outcome: "unchanged", edition: 1 })
    expect((await runImport(file(1, 2), { dayOfFiles: "2027-01-01" })).result.outcome).toBe("unchanged")
    expect((await runImport(file(1, 2), { dryRun: true })).result.outcome).toBe("unchanged")
    expect(await unitsTables()).toEqual(["units_1"])
    expect((await runImport(file(1, 2), { version: "2026-2" })).result.outcome).toBe("imported")
    expect((await runImport(file(1, 2), { version: "2026-2", force: true })).result).toMatchObject({ edition: 3 })
  })

  it("checks everything and stores nothing in a dry run, not even the schema", async () => {
    await client.query("DROP SCHEMA postcode CASCADE")
    const dry = await runImport(unitsHeader + row(1) + row(2, "6,3,lost,,,,,,"), { dryRun: true })
    expect(dry).toMatchObject({ result: { outcome: "refused", badRows: 1 } })
    expect((await runImport(file(1), { dryRun: true })).result).toMatchObject({
      outcome: "checked",
      units: 1,
      difference: { ...unchanged, added: 1 }
    })
    expect(await query("SELECT FROM pg_namespace WHERE nspname = 'postcode'")).toHaveLength(0)
    await runImport(file(1))
    expect((await runImport(file(2), { dryRun: true })).result).toMatchObject({
      difference: { ...unchanged, added: 1, removed: 1 }
    })
    expect(await editions()).toHaveLength(1)
  })
})

describe("bad rows", () => {
  const bad = `${unitsHeader + row(1) + row(2, "6,181,active,,,,,,") + row(1) + row(3)}LA,1\n`
  const reports = [
    'units.csv:3: lon: expected a decimal number of degrees from -180 to 180, found "181"',
    "units.csv:6: expected 10 columns as in the header, found 2",
    "units.csv:4: postcode: repeats LA-12-A03-BG-01 of line 2"
  ]

  it("are all reported, and one is enough to refuse the files", async () => {
    await runImport(file(7))
    const refused = await runImport(bad)
    expect(refused).toEqual({ result: { outcome: "refused", badRows: 3 }, bad: reports })
    expect(await runImport(unitsHeader + row(1) + row(1))).toMatchObject({ result: { outcome: "refused", badRows: 1 } })
    expect(await runImport("postcode,lat\n")).toMatchObject({ result: { outcome: "refused", badRows: 1 } })
    expect(await unitsTables()).toEqual(["units_1"])
    expect(await editions()).toMatchObject([{ edition: 1, is_current: true }])
  })

  it("are skipped on request: of rows with the same postcode, all except the first", async () => {
    const repeated = bad + row(3, "7,4,retired,Elsewhere,,,,,")
    const { bad: found, result } = await runImport(repeated, { skipBadRows: true })
    expect(result).toMatchObject({ outcome: "imported", units: 2, badRows: 4 })
    expect([...found].sort()).toEqual([...reports, "units.csv:7: postcode: repeats LA-12-A03-BG-03 of line 5"].sort())
    expect(await query("SELECT postcode, lat, status, locality_name FROM postcode.units_1 ORDER BY postcode")).toEqual([
      { postcode: "LA-12-A03-BG-01", lat: 6.6, status: "active", locality_name: null },
      { postcode: "LA-12-A03-BG-03", lat: 6.6, status: "active", locality_name: null }
    ])
  })

  it("are found before the server would refuse them without a line number", async () => {
    const { bad: found } = await runImport({
      places: textInput("code,name,zone\nLA,La\0gos,\n", "").places,
      units: textInput("", unitsHeader + row(1, "6,3,active,a\0b,,,,,") + row(2, '6,3,active,,,"\0",,,')).units
    })
    expect([...found].sort()).toEqual([
      "places.csv:2: name: expected text, found a NUL character",
      "units.csv:2: locality_name: expected text, found a NUL character",
      "units.csv:3: building_use_status: expected text, found a NUL character"
    ])
  })
})

describe("the rows in the database", () => {
  const texts = fc.string({
    unit: fc.constantFrom(..."ab \\.N\"',\r\n\t;|é̀😀\u0001", '""', "\\.", "\r\n"),
    maxLength: 8
  })
  const flags = fc.constantFrom("true", "false", "")
  const quoted = (text: string, always: boolean) =>
    always || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  const lines = fc.array(
    fc.tuple(
      fc.array(texts, { minLength: 5, maxLength: 5 }),
      flags,
      fc.boolean(),
      fc.constantFrom("-", " ", ""),
      fc.boolean(),
      fc.constantFrom("\n", "\r\n"),
      fc.constantFrom("6.5", "+6.50", "-0", "06.123456789012345678901", "6.00000005", "-89.9999999")
    ),
    { minLength: 300, maxLength: 300 }
  )

  /** All kinds of valid rows, with columns in another order and additional columns. */
  const random = (isShuffled: boolean) => {
    const [sample] = fc.sample(lines, { seed: 31, numRuns: 1 })
    const order = isShuffled ? [9, 3, 11, 0, 10, 5, 4, 2, 1, 8, 6, 7] : [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    const names = [...requiredUnitColumns, "replaced_by", "remark"]
    const all = (sample ?? []).map(([described, flag, isQuoted, separator, isLower, lineEnd, lat], index) => {
      const code = ["LA", "12", "A03", String.fromCharCode(65 + index / 100, 90), String(index % 100).padStart(2, "0")]
      const postcode = code.join(separator)
      const status = index % 3 === 0 ? "retired" : "active"
      const successor = index % 6 === 0 ? ["KN", "10", "A03", "AA", "01"].join(separator).toLowerCase() : ""
      const written = isLower ? postcode.toLowerCase() : postcode
      const fields = [written, lat, "3.35", status, ...described, flag, successor, 'a,\n"b']
      return order.map((column) => quoted(fields[column] ?? "", isQuoted)).join(",") + lineEnd
    })
    return `\ufeff${order.map((column) => names[column]).join(",")}\r\n${all.join("\n")}`
  }

  for (const isShuffled of [false, true]) {
    it(`are the checked ones${isShuffled ? ", in any order of columns" : ""}`, async () => {
      const text = random(isShuffled)
      const seen: Array<UnitAttributes> = []
      const reader = new DirectoryReader({ onAttributes: (_, attributes) => seen.push(attributes) })
      reader.writePlaces(places)
      reader.writeUnits(text)
      const read = reader.finish()
      if (!read.ok) throw new Error("the sample has bad rows")
      const { result } = await runImport(text)
      expect(result).toMatchObject({ outcome: "imported", units: 300, badRows: 0 })
      const rows = await query("SELECT * FROM postcode.units_1 ORDER BY postcode")
      expect(rows).toHaveLength(300)
      for (const [id, { lat, lon, postcode, replaced_by, status, ...attributes }] of rows.entries()) {
        const { directory } = read
        expect(postcode).toBe(directory.postcodeAt(id))
        // As a number, because the sign of 0 is irrelevant.
        expect(toE7(lat as number) === toE7(directory.coordinateAt(id).lat)).toBe(true)
        expect(lon).toBe(3.35)
        expect(status).toBe(directory.isActive(id) ? "active" : "retired")
        expect(replaced_by).toBe(directory.replacedBy(directory.postcodeAt(id)) ?? null)
        const known = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))
        expect(known).toEqual(seen[read.rowOfUnit[id] as number])
      }
    })
  }
})

describe("an import that cannot be done", () => {
  const failing = (options: Partial<ImportOptions>) => runImport(file(1), options).then(() => "", String)

  it("fails with the reason", async () => {
    const address = new URL(database.url)
    address.port = "1"
    expect(await failing({ url: address.href })).toMatch(
      /^ImportFailure: no database responds at .*:1: connect ECONNREFUSED/
    )
    const nowhere = new URL(database.url)
    nowhere.pathname = "/nowhere"
    expect(await failing({ url: nowhere.href })).toMatch(/has no database nowhere: create it first/)
    await client.query("DROP SCHEMA postcode CASCADE")
    await client.query("CREATE SCHEMA postcode; CREATE TABLE postcode.organizations ()")
    expect(await failing({})).toBe(
      'ImportFailure: Migration "1_baseline" failed: relation "organizations" already exists'
    )
    await client.query("DROP SCHEMA postcode CASCADE")
    await client.query(`DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN PASSWORD 'secret'`)
    const reader = new URL(database.url)
    reader.username = "reader"
    expect(await failing({ url: reader.href })).toMatch(
      /^ImportFailure: user reader lacks a permission: permission denied/
    )
    await client.query("DROP ROLE reader")
  })

  it.each([
    ["28P01", /^the database at db:5432 does not let user me in: words of the server$/],
    ["53100", /^the database has no space left: words of the server; nothing was changed$/],
    ["57P01", /^the database failed, and nothing was changed: words of the server$/],
    ["ECONNRESET", /^no database responds at db:5432: words of the server$/]
  ])("repeats what the server said, with what it means: %s", (code, expected) => {
    const said = Object.assign(new Error("words of the server"), { code })
    const explained = explainFailure(said, "postgresql://me:secret@db:5432/postcode") as Error
    expect(explained.message).toMatch(expected)
    expect(explained.cause).toBe(said)
    const other = new Error("a fault of the program")
    expect(explainFailure(other, "postgresql://me@db/postcode")).toBe(other)
  })

  it("does not show a malformed address, because it may contain a password", () => {
    const said = Object.assign(new Error("words of the server"), { code: "28P01" })
    for (const url of ["postgresql://me:secret@/postcode", "postgresql://100%:secret@db:5432/postcode"]) {
      const { message } = explainFailure(said, url) as Error
      expect(message).toMatch(/^the database at .* does not let .* in: words of the server$/)
      expect(message).not.toContain("secret")
    }
    expect(String(explainFailure(said, "postgresql://100%:secret@db/postcode"))).toContain("user 100%")
  })

  it("names the running import, and does not stop it", async () => {
    await runImport(file(1))
    let [begin, proceed] = [(): void => {}, (): void => {}]
    const atWork = new Promise<void>((resolve) => {
      begin = resolve
    })
    const gate = new Promise<void>((resolve) => {
      proceed = resolve
    })
    const slow: DirectoryInput = {
      places: textInput(places, "").places,
      units: async function* () {
        // Read with the lock of the import, which the previous one may hold briefly after its end.
        begin()
        yield Buffer.from(unitsHeader + row(2))
        await gate
        yield Buffer.from(row(3))
      }
    }
    const first = runImport(slow)
    await atWork
    expect(await failing({})).toMatch(
      /^ImportFailure: another import is running: process \d+ of the database, connected/
    )
    proceed()
    expect((await first).result).toMatchObject({ outcome: "imported", edition: 2, units: 2 })
  })

  it("leaves nothing if it would take too much away, and fails before it stores the snapshot", async () => {
    await runImport(file(1, 2))
    const before = await editions()
    const published: Array<number> = []
    const refused = runImport(file(1), {
      removals: undefined,
      watch: { onPublishing: (done_bytes) => published.push(done_bytes) }
    })
    await expect(refused).rejects.toThrow(/^it would remove 1, retire 0 and move 0 .* of 2 active units$/)
    expect(published).toEqual([])
    expect(await editions()).toEqual(before)
    expect(await unitsTables()).toEqual(["units_1"])
    expect(await query("SELECT subject FROM postcode.audit_events")).toEqual([{ subject: "1" }])
    // The server may end the connection a moment later.
    const held = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()"
    await expect.poll(() => query(held)).toEqual([])
    expect((await runImport(file(1), { removals: 1 })).result).toMatchObject({ outcome: "imported", edition: 2 })
  })

  it("changes nothing if it is interrupted, and can be repeated", async () => {
    await runImport(file(1))
    const controller = new AbortController()
    const endless: DirectoryInput = {
      places: textInput(places, "").places,
      units: async function* () {
        yield Buffer.from(unitsHeader)
        for (let number = 0; ; number++) {
          if (number === 50) controller.abort(new Error("stopped"))
          yield Buffer.from(row(number % 100))
        }
      }
    }
    await expect(runImport(endless, { signal: controller.signal })).rejects.toThrow("stopped")
    expect(await editions()).toMatchObject([{ edition: 1, is_current: true }])
    expect((await runImport(file(1, 2))).result).toMatchObject({ outcome: "imported", edition: 2 })
    expect(await unitsTables()).toEqual(["units_1", "units_2"])
  })
})

describe("an import whose connection breaks at its end", () => {
  const proxied = async () => {
    const proxy = await startTcpProxy(database.url)
    onTestFinished(() => proxy.close())
    return proxy
  }

  it("succeeds if only old editions remain to be dropped, and reports that", async () => {
    for (const version of ["a", "b"]) await runImport(file(1), { version })
    const proxy = await proxied()
    proxy.lose("DROP TABLE", "breaks")
    const leftOver: Array<string> = []
    const watch = { onLeftOver: (reason: string) => leftOver.push(reason) }
    const { result } = await runImport(file(1), { url: proxy.url, version: "c", watch })
    expect(proxy.lost()).toBe(1)
    expect(result).toMatchObject({ outcome: "imported", edition: 3 })
    expect(leftOver).toEqual([expect.stringMatching(/connection/i)])
    await runImport(file(1), { version: "d" })
    expect(await unitsTables()).toEqual(["units_3", "units_4"])
  })

  for (const end of ["breaks", "is interrupted"]) {
    it(`is in doubt if it ${end} during the commit`, async () => {
      await runImport(file(1))
      const proxy = await proxied()
      const controller = new AbortController()
      const imported = runImport(file(1, 2), {
        url: proxy.url,
        signal: controller.signal,
        watch: { onPublishing: () => proxy.lose("COMMIT", end === "breaks" ? "breaks" : "stays silent") }
      })
      const failed = imported.then(() => "", String)
      await expect.poll(() => proxy.lost()).toBe(1)
      controller.abort(new Error("stopped"))
      expect(await failed).toMatch(/^ImportInDoubt: edition 2 may or may not be current: /)
      expect(await editions()).toMatchObject([{ is_current: false }, { edition: 2, is_current: true }])
      expect((await runImport(file(1, 2))).result).toMatchObject({ outcome: "unchanged", edition: 2 })
    })
  }
})
