import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { start } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { describe, expect, it } from "vitest"
import { run } from "../RunCommand.ts"

const [header = ""] = smallDirectory["units.csv"].split(/(?<=\n)/)
const places = smallDirectory["places.csv"]
const unit = (number: number): string => `LA-12-A03-BG-${String(number).padStart(2, "0")},6.6,3.35,active,,,,,,\n`

/** Something that reads the whole directory. */
const readAll = (path: string) => run(["complete", "LA12A03BG", "--directory", path, "--json"])

describe("a directory in files", () => {
  it("is read with gzip, with several gzip members, and with a byte order mark", async () => {
    await using folder = await temporaryFolder()
    const members = [gzipSync(`\uFEFF${header}${unit(1)}`), gzipSync(unit(2)), gzipSync(unit(3))]
    await writeFiles(folder.path, { "places.csv": places, "units.csv.gz": Buffer.concat(members) })
    const { code, stderr, stdout } = await readAll(folder.path)
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(JSON.parse(stdout).suggestions.map(({ code }: { code: string }) => code)).toEqual(["01", "02", "03"])
  })

  it("is found relative to the caller's folder", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(join(folder.path, "data"), { "places.csv": places, "units.csv": header + unit(1) })
    const { code } = await run(["complete", "LA", "--directory", "data"], { cwd: folder.path })
    expect(code).toBe(0)
  })

  it("is not read if one row is bad; each bad row is named by file, line and reason", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, {
      "places.csv": `${places}LA-1X,Nowhere,\n`,
      "units.csv.gz": gzipSync(`${header}${unit(1)}LA-12-A03-BG-02,96,3.35,lost,,,,,,\n${unit(1)}`)
    })
    expect(await readAll(folder.path)).toEqual({
      code: 1,
      stdout: "",
      stderr: [
        "places.csv:4: code: lga: expected 2 digits at position 3",
        'units.csv.gz:3: lat: expected a decimal number of degrees from -90 to 90, found "96"; status: expected active or retired, found "lost"',
        "units.csv.gz:4: postcode: repeats LA-12-A03-BG-01 of line 2",
        `error: ${folder.path} was not read: 3 bad rows`,
        ""
      ].join("\n")
    })
  })

  it("shows the first 20 of many bad rows and counts all, by their reasons", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, {
      "places.csv": places,
      "units.csv": header + "bad,0,0,active,,,,,,\n".repeat(1_234)
    })
    const { code, stderr } = await readAll(folder.path)
    const numbers = Array.from({ length: 20 }, (_, at) => at + 2)
    expect(code).toBe(1)
    expect(stderr.split("\n").slice(19)).toEqual([
      "units.csv:21: postcode: state: expected 2 letters at position 0",
      `units.csv: 1,234 rows: postcode: state: expected 2 letters at position 0: lines ${numbers.join(", ")} and 1,214 more`,
      `error: ${folder.path} was not read: 1,234 bad rows`,
      ""
    ])
  })

  it("that is not UTF-8 is refused with the number of the line", async () => {
    await using folder = await temporaryFolder()
    const latin1 = Buffer.from("LA-12-A03-BG-02,6.6,3.35,active,Idé,,,,,\n", "latin1")
    const units = Buffer.concat([Buffer.from(`\ufeff${header}${unit(1)}`), latin1, Buffer.from(unit(3))])
    await writeFiles(folder.path, { "places.csv": places, "units.csv": units })
    expect(await readAll(folder.path)).toEqual({
      code: 1,
      stdout: "",
      stderr: `units.csv:3: this line is not UTF-8, and nothing after it was read\nerror: ${folder.path} was not read: 1 bad row\n`
    })
  })

  it("that is cut off in its compressed form is refused", async () => {
    await using folder = await temporaryFolder()
    const whole = gzipSync(header + unit(1))
    await writeFiles(folder.path, { "places.csv": places, "units.csv.gz": whole.subarray(0, whole.length - 9) })
    const { code, stderr } = await readAll(folder.path)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `error: ${join(folder.path, "units.csv.gz")}: this is no complete gzip file: unexpected end of file\n`
    })
  })

  it("that is missing, or lacks a file, is refused and named", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, { "places.csv": places })
    const nowhere = join(folder.path, "nowhere")
    const snapshot = join(folder.path, "missing.snapshot")
    const [none, half, file, noSnapshot] = await Promise.all(
      ["nowhere", ".", "places.csv", "missing.snapshot"].map((name) => readAll(join(folder.path, name)))
    )
    expect(noSnapshot).toMatchObject({
      code: 1,
      stderr: `error: there is no file ${snapshot}: expected a snapshot, or a folder with places.csv and units.csv\n`
    })
    expect(none).toMatchObject({
      code: 1,
      stderr: `error: there is no folder ${nowhere}: postcode demo ${nowhere} writes a demonstration directory\n`
    })
    expect(half).toMatchObject({
      code: 1,
      stderr: `error: ${folder.path} has no units.csv, .xlsx or .geojson: expected a folder with places.csv and units.csv; it has places.csv\n`
    })
    expect(file).toMatchObject({
      code: 1,
      stderr: [
        `error: ${join(folder.path, "places.csv")}: not a snapshot: expected a file that starts with 89 50 43 44 0D 0A 1A 0A`,
        "expected a folder with places.csv and units.csv, or a snapshot as postcode snapshot build made it: copy or build it again",
        ""
      ].join("\n")
    })
  })
})

describe("demo", () => {
  it("writes files that can be read, equal for equal size and seed", async () => {
    await using folder = await temporaryFolder()
    const one = join(folder.path, "one")
    const two = join(folder.path, "two")
    const [first, second] = await Promise.all(
      [one, two].map((path) => run(["demo", path, "--units", "2000", "--seed", "7", "--json"]))
    )
    expect(first?.code).toBe(0)
    expect(JSON.parse(first?.stdout ?? "")).toEqual({
      places_csv: join(one, "places.csv"),
      units_csv: join(one, "units.csv"),
      units: 2000,
      seed: 7
    })
    expect(second?.code).toBe(0)
    const units = await readFile(join(one, "units.csv"), "utf8")
    expect(units).toBe(await readFile(join(two, "units.csv"), "utf8"))
    expect(units.split("\n")).toHaveLength(2_002)
    // A slow machine reports progress.
    expect(await run(["complete", "lagos", "--directory", one])).toMatchObject({
      code: 0,
      stdout: "STATE  NAME\nLA     Lagos\n"
    })
  })

  it("replaces files only with --force", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, { "units.csv": "mine" })
    const refused = await run(["demo", folder.path, "--units", "10"])
    expect(refused).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: ${join(folder.path, "units.csv")} already exists: choose another folder, or replace it with --force\n`
    })
    expect(await readdir(folder.path)).toEqual(["units.csv"])
    const forced = await run(["demo", folder.path, "--units", "10", "--force"])
    expect(forced.code).toBe(0)
    expect((await readFile(join(folder.path, "units.csv"), "utf8")).split("\n")).toHaveLength(12)
  })

  it("that is interrupted ends with 130 and leaves nothing behind", async () => {
    await using folder = await temporaryFolder()
    const command = start(["demo", folder.path, "--units", "40000000"])
    const closed = new Promise((resolve) => command.once("close", resolve))
    while (!(await readdir(folder.path)).includes("units.csv.part")) await new Promise(setImmediate)
    command.kill("SIGINT")
    expect(await closed).toBe(130)
    expect(await readdir(folder.path)).toEqual([])
  })
})
