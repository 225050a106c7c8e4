/** Changes of a directory when another edition replaces it: an import over them, and a revert. */
import { randomUUID } from "node:crypto"
import type { UnitChange } from "@postcode/core/Changes"
import type { Postcode } from "@postcode/core/Postcode"
import { makeMigratedDatabase } from "@postcode/drills/postgres"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { DirectoryChanges } from "@postcode/gateway/directory/changes/DirectoryChanges"
import { layerDatabase, layerDirectoryChanges } from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import { beforeEach, expect, it } from "vitest"
import { run } from "../RunCommand.ts"

let url: string
beforeEach(async () => {
  const database = await makeMigratedDatabase()
  url = database.url
  return database.drop
})

const codeOf = (number: number) => `LA-12-A03-BG-${String(number).padStart(2, "0")}` as Postcode

const [header = ""] = smallDirectory["units.csv"].split(/(?<=\n)/)

/** Imports units with these numbers. */
const importing = async (
  version: string,
  numbers: ReadonlyArray<number>,
  options: { readonly flags?: ReadonlyArray<string>; readonly stdin?: string } = {}
) => {
  await using folder = await temporaryFolder()
  const rows = numbers.map((number) => `${codeOf(number)},6.6,3.35,active,,,,,,\n`)
  await writeFiles(folder.path, { ...smallDirectory, "units.csv": header + rows.join("") })
  const { flags = [], stdin } = options
  const terminal = stdin === undefined ? {} : { stdin, terminal: true }
  const ended = await run(["import", folder.path, "--data-version", version, ...anyRemovals, ...flags], {
    env: environment(),
    ...terminal
  })
  return { ...ended, stderr: ended.stderr.replaceAll(folder.path, "FOLDER") }
}

/** One of a few units is more than 1 %. */
const anyRemovals = ["--allow-removals", "all"]

const environment = () => ({ DATABASE_URL: url })

const reverting = (flags: ReadonlyArray<string>, stdin?: string) =>
  run(["directory", "revert", ...anyRemovals, ...flags], {
    env: environment(),
    ...(stdin === undefined ? {} : { stdin, terminal: true })
  })

/** Applies changes as a service does. */
const change = (...changes: ReadonlyArray<UnitChange>) => {
  const batch = { changes, reference: randomUUID(), reason: "test", actor: "operator", at: new Date().toISOString() }
  const store = Layer.provide(layerDirectoryChanges, layerDatabase({ url: Redacted.make(url) }))
  return Effect.runPromise(
    Effect.provide(
      Effect.flatMap(DirectoryChanges, ({ apply }) => apply(batch, false)),
      store
    )
  )
}

const retire = (number: number): UnitChange => ({ change: "retire", postcode: codeOf(number) })

const importAndChange = async (): Promise<void> => {
  await importing("2026-1", [1, 2, 3, 9])
  await change(retire(1), retire(2), { change: "replace", postcode: codeOf(3), replaced_by: codeOf(1) })
}

const overview = [
  "changed since 2026-1: 3 units; 0 contained, 3 would be undone, 0 superseded",
  "  would be undone: retired LA-12-A03-BG-01, LA-12-A03-BG-02",
  "  would be undone: replaced LA-12-A03-BG-03",
  ""
].join("\n")

it("an import over changes is refused without a terminal or a flag, and lists the changes, as a dry run does", async () => {
  await importAndChange()
  const refused = await importing("2026-2", [1, 2, 3, 4, 9])
  expect(refused).toMatchObject({ code: 1, stdout: "" })
  expect(refused.stderr).toContain(overview)
  expect(refused.stderr).toMatch(
    /\nerror: nothing was changed: the changes of 3 units since 2026-1 would be undone; run it again with --keep-changes or --drop-changes\n$/
  )
  const dry = await importing("2026-2", [1, 2, 3, 4, 9], { flags: ["--dry-run", "--json"] })
  expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining(overview) })
  expect(JSON.parse(dry.stdout)).toMatchObject({
    outcome: "checked",
    changes: { added: 1, retired: 0, unchanged: 4 },
    changed_units: { contained: 0, undone: 3, superseded: 0 }
  })
})

it("an import over changes follows the flag or the answer on a terminal, and reports what happened to the changes", async () => {
  await importAndChange()
  const both = await importing("2026-2", [1, 2, 3, 4, 9], { flags: ["--keep-changes", "--drop-changes"] })
  expect(both).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--keep-changes and --drop-changes: expected one")
  })
  const unsure = await importing("2026-2", [1, 2, 3, 4, 9], { stdin: "yes\n" })
  expect(unsure).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/nothing was changed: expected keep or drop\n$/)
  })
  const kept = await importing("2026-2", [1, 2, 3, 4, 9], { stdin: "keep\n", flags: ["--json"] })
  expect(kept.stderr).toContain(`${overview}keep or drop the changes of 3 units since 2026-1? [keep/drop] `)
  const counts = "0 contained, 3 kept, 0 dropped, 0 superseded"
  expect(kept.stderr).toMatch(new RegExp(`\\nedition 2 is current; units changed before: ${counts}\\n$`))
  expect(JSON.parse(kept.stdout)).toMatchObject({
    outcome: "imported",
    changed_units: { contained: 0, kept: 3, dropped: 0, superseded: 0 }
  })
  const dropped = await importing("2026-3", [1, 2, 3, 4, 5, 9], { flags: ["--drop-changes"] })
  expect(dropped.stdout).toMatch(/^changed before +0 contained, 0 kept, 3 dropped, 0 superseded$/m)
})

it("a revert needs an answer on a terminal or --yes, and reports the current edition and the effect on followers", async () => {
  await importAndChange()
  await importing("2026-2", [1, 2, 3, 4, 9], { flags: ["--drop-changes"] })
  const unconfirmed = await reverting([])
  expect(unconfirmed).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/or with --yes\n/) })
  const question = "make 2026-1+3 current again? [yes/no] "
  const described = "edition 2, 2026-2, is current; edition 1, 2026-1+3, would be current again\n"
  expect(await reverting([], "no\n")).toEqual({
    code: 1,
    stdout: "",
    stderr: `${described}${question}error: nothing was changed\n`
  })
  const reverted = await reverting(["--json"], "yes\n")
  expect(reverted).toMatchObject({ code: 0, stderr: expect.stringMatching(/2026-1\+3 is current again/) })
  expect(reverted.stderr).toMatch(/that follow 2026-2 must start again/)
  expect(JSON.parse(reverted.stdout)).toEqual({
    outcome: "reverted",
    edition: 1,
    data_version: "2026-1",
    data_date: expect.any(String),
    changes: 3,
    left_edition: 2,
    left_data_version: "2026-2"
  })
  await change({ change: "move", postcode: codeOf(9), coordinate: { lat: 6.7, lon: 3.35 } })
  const again = await reverting(["--yes"])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("with --keep-changes or --drop-changes") })
  expect(await reverting([], "keep\nyes\n")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^edition +2$/m),
    stderr: expect.stringContaining("2026-2+1 is current again")
  })
})
