/** `postcode units`: changes of the directory of a service, one by one and from files. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { operatorToken } from "@postcode/conformance/wire"
import { managing } from "@postcode/drills/Management"
import { type Service, startService } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { afterAll, beforeAll, expect, it } from "vitest"
import { shellOf } from "../OperatorShell.ts"
import { run } from "../RunCommand.ts"

let service: Service
const { answer, postcode } = shellOf(() => service)
const folder = await temporaryFolder()

beforeAll(async () => {
  const path = join(folder.path, "directory")
  await writeFiles(path, smallDirectory)
  service = await startService(["--directory", path], { POSTCODE_OPERATOR_TOKEN: operatorToken })
})
afterAll(async () => {
  expect(await service.stop()).toBe(0)
  await folder[Symbol.asyncDispose]()
})

const reason = ["--reason", "survey of March"]

const write = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(folder.path, name)
  await writeFile(path, content)
  return path
}

it("changes one unit at a time, and shows it with its history", async () => {
  const unit = "LA-12-A03-BG-09"
  const added = await answer(
    ...["units", "add", unit, "--lat", "6.61", "--lng", "3.36", "--recent-address", "9 Bank Road", ...reason],
    ...["--delivery-point", "true"]
  )
  expect(added).toMatchObject({
    valid: true,
    applied: 1,
    repeated: false,
    reference: expect.stringMatching(/^change-/)
  })
  await answer("units", "move", unit, "--lat", "6.62", "--lng", "3.37", ...reason)
  await answer(
    "units",
    "set",
    unit,
    "--building-type",
    "duplex",
    "--remove",
    "recent_address,delivery_point",
    ...reason
  )
  await answer("units", "replace", unit, "--by", "la12a03bg07", ...reason)
  const { code, stdout } = await postcode("units", "show", "la 12 a03 bg 09")
  expect({ code, stdout: stdout.replaceAll(/ {2,}/g, "  ").split("\n").slice(0, 8) }).toEqual({
    code: 0,
    stdout: [
      "postcode  LA-12-A03-BG-09",
      "status  retired",
      "replaced by  LA-12-A03-BG-07",
      "lat  6.62",
      "lng  3.37",
      "building type  duplex",
      "",
      expect.stringMatching(
        /^AT {2}VERSION {2}CHANGE {2}STATUS {2}REPLACED BY {2}LAT {2}LNG {2}WHO {2}REASON {2}REFERENCE$/
      )
    ]
  })
  expect((await answer("units", "show", unit)).history).toMatchObject([
    { change: "replace", reason: "survey of March", actor: "operator" },
    { change: "set" },
    { change: "move" },
    { change: "add" }
  ])
  await answer("units", "reactivate", unit, ...reason)
  expect(await answer("units", "retire", unit, ...reason)).toMatchObject({ applied: 1 })
  expect((await answer("units", "show", unit)).unit).toMatchObject({ status: "retired" })
})

it("a repetition under a reference changes nothing, and a dry run changes nothing", async () => {
  const move = ["units", "move", "LA-12-A03-BG-07", "--lat", "6.601", "--lng", "3.35", ...reason]
  const { version } = await answer("directory")
  expect(await answer(...move, "--dry-run")).toMatchObject({ valid: true, applied: 1 })
  const checked = await postcode("units", "retire", "LA-12-A03-BG-99", ...reason, "--dry-run")
  expect(checked).toMatchObject({ code: 1, stderr: "error: postcode: no unit has it; add it first\n" })
  expect((await answer("directory")).version).toBe(version)
  const first = await answer(...move, "--reference", "ticket 17")
  expect(await answer(...move, "--reference", "ticket 17")).toEqual({ ...first, repeated: true })
  const again = await postcode(...move, "--reference", "ticket 17")
  expect(again.stdout).toMatch(/^outcome +applied before$/m)
  expect((await postcode(...move)).stdout).toMatch(/^outcome +unchanged$/m)
  const used = await postcode("units", "retire", "LA-12-A03-BG-07", ...reason, "--reference", "ticket 17")
  expect(used).toMatchObject({ code: 1, stderr: expect.stringContaining("reference") })
})

it("reports what is wrong with a change, and how to check one that was not answered", async () => {
  const refused = await postcode("units", "retire", "LA-12-A03-BG-99", ...reason)
  expect(refused).toEqual({ code: 2, stdout: "", stderr: "error: postcode: no unit has it; add it first\n" })
  expect(await postcode("units", "retire", "LA-12-A03-BG-07")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--reason is missing")
  })
  expect(await postcode("units", "retire", "LA-1X-A03-BG-07", ...reason)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/POSTCODE: expected a postcode \(lga: .*\), not "LA-1X-A03-BG-07"/)
  })
  const unreachable = await run(["units", "retire", "LA-12-A03-BG-07", ...reason], {
    env: managing("http://127.0.0.1:1")
  })
  expect(unreachable).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/repeat it with --reference change-[a-p]+, so/)
  })
})

it("applies a file in order, and not again", async () => {
  const rows = [
    "change,postcode,lat,lon,replaced_by,locality_name",
    "add,LA-12-A05-BG-01,6.6,3.36,,Alausa",
    "move,LA-12-A05-BG-01,6.61,3.36,,",
    "replace,LA-12-A05-BG-01,,,LA-12-A03-BG-07,"
  ]
  const file = await write("changes.csv", `${rows.join("\n")}\n`)
  const dry = await answer("units", "apply", file, ...reason, "--dry-run")
  expect(dry).toMatchObject({ outcome: "checked", changes: 3, applied: 3 })
  const applied = await answer("units", "apply", file, ...reason)
  expect(applied).toMatchObject({
    outcome: "applied",
    changes: 3,
    applied: 3,
    unchanged: 0,
    batches: 1,
    repeated_batches: 0
  })
  expect((await answer("units", "show", "LA-12-A05-BG-01")).unit).toMatchObject({
    status: "retired",
    replaced_by: "LA-12-A03-BG-07",
    attributes: { locality_name: "Alausa" }
  })
  const again = await postcode(
    "units",
    "apply",
    await write("copy.csv.gz", gzipSync(`${rows.join("\n")}\n`)),
    ...reason
  )
  expect(again.stdout).toMatch(/^applied before +1 batches$/m)
  expect(again.stderr).toContain(`all of it was applied before, as ${applied.reference}; another --reference`)
  expect((await answer("units", "show", "LA-12-A05-BG-01")).history).toHaveLength(3)
})

it("applies nothing of a file with lines that can never be applied, and reports each", async () => {
  const file = await write(
    "bad.csv",
    "change,postcode,lat\nretire,LA-12-A03-BG-07,\nretire,LA-12,\nretire,LA-12-A03-BG-07,6\n"
  )
  const { code, stderr, stdout } = await postcode("units", "apply", file, ...reason)
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  expect(stderr.replaceAll(file, "FILE").split("\n")).toEqual([
    expect.stringMatching(/^FILE:3: postcode: /),
    "FILE:4: lat: expected nothing, as retire does not use it",
    "error: nothing was applied: 2 bad changes",
    ""
  ])
  expect((await answer("units", "show", "LA-12-A03-BG-07")).unit).toMatchObject({ status: "active" })
})

it("a file that takes many units away needs their number, though each of its batches is small", async () => {
  const codeOf = (number: number) =>
    `LA-12-E0${Math.floor(number / 99)}-BG-${String((number % 99) + 1).padStart(2, "0")}`
  const adds = Array.from({ length: 300 }, (_, number) => `add,${codeOf(number)},6.6,3.3`)
  await answer("units", "apply", await write("adds.csv", ["change,postcode,lat,lon", ...adds].join("\n")), ...reason)
  // Each batch retires 6 units, which is free, beside changes without an effect that fill it.
  const half = (first: number) => [
    ...Array.from({ length: 6 }, (_, number) => `retire,${codeOf(first + number)},,`),
    ...Array.from({ length: 9_994 }, () => `move,${codeOf(200)},6.6,3.3`)
  ]
  // The last batch takes nothing away.
  const lines = ["change,postcode,lat,lon", ...half(0), ...half(6), `move,${codeOf(200)},6.6,3.3`]
  const file = await write("retired.csv", lines.join("\n"))
  const apply = (...flags: ReadonlyArray<string>) => postcode("units", "apply", file, ...reason, ...flags)
  const says =
    /retire 12 of \d+ active units or move them by more than 1 km; if that is meant, .* --allow-removals 12\n$/
  expect(await apply()).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(says) })
  expect(await apply("--allow-removals", "11")).toMatchObject({ code: 1, stderr: expect.stringMatching(says) })
  expect((await apply("--dry-run")).stdout).toMatch(
    /^retired or moved away +12 of [1-9]\d* active units; needs --allow-removals 12$/m
  )
  const none = await answer(
    "units",
    "apply",
    await write("same.csv", [lines[0], lines.at(-1)].join("\n")),
    ...reason,
    "--dry-run"
  )
  expect(none).not.toHaveProperty("active_units")
  expect((await answer("units", "show", codeOf(0))).unit).toMatchObject({ status: "active" })
  const options = (typed: string) => ({ env: managing(service.url), terminal: true, stdin: `${typed}\n` })
  const asked = await run(["units", "apply", file, ...reason], options("y"))
  expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining("type 12 to go on: ") })
  expect((await answer("units", "show", codeOf(0))).unit).toMatchObject({ status: "active" })
  expect(await run(["units", "apply", file, ...reason], options("12"))).toMatchObject({ code: 0 })
  expect((await answer("units", "show", codeOf(11))).unit).toMatchObject({ status: "retired" })
  // What was applied takes nothing away any more.
  expect(await apply()).toMatchObject({ code: 0, stderr: expect.stringContaining("all of it was applied before") })
})

it("reports each change that does not fit the directory, by its line; batches before it stay applied", async () => {
  const add = (number: number) => {
    const code = `LA-12-C${String((number / 100 / 100) | 0).padStart(2, "0")}-B${"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[((number / 100) | 0) % 26]}`
    return JSON.stringify({
      change: "add",
      postcode: `${code}-${String(number % 100).padStart(2, "0")}`,
      lat: 6.6,
      lng: 3.3
    })
  }
  const count = 2_600
  const adds = Array.from({ length: count }, (_, number) => add(number))
  // Repeats what is so up to the length of a batch.
  const same = Array.from({ length: 10_000 - count }, () => add(7))
  const bad = ["LA-12-D01-BG-01", "LA-12-D01-BG-02"].map((postcode) => JSON.stringify({ change: "retire", postcode }))
  const lines = [...adds, ...same, bad[0], add(0), bad[1]]
  const file = await write("long.jsonl", lines.join("\n"))
  const { code, stderr, stdout } = await postcode("units", "apply", file, ...reason, "--reference", "long")
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  expect(stderr.replaceAll(file, "FILE").split("\n").slice(-4)).toEqual([
    "FILE:10001: postcode: no unit has it; add it first",
    "FILE:10003: postcode: no unit has it; add it first",
    "error: nothing of lines 10001 to 10003 was applied: 2 bad changes; the first 10,000 changes are applied, and the same command continues after them",
    ""
  ])
  const mended = await write("mended.jsonl", [...adds, ...same, add(0)].join("\n"))
  const again = await postcode("units", "apply", mended, ...reason, "--reference", "long", "--json")
  expect(JSON.parse(again.stdout)).toMatchObject({
    changes: 10_001,
    batches: 2,
    repeated_batches: 1
  })
})
