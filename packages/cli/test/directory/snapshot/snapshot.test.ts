import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { lstat, mkdir, open, readdir, readFile, symlink, truncate, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { searchAddress } from "@postcode/core/AddressSearch"
import { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { runInto, start, startService } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { describe, expect, it } from "vitest"
import { run } from "../../RunCommand.ts"

const [header = "", firstRow = ""] = smallDirectory["units.csv"].split(/(?<=\n)/)
const unit = (number: number, status = "active"): string =>
  `LA-12-A03-BG-${String(number).padStart(2, "0")},6.6,3.35,${status},,,,,,\n`
const files = { ...smallDirectory, "units.csv": header + firstRow + unit(8) + unit(9, "retired") }

/** Builds `built.snapshot` in a folder, of the files in its folder `data`. */
const build = (folder: string, ...flags: ReadonlyArray<string>) =>
  run(["snapshot", "build", "data", "-o", "built.snapshot", ...flags], { cwd: folder })

const info = async (file: string) => JSON.parse((await run(["snapshot", "info", file, "--json"])).stdout)

describe("snapshot build", () => {
  it("writes one file, and prints its name on standard output and its progress on standard error", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(join(folder.path, "data"), files)
    const { code, stderr, stdout } = await build(folder.path)
    expect({ code, stdout }).toEqual({ code: 0, stdout: "built.snapshot\n" })
    expect(stderr).toMatch(
      /^reading data: 3 units in [\d.]+ s, [\d,]+ a second\nindexing: 3 units in .*\nwriting built\.snapshot: [\d,]+ bytes in .*\n$/
    )
    expect((await readdir(folder.path)).sort()).toEqual(["built.snapshot", "data"])
    const directory = Directory.open(await readFile(join(folder.path, "built.snapshot")))
    const status = (number: number) => directory.status(`LA-12-A03-BG-0${number}` as Postcode)
    expect([7, 8, 9, 1].map(status)).toEqual(["active", "active", "retired", "unknown"])
    expect(directory.lgas("LA")).toEqual([{ code: "12", name: "Ikeja" }])
  })

  it("reports the given version and date, by default a hash of the files and the date of the newer file", async () => {
    await using folder = await temporaryFolder()
    const data = join(folder.path, "data")
    await writeFiles(data, files)
    await utimes(join(data, "places.csv"), 0, new Date("2026-03-01T12:00:00Z"))
    await utimes(join(data, "units.csv"), 0, new Date("2026-02-28T12:00:00Z"))
    const untold = await build(folder.path, "--json")
    expect(JSON.parse(untold.stdout)).toEqual({
      file: "built.snapshot",
      data_version: expect.stringMatching(/^sha256-[0-9a-f]{12}$/),
      data_date: "2026-03-01",
      units: 3,
      active_units: 2,
      bad_rows: 0,
      warnings: {},
      addresses: false,
      size_bytes: (await readFile(join(folder.path, "built.snapshot"))).length
    })
    const told = await build(
      folder.path,
      "--json",
      "--force",
      "--data-version",
      "Édition 2026-1",
      "--data-date",
      "2026-01-31"
    )
    expect(JSON.parse(told.stdout)).toMatchObject({ data_version: "Édition 2026-1", data_date: "2026-01-31" })
  })

  it("has the addresses of units only with --addresses", async () => {
    await using folder = await temporaryFolder()
    const unit = "LA-12-A03-BG-07,6.6,3.35,active,Opagbe,7 Allen Avenue,,,,\n"
    await writeFiles(join(folder.path, "data"), { ...smallDirectory, "units.csv": header + unit })
    const file = join(folder.path, "built.snapshot")
    await build(folder.path)
    const without = await readFile(file)
    await build(folder.path, "--addresses", "--force")
    const whole = await readFile(file)
    const text = "7 allen avenue opagbe"
    expect(without.includes("allen")).toBe(false)
    expect(without.includes("Allen")).toBe(false)
    expect(searchAddress(Directory.open(without), text).code).toBe(null)
    expect(searchAddress(Directory.open(whole), text).code).toBe("LA-12-A03-BG-07")
  })

  it("makes the same file of the same data, compressed or not", async () => {
    await using folder = await temporaryFolder()
    const packed = { "places.csv.gz": gzipSync(files["places.csv"]), "units.csv.gz": gzipSync(files["units.csv"]) }
    const built = await Promise.all(
      [files, packed].map(async (data, index) => {
        const path = join(folder.path, String(index))
        await writeFiles(join(path, "data"), data)
        expect(await build(path, "--data-date", "2026-01-31")).toMatchObject({ code: 0 })
        return await readFile(join(path, "built.snapshot"))
      })
    )
    expect(built[0]?.equals(built[1] as Buffer)).toBe(true)
  })

  const badFiles = {
    "places.csv": `${files["places.csv"]}OG-01,Abeokuta North,\n`,
    "units.csv": `${files["units.csv"]}${unit(7)}LA-12-A03-BG-10,6.6,181,lost,,,,,,\n${"LA,6,3,active,,,,,,\n".repeat(25)}`
  }
  const lines = Array.from({ length: 20 }, (_, i) => 7 + i)
  const reports = [
    'units.csv:6: lon: expected a decimal number of degrees from -180 to 180, found "181"; status: expected active or retired, found "lost"',
    ...lines.slice(0, 19).map((line) => `units.csv:${line}: postcode: lga: expected 2 digits at position 2`),
    `units.csv: 25 rows: postcode: lga: expected 2 digits at position 2: lines ${lines.join(", ")} and 5 more`,
    'units.csv: 1 row: lon: expected a decimal number of degrees from -180 to 180, found "181"; status: expected active or retired, found "lost": line 6',
    "places.csv: 1 row: code: the state OG is missing; states come before their LGAs: line 4",
    "units.csv: 1 row: postcode: repeats LA-12-A03-BG-07 of line 2: line 5"
  ]

  it("builds nothing of files with a bad row, and reports the first by file, line and reason, and all by reason", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(join(folder.path, "data"), badFiles)
    const { code, stderr, stdout } = await build(folder.path)
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr.split("\n").filter((line) => /^\w+\.csv:/.test(line))).toEqual(reports)
    expect(stderr).toMatch(/\nerror: data was not read: 28 bad rows\n$/)
    expect(await readdir(folder.path)).toEqual(["data"])
  })

  it("skips bad rows only with the flag, and still reports them", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(join(folder.path, "data"), badFiles)
    const { code, stderr, stdout } = await build(folder.path, "--skip-bad-rows", "--json")
    expect(code).toBe(0)
    expect(
      stderr
        .split("\n")
        .filter((line) => /^\w+\.csv:/.test(line))
        .sort()
    ).toEqual([...reports].sort())
    expect(stderr).toContain("\n28 bad rows left out\n")
    expect(JSON.parse(stdout)).toMatchObject({ units: 3, bad_rows: 28 })
    expect(await info(join(folder.path, "built.snapshot"))).toMatchObject({ units: 3, active_units: 2, intact: true })
  })

  it("replaces a file only with --force, and refuses before it reads the directory", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, { "built.snapshot": "mine" })
    await mkdir(join(folder.path, "taken"))
    const says = async (output: string) => {
      const { code, stderr } = await run(["snapshot", "build", "data", "-o", output], { cwd: folder.path })
      return [code, stderr]
    }
    expect(await says("built.snapshot")).toEqual([
      1,
      "error: built.snapshot already exists: choose another name, or replace it with --force\n"
    ])
    expect(await says("taken")).toEqual([1, "error: taken is a folder: expected the name of a file\n"])
    const nowhere = join(folder.path, "nowhere")
    expect(await says("nowhere/built")).toEqual([
      1,
      `error: nowhere/built cannot be written: expected a folder ${nowhere} that may be written to\n`
    ])
    expect(await says("new")).toEqual([
      1,
      "error: there is no folder data: postcode demo data writes a demonstration directory\n"
    ])
    await writeFiles(join(folder.path, "data"), files)
    expect(await build(folder.path, "--force")).toMatchObject({ code: 0 })
    expect(await info(join(folder.path, "built.snapshot"))).toMatchObject({ units: 3 })
  })

  it("with --force, replaces neither a device nor a file that it reads, and writes to the target of a link", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(join(folder.path, "data"), files)
    await writeFiles(folder.path, { "real.snapshot": "old" })
    await symlink("real.snapshot", join(folder.path, "current"))
    const forced = (output: string) =>
      run(["snapshot", "build", "data", "-o", output, "--force"], { cwd: folder.path }).then(({ stderr }) => stderr)
    expect(await forced("/dev/null")).toContain("/dev/null is a device or the like, which cannot be replaced")
    expect(await forced("data/units.csv")).toContain("data/units.csv is one of the files to build from")
    await forced("current")
    expect((await lstat(join(folder.path, "current"))).isSymbolicLink()).toBe(true)
    expect(await info(join(folder.path, "real.snapshot"))).toMatchObject({ units: 3 })
  })

  it("that is interrupted ends with 130, leaves nothing behind, and what was there as it was", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(join(folder.path, "data"), files)
    await writeFiles(folder.path, { "built.snapshot": "mine" })
    // An endless row of zeros, which takes no room: it is reported at once, and read for a long time.
    await truncate(join(folder.path, "data", "units.csv"), 64 * 2 ** 30)
    const command = start(["snapshot", "build", "data", "-o", "built.snapshot", "--force"], { cwd: folder.path })
    const closed = once(command, "close")
    for (let said = ""; !said.includes("units.csv:5: the row is too long"); )
      said += (await once(command.stderr, "data"))[0]
    command.kill("SIGINT")
    expect((await closed)[0]).toBe(130)
    expect((await readdir(folder.path)).sort()).toEqual(["built.snapshot", "data"])
    expect(await readFile(join(folder.path, "built.snapshot"), "utf8")).toBe("mine")
  })

  it.each([
    [["data"], "--output is missing"],
    [["data", "-o", ""], "--output: expected a text that is not empty, found nothing"],
    [
      ["data", "-o", "x", "--data-date", "2026-02-30"],
      '--data-date: expected a day such as 2026-01-31, not "2026-02-30"'
    ],
    [["-o", "x"], "PATH is missing"]
  ])("%j is wrong usage", async (args, says) => {
    const { code, stderr, stdout } = await run(["snapshot", "build", ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toBe(`error: ${says}\nsee postcode snapshot build --help\n`)
  })
})

