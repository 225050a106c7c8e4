/** Imports and reverts that take much of the current directory away, with and without a terminal. */
import { makeMigratedDatabase } from "@postcode/drills/postgres"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { demonstrationVersion } from "@postcode/server/data/demonstrationVersion"
import { beforeEach, expect, it } from "vitest"
import { queriesOf } from "../Queries.ts"
import { run } from "../RunCommand.ts"

let url: string
beforeEach(async () => {
  const database = await makeMigratedDatabase()
  url = database.url
  return database.drop
})

const [header = ""] = smallDirectory["units.csv"].split(/(?<=\n)/)

const row = (number: number, { lat = 6.6, lon = 3.35, status = "active" } = {}): string => {
  const [area, unit] = [Math.floor(number / 100), number % 100].map((part) => String(part).padStart(2, "0"))
  return `LA-12-A${area}-BG-${unit},${lat},${lon},${status},,,,,,\n`
}

const units = 1_000

/** Rows of the numbers from 0 that are below `count`. */
const rows = (count: number, rowOf: (number: number) => string = (number) => row(number)): string =>
  header + Array.from({ length: count }, (_, number) => rowOf(number)).join("")

const whole = rows(units)

interface Options {
  readonly flags?: ReadonlyArray<string>
  /** Typed on a terminal. Without it, there is none. */
  readonly typed?: string
}

const onDatabase = async (args: ReadonlyArray<string>, { flags = [], typed }: Options = {}) =>
  await run([...args, ...flags], {
    env: { DATABASE_URL: url },
    ...(typed !== undefined && { stdin: `${typed}\n`, terminal: true })
  })

const importing = async (version: string, file: string, options?: Options) => {
  await using folder = await temporaryFolder()
  await writeFiles(folder.path, { ...smallDirectory, "units.csv": file })
  const { stderr, ...ended } = await onDatabase(["import", folder.path, "--data-version", version], options)
  return { ...ended, stderr: stderr.replaceAll(folder.path, "FOLDER") }
}

const reverting = (options: Options) => onDatabase(["directory", "revert"], options)

const currentVersion = async (): Promise<unknown> => {
  const [current] = await queriesOf(url)("SELECT version FROM postcode.directory_editions WHERE is_current")
  return current?.version
}

/** The files of the table: what each would do to an edition of 1,000 active units; undefined for what goes on freely. */
const files: ReadonlyArray<readonly [string, string, { readonly count: number; readonly says: string } | undefined]> = [
  ["a header alone", header, { count: 1_000, says: "remove 1,000, retire 0 and move 0" }],
  ["a file cut at a line end", rows(700), { count: 300, says: "remove 300, retire 0 and move 0" }],
  ["2 units", rows(2), { count: 998, says: "remove 998, retire 0 and move 0" }],
  ["0.5 % retired", rows(units, (n) => row(n, { status: n < 5 ? "retired" : "active" })), undefined],
  ["1 % removed", rows(990), undefined],
  [
    "1.5 %: 5 retired, 5 moved, 5 removed",
    rows(995, (n) => row(n, n < 5 ? { status: "retired" } : { lat: n < 10 ? 6.7 : 6.6 })),
    { count: 15, says: "remove 5, retire 5 and move 5" }
  ],
  [
    "all moved by 3 degrees",
    rows(units, (n) => row(n, { lon: 6.35 })),
    { count: 1_000, says: "remove 0, retire 0 and move 1,000" }
  ],
  ["all moved by 500 m", rows(units, (n) => row(n, { lat: 6.6045 })), undefined]
]

it.each(files)("without a terminal, an import of %s", async (_, file, stop) => {
  await importing("2026-1", whole)
  const ended = await importing("2026-2", file)
  expect({ code: ended.code, version: await currentVersion() }).toEqual(
    stop === undefined ? { code: 0, version: "2026-2" } : { code: 1, version: "2026-1" }
  )
  if (stop === undefined) return
  expect(ended).toMatchObject({
    stdout: "",
    stderr: expect.stringContaining(`it would ${stop.says} (by more than 1 km) of 1,000 active units`)
  })
  expect(ended.stderr).toMatch(new RegExp(`run it again with --allow-removals ${stop.count}\n$`))
  const dry = await importing("2026-2", file, { flags: ["--dry-run", "--json"] })
  expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining(`it would ${stop.says}`) })
  expect(JSON.parse(dry.stdout)).toMatchObject({ outcome: "checked", allow_removals: stop.count })
  const fewer = await importing("2026-2", file, { flags: ["--allow-removals", String(stop.count - 1)] })
  expect({ code: fewer.code, version: await currentVersion() }).toEqual({ code: 1, version: "2026-1" })
  const allowed = await importing("2026-2", file, { flags: ["--allow-removals", String(stop.count)] })
  expect({ code: allowed.code, version: await currentVersion() }).toEqual({ code: 0, version: "2026-2" })
})

it.each(files)("on a terminal, an import of %s", async (_, file, stop) => {
  await importing("2026-1", whole)
  const unsure = await importing("2026-2", file, { typed: "yes" })
  if (stop === undefined) {
    expect({ code: unsure.code, version: await currentVersion() }).toEqual({ code: 0, version: "2026-2" })
    return
  }
  expect({ code: unsure.code, version: await currentVersion() }).toEqual({ code: 1, version: "2026-1" })
  expect(unsure.stderr).toContain(`type ${stop.count} to go on: `)
  const sure = await importing("2026-2", file, { typed: String(stop.count) })
  expect({ code: sure.code, version: await currentVersion() }).toEqual({ code: 0, version: "2026-2" })
})

it("all allows any number, a first import needs nothing, and one without units is refused", async () => {
  const empty = await importing("2026-1", header)
  expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining("there are no units in the file") })
  expect(await importing("2026-2", whole)).toMatchObject({ code: 0 })
  expect(await importing("2026-3", header, { flags: ["--allow-removals", "all"] })).toMatchObject({ code: 0 })
  expect(await currentVersion()).toBe("2026-3")
  expect(await importing("2026-4", whole, { flags: ["--allow-removals", "most"] })).toMatchObject({ code: 2 })
})

it("an import replaces the demonstration freely until somebody has changed it", async () => {
  const demonstration = await importing(demonstrationVersion, whole)
  expect(demonstration).toMatchObject({ code: 0 })
  const dry = await importing("2026-1", rows(2), { flags: ["--dry-run", "--json"] })
  expect(JSON.parse(dry.stdout)).not.toHaveProperty("allow_removals")
  const change = "UPDATE postcode.directory_editions SET changes = "
  await queriesOf(url)(`${change}1`)
  expect(await importing("2026-1", rows(2), { flags: ["--drop-changes"] })).toMatchObject({ code: 1 })
  await queriesOf(url)(`${change}0`)
  expect(await importing("2026-1", rows(2))).toMatchObject({ code: 0 })
})

it("a revert that takes units away stops, and asks for the number beside its own question", async () => {
  await importing("2026-1", rows(900))
  await importing("2026-2", whole)
  const stopped = await reverting({ flags: ["--yes"] })
  expect(stopped).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("it would remove 100, retire 0 and move 0")
  })
  expect(await currentVersion()).toBe("2026-2")
  expect(await reverting({ typed: "100\nyes" })).toMatchObject({ code: 0 })
  expect(await currentVersion()).toBe("2026-1")
  expect(await reverting({ flags: ["--yes"] })).toMatchObject({ code: 0 })
  expect(await reverting({ flags: ["--yes", "--allow-removals", "100"] })).toMatchObject({ code: 0 })
})
