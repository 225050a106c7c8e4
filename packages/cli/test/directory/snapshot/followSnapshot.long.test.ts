/** `postcode snapshot follow`: what a copy of the directory becomes, what it costs, and that it is always whole. */
import { once } from "node:events"
import { copyFile, readdir, readFile, watch } from "node:fs/promises"
import { join } from "node:path"
import { operatorToken } from "@postcode/conformance/wire"
import { Directory } from "@postcode/core/Directory"
import { LiveDirectory, type UnitChange } from "@postcode/core/LiveDirectory"
import type { Postcode } from "@postcode/core/Postcode"
import { startFlakyProxy } from "@postcode/drills/FlakyProxy"
import { makeCustomer } from "@postcode/drills/Installation"
import { manage } from "@postcode/drills/Management"
import { ended, type Service, start, startService } from "@postcode/drills/StartCommand"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { afterAll, beforeAll, expect, it } from "vitest"
import { run } from "../../RunCommand.ts"

const folder = await temporaryFolder()
const original = join(folder.path, "original.snapshot")
const operator = { POSTCODE_OPERATOR_TOKEN: operatorToken }

const unitCount = 20_000
const unitAt = (number: number): Postcode => {
  const [hundreds, rest] = [Math.trunc(number / 99), number % 99]
  const letters = String.fromCharCode(65 + Math.trunc(hundreds / 26), 65 + (hundreds % 26))
  return `LA-12-A03-${letters}-${String(rest + 1).padStart(2, "0")}` as Postcode
}
const placeOf = (number: number) => ({ lat: 6.4 + (number % 500) / 2_000, lon: 3.2 + Math.trunc(number / 500) / 500 })

const units = Array.from({ length: unitCount }, (_, number) => {
  const { lat, lon } = placeOf(number)
  return `${unitAt(number)},${lat.toFixed(4)},${lon.toFixed(4)},active,,,,,,\n`
})
const files = {
  "places.csv": "code,name,zone\nLA,Lagos,South West\nLA-12,Ikeja,\n",
  "units.csv":
    "postcode,lat,lon,status,locality_name,recent_address,building_use_status,building_type,building_owner,delivery_point\n" +
    units.join("")
}

beforeAll(async () => {
  await writeFiles(join(folder.path, "2026-1"), files)
  const built = await run([
    "snapshot",
    "build",
    join(folder.path, "2026-1"),
    "-o",
    original,
    "--data-version",
    "2026-1"
  ])
  expect(built.code).toBe(0)
})
afterAll(() => folder[Symbol.asyncDispose]())

let copies = 0
const copyOf = async (file: string): Promise<string> => {
  const copy = join(folder.path, `copy-${++copies}.snapshot`)
  await copyFile(file, copy)
  return copy
}

const open = async (file: string): Promise<Directory> => Directory.open(await readFile(file))

const serve = (file: string): Promise<Service> => startService(["--directory", file], operator)

const follow = (service: Service, secret: string, file: string, ...flags: ReadonlyArray<string>) =>
  run(["snapshot", "follow", file, ...flags], { env: { POSTCODE_URL: service.url, POSTCODE_KEY: secret } })

let batches = 0
const change = async (service: Service, changes: ReadonlyArray<UnitChange>): Promise<void> => {
  const body = changes.map((one) => {
    const { coordinate, ...rest } = { coordinate: undefined, ...one } as {
      readonly coordinate?: { lat: number; lon: number }
    }
    return coordinate === undefined ? rest : { ...rest, lat: coordinate.lat, lng: coordinate.lon }
  })
  for (let from = 0; from < body.length; from += 10_000) {
    const reference = `batch-${++batches}`
    const part = body.slice(from, from + 10_000)
    const fields = { reason: "test", reference, allow_removals: "all" }
    await manage(service.url, "POST", "/directory/changes", { ...fields, changes: part })
  }
}

/** Every unit of a directory in order, with all that a snapshot keeps of it. */
const unitsOf = (directory: Directory) =>
  Array.from({ length: directory.size }, (_, id) => {
    const postcode = directory.postcodeAt(id)
    const { lat, lon } = directory.coordinateAt(id)
    return `${postcode} ${lat} ${lon} ${directory.isActive(id)} ${directory.replacedBy(postcode)}`
  }).sort()