describe("a snapshot in place of a folder", () => {
  it("gives the same results as a folder in searches and in the service, except for fields that it does not contain", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(join(folder.path, "data"), files)
    await build(folder.path)
    const path = join(folder.path, "built.snapshot")
    const [folders, snapshots] = await Promise.all(
      [join(folder.path, "data"), path].map((directory) =>
        Promise.all(
          [
            ["complete", "LA12A03BG", "--json"],
            ["complete", "ikeja"],
            ["nearby", "6.6", "3.35"]
          ].map(async (args) => {
            // On a busy machine, reading a directory can take long enough to be reported on standard error.
            const { code, stdout } = await run(args, { env: { POSTCODE_DIRECTORY: directory } })
            return { code, stdout }
          })
        )
      )
    )
    expect(snapshots?.slice(0, 2)).toEqual(folders?.slice(0, 2))
    expect(snapshots?.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(snapshots?.[2]?.stdout).toMatch(
      /^POSTCODE +DISTANCE +CONFIDENCE +LGA +STATE\nLA-12-A03-BG-07 +0\.0 m +high +Ikeja +Lagos\n/
    )
    await using service = await startService(["--directory", path])
    const lookup = async (code: string) => await (await fetch(`${service.url}/v1/lookup?code=${code}`)).json()
    const data = (valid: boolean, postcode: string) => ({ data: { valid, postcode } })
    expect(await lookup("LA12A03BG07")).toMatchObject(data(true, "LA-12-A03-BG-07"))
    expect(await lookup("LA12A03BG01")).toMatchObject(data(false, "LA-12-A03-BG-01"))
    expect(service.stderr()).toContain("3 units, 2 of them active")
  })
})