const few: ReadonlyArray<UnitChange> = [
  { change: "add", postcode: unitAt(unitCount), coordinate: { lat: 6.5, lon: 3.3 } },
  { change: "move", postcode: unitAt(1), coordinate: { lat: 6.51, lon: 3.31 } },
  { change: "replace", postcode: unitAt(1), replaced_by: unitAt(unitCount) },
  { change: "retire", postcode: unitAt(2) },
  { change: "retire", postcode: unitAt(3) },
  { change: "reactivate", postcode: unitAt(3) },
  { change: "replace", postcode: unitAt(unitCount), replaced_by: unitAt(4) }
]

/** The directory after changes, by the reference implementation. */
const after = (before: Directory, changes: ReadonlyArray<UnitChange>): Directory => {
  const result = new LiveDirectory(before).apply(changes)
  if (!result.ok) throw new Error(result.faults[0]?.reason)
  // Ids of a directory with layers have no order.
  return new Directory(result.directory.contents)
}

it("with --coordinates, the copy becomes equal to the service's directory, and each unit with a coordinate costs a lookup", async () => {
  await using service = await serve(original)
  const { secret } = await makeCustomer(service, 100)
  await change(service, few)
  const copy = await copyOf(original)
  const { code, stderr, stdout } = await follow(service, secret, copy, "--coordinates", "--json")
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      "7 changes since 2026-1 cost 3 lookups at level 5: at most 9 credits, at 3 each\n" +
      `${copy}: 2026-1 → 2026-1+7\n`
  })
  expect(JSON.parse(stdout)).toEqual({
    file: copy,
    data_version: "2026-1+7",
    changes: 7,
    credits_charged: 9,
    credits_uncertain: 0,
    left_out: { new_units: 0, moved_units: 0 }
  })
  const directory = await open(copy)
  expect({ changes: directory.changes, units: unitsOf(directory) }).toEqual({
    changes: 7,
    units: unitsOf(after(await open(original), few))
  })
  const again = await follow(service, secret, copy, "--coordinates")
  expect(again).toMatchObject({ code: 0, stderr: `${copy} has the version of the service, 2026-1+7\n` })
})

it("without --coordinates, following is free, reports what it leaves out, and applies all other changes", async () => {
  await using service = await serve(original)
  const { secret } = await makeCustomer(service, 1, { max_level: 1 })
  await change(service, few)
  const copy = await copyOf(original)
  const { code, stderr } = await follow(service, secret, copy)
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `${copy}: 2026-1 → 2026-1+7; without coordinates 1 new unit is left out, and 1 moved unit is where it was\n`
  })
  const kept: ReadonlyArray<UnitChange> = few.filter(
    ({ change, postcode }) => change !== "move" && postcode !== unitAt(unitCount)
  )
  expect(unitsOf(await open(copy))).toEqual(unitsOf(after(await open(original), kept)))
})

/** The moves are of more than 1 % of the units. */
const paid = ["--coordinates", "--max-credits", "3000", "--allow-removals", "all"]

it("changes that take many units away stop it, and the file stays as it was until their number is allowed", async () => {
  await using service = await serve(original)
  const { secret } = await makeCustomer(service, 1)
  const retire = (from: number, count: number) =>
    change(
      service,
      Array.from({ length: count }, (_, number): UnitChange => ({ change: "retire", postcode: unitAt(from + number) }))
    )
  const copy = await copyOf(original)
  await retire(0, 200)
  expect(await follow(service, secret, copy)).toMatchObject({ code: 0 })
  const before = await readFile(copy)
  await retire(200, 250)
  const stopped = await follow(service, secret, copy)
  expect(stopped).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(
      "it would remove 0, retire 250 and move 0 (by more than 1 km) of 19,800 active units"
    )
  })
  expect(stopped.stderr).toContain(`--allow-removals 250; ${copy} has version 2026-1+200`)
  expect(await readFile(copy)).toEqual(before)
  expect(await follow(service, secret, copy, "--allow-removals", "250")).toMatchObject({ code: 0 })
  expect((await open(copy)).activeSize).toBe(unitCount - 450)
})