// Not every system has a device that is always full.
describe.for(["/dev/full"].filter((device) => existsSync(device)))(
  "standard output that takes nothing, %s",
  (device) => {
    it("is reported, and the command fails", async () => {
      const { code, stderr } = await runInto(device, ["parse", "LA12A03BG07"])
      expect(stderr).toMatch(/^error: standard output could not be written: .*ENOSPC/m)
      expect(code).toBe(1)
    })
  }
)

describe("snapshot info", () => {
  it("refuses a pipe instead of waiting for it", async () => {
    await using folder = await temporaryFolder()
    const pipe = join(folder.path, "pipe")
    execFileSync("mkfifo", [pipe])
    expect(await run(["snapshot", "info", pipe])).toMatchObject({
      code: 1,
      stderr: `error: ${pipe}: expected a file, found something else\n`
    })
  })

  it("shows what a snapshot holds, for people and for programs", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(join(folder.path, "data"), files)
    await build(folder.path, "--data-version", "2026-1", "--data-date", "2026-01-31")
    const { code, stderr, stdout } = await run(["snapshot", "info", "built.snapshot"], { cwd: folder.path })
    const { length } = await readFile(join(folder.path, "built.snapshot"))
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const a_unit = (length / 3).toFixed(2)
    expect(stdout).toMatch(
      /^format {8}\d\ndata version {2}2026-1\ndata date {5}2026-01-31\nunits {9}3\nactive {8}2\nstates {8}1\naddresses {5}no\n/
    )
    expect(stdout).toContain(
      `size          ${length.toLocaleString("en-US")} bytes, ${a_unit} a unit\nintact        yes, all checksums hold\n`
    )
    expect(stdout).toMatch(/\nSECTION +BYTES +A UNIT\n(.+\n)*tree\.state\.values +2 +0\.67\n/)
    const { sections, ...facts } = await info(join(folder.path, "built.snapshot"))
    expect(facts).toEqual({
      file: join(folder.path, "built.snapshot"),
      format_version: expect.any(Number),
      data_version: "2026-1",
      data_date: "2026-01-31",
      changes: 0,
      units: 3,
      active_units: 2,
      states: 1,
      addresses: false,
      size_bytes: length,
      bytes_per_unit: Number(a_unit),
      intact: true
    })
    expect(sections).toContainEqual({ name: "tree.state.values", size_bytes: 2, bytes_per_unit: 0.67 })
    expect(sections.filter(({ size_bytes }: { readonly size_bytes: number }) => size_bytes === 0)).toEqual([])
  })

  it("reports damage, and shows what can still be read", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(join(folder.path, "data"), files)
    await build(folder.path)
    const path = join(folder.path, "built.snapshot")
    const remedy = "expected a snapshot as postcode snapshot build made it: copy or build it again\n"
    const file = await open(path, "r+")
    const { size } = await file.stat()
    await file.write(Uint8Array.of(0x21), 0, 1, size - 10)
    await file.close()
    const altered = await run(["snapshot", "info", path, "--json"])
    expect(altered).toMatchObject({
      code: 1,
      stderr: `error: ${path}: section places: its checksum does not match\n${remedy}`
    })
    expect(JSON.parse(altered.stdout)).toMatchObject({ units: 3, intact: false })
    await truncate(path, size - 1)
    expect(await run(["snapshot", "info", path])).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: ${path}: truncated: expected ${size} bytes, found ${size - 1}\n${remedy}`
    })
    const served = await run(["complete", "LA", "--directory", path])
    expect(served.stderr).toMatch(
      /^error: .*truncated: .*\nexpected a folder with places\.csv and units\.csv, or a snapshot/
    )
    expect(served.code).toBe(1)
  })

  it("refuses any other file, and names its kind", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, smallDirectory)
    await writeFile(join(folder.path, "empty"), "")
    const says = async (name: string) => {
      const { code, stderr, stdout } = await run(["snapshot", "info", name], { cwd: folder.path })
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
      return stderr.split("\n")[0]
    }
    expect(await says("nothing")).toMatch(
      /^error: there is no file nothing in \S+: postcode snapshot build PATH -o nothing makes one$/
    )
    expect(await says(".")).toBe(
      "error: . is a folder: expected a snapshot, which postcode snapshot build makes of one"
    )
    for (const name of ["units.csv", "empty"])
      expect(await says(name)).toMatch(`error: ${name}: not a snapshot: expected `)
    expect(await run(["snapshot", "info"])).toMatchObject({ code: 2, stdout: "" })
  })
})