it("--max-credits ends it before the page that would cost more, with the changes that are paid", async () => {
  await using service = await serve(original)
  const { secret } = await makeCustomer(service, 10_000)
  const moves = Array.from({ length: 1_500 }, (_, number): UnitChange => {
    return { change: "move", postcode: unitAt(number), coordinate: { lat: 6.5, lon: 3.3 } }
  })
  await change(service, moves)
  const copy = await copyOf(original)
  const ended = await follow(service, secret, copy, ...paid)
  expect(ended).toMatchObject({ code: 5, stdout: "" })
  expect(ended.stderr).toContain("at most 4,500 credits, at 3 each, and no more than 3,000 in all (--max-credits)\n")
  expect(ended.stderr).toMatch(
    /credits, and 3,000 are charged: more than --max-credits 3000; .* has version 2026-1\+1000\n$/
  )
  expect(unitsOf(await open(copy))).toEqual(unitsOf(after(await open(original), moves.slice(0, 1_000))))
})

it("--max-credits counts a page whose first response was lost, though the repeated one reports no charge", async () => {
  await using service = await serve(original)
  const { id, secret } = await makeCustomer(service, 10_000)
  const moves = Array.from({ length: 1_500 }, (_, number): UnitChange => {
    return { change: "move", postcode: unitAt(number), coordinate: { lat: 6.5, lon: 3.3 } }
  })
  await change(service, moves)
  // Two pages are read for the maximum, and the third request is the first with coordinates.
  await using proxy = await startFlakyProxy(service.url, (number) => (number === 3 ? "lost" : undefined))
  const copy = await copyOf(original)
  const ended = await follow({ ...service, url: proxy.url }, secret, copy, ...paid)
  expect(ended).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(
      /0 are charged, and up to 3,000 more .* more than --max-credits 3000; .*2026-1\+1000\n$/
    )
  })
  const account = `/organizations/${id}/credits?environment=live`
  expect(await manage(service.url, "GET", account)).toMatchObject({ balance: 7_000 })
})

it("a key without level 5 gets no coordinates, and the file stays as it was", async () => {
  await using service = await serve(original)
  const { secret } = await makeCustomer(service, 100, { max_level: 4 })
  await change(service, few)
  const copy = await copyOf(original)
  const { code, stderr } = await follow(service, secret, copy, "--coordinates")
  expect({ code, stderr }).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("error: this key may look up to level 4, not level 5")
  })
  expect(await readFile(copy)).toEqual(await readFile(original))
  expect(await follow(service, "", copy)).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(
      /^error: this needs an API key: postcode login --url \S+ stores one, or set POSTCODE_KEY\n$/
    )
  })
  const wrong = await follow(service, secret, copy, "--max-credits", "5")
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("--max-credits is for --coordinates") })
})

it("another edition and an expired version are refused, and the message names the remedy", async () => {
  await using service = await serve(original)
  const { secret } = await makeCustomer(service, 100)
  const other = join(folder.path, "other.snapshot")
  await run(["snapshot", "build", join(folder.path, "2026-1"), "-o", other, "--data-version", "2025-4"])
  const content = await readFile(other)
  const refused = await follow(service, secret, other)
  expect(refused).toMatchObject({
    code: 1,
    stderr:
      `error: ${other} cannot follow from 2025-4: the edition of this version was replaced by 2026-1: get a snapshot of ` +
      "the directory, and follow from there\nthe file is as it was: build a snapshot of the edition that the service " +
      "has with postcode snapshot build, or copy one, and follow from there\n"
  })
  expect(await readFile(other)).toEqual(content)

  await change(service, few)
  const newer = await copyOf(original)
  await follow(service, secret, newer, "--coordinates")
  // The list of changes of a service in memory begins with its snapshot.
  await using later = await serve(newer)
  const customer = await makeCustomer(later, 1)
  await change(later, [{ change: "retire", postcode: unitAt(9) }])
  const copy = await copyOf(original)
  const expired = await follow(later, customer.secret, copy)
  expect(expired).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cannot follow from 2026-1: the changes after this version are no longer kept")
  })
  expect(await readFile(copy)).toEqual(await readFile(original))
  // The other way round: a service that has fewer changes than the snapshot.
  await using earlier = await serve(original)
  const { secret: key } = await makeCustomer(earlier, 1)
  expect(await follow(earlier, key, newer)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("the directory has no such version yet, it has 2026-1")
  })
})

it("a kill at any moment of writing leaves a whole file, of the previous or the new version", async () => {
  await using service = await serve(original)
  const { secret } = await makeCustomer(service, 1)
  await change(service, few)
  const versions: Array<number> = []
  for (let kill = 0; kill < 4; kill++) {
    const copy = await copyOf(original)
    const draft = draftOf(copy)
    const env = { POSTCODE_URL: service.url, POSTCODE_KEY: secret }
    const child = start(["snapshot", "follow", copy], { env })
    await draft
    child.kill("SIGKILL")
    await once(child, "close")
    versions.push((await open(copy)).changes)
  }
  expect(versions.every((changes) => changes === 0 || changes === 7)).toBe(true)
})

/** Resolves when the temporary file of a snapshot is made. */
const draftOf = async (file: string): Promise<void> => {
  for await (const { filename } of watch(folder.path)) {
    if (filename !== null && join(folder.path, filename).startsWith(`${file}.`)) return
  }
}

it("--watch replaces the file at each new version, and a signal ends it with a whole file", async () => {
  await using service = await serve(original)
  const { secret } = await makeCustomer(service, 100)
  const copy = await copyOf(original)
  const child = start(["snapshot", "follow", copy, "--watch", "--coordinates"], {
    env: { POSTCODE_URL: service.url, POSTCODE_KEY: secret }
  })
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk
  })
  const end = ended(child)
  for (const [index, one] of few.entries()) {
    if (index > 1) break
    await change(service, [one])
    await expect.poll(() => stderr, { timeout: 60_000 }).toContain(`→ 2026-1+${index + 1}\n`)
  }
  child.kill("SIGTERM")
  expect(await end).toMatchObject({
    code: 130,
    stderr: expect.stringContaining("is whole, and has version 2026-1+2\n")
  })
  expect(unitsOf(await open(copy))).toEqual(unitsOf(after(await open(original), few.slice(0, 2))))
  expect((await readdir(folder.path)).filter((name) => name.startsWith(`${copy}.`))).toEqual([])
})

/** Pseudo-random changes. The first 100 add units, after so many that were added before. */
const randomChanges = (count: number, added: number): ReadonlyArray<UnitChange> => {
  let state = added + 1
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.trunc((state / 2 ** 32) * below)
  }
  return Array.from({ length: count }, (_, index): UnitChange => {
    const postcode = unitAt(next(unitCount))
    const coordinate = { lat: 6.4 + next(100_000) / 400_000, lon: 3.2 + next(100_000) / 400_000 }
    const kind = next(10)
    if (index < 100) return { change: "add", postcode: unitAt(unitCount + added + index), coordinate }
    if (kind < 5) return { change: "move", postcode, coordinate }
    if (kind < 7) return { change: "retire", postcode }
    if (kind < 8) return { change: "reactivate", postcode }
    const successor = unitAt(next(unitCount))
    return successor === postcode
      ? { change: "retire", postcode }
      : { change: "replace", postcode, replaced_by: successor }
  })
}

it("a copy that is a day or a year of changes behind becomes equal to the service's directory", async () => {
  await using service = await serve(original)
  const { secret } = await makeCustomer(service, 1_000_000)
  const copy = await copyOf(original)
  let expected = await open(original)
  let added = 0
  for (const [absence, count] of [
    ["a day", 300],
    ["a year", 100_000]
  ] as const) {
    const changes = randomChanges(count, added)
    added += 100
    await change(service, changes)
    expected = after(expected, changes)
    const flags = ["--coordinates", "--allow-removals", "all", "--json"]
    const { code, stdout } = await follow(service, secret, copy, ...flags)
    const report = JSON.parse(stdout)
    expect({ code, version: report.data_version }, `away for ${absence}`).toEqual({
      code: 0,
      version: `2026-1+${expected.changes}`
    })
    expect(unitsOf(await open(copy))).toEqual(unitsOf(expected))
  }
})
