/** Imports through the management API of a service on PostgreSQL: any replica takes the files, and a thread of one imports them. */
import { readdir } from "node:fs/promises"
import { gzipSync } from "node:zlib"
import { operatorToken } from "@postcode/conformance/wire"
import { demoPlacesCsv, demoUnitsCsv } from "@postcode/demo"
import { manage } from "@postcode/drills/Management"
import { makeTestDatabase } from "@postcode/drills/postgres"
import { type Service, startService } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { afterAll, beforeAll, expect, it } from "vitest"
import { queriesOf } from "../Queries.ts"
import { run } from "../RunCommand.ts"

const database = await makeTestDatabase()
const query = queriesOf(database.url)
const work = await temporaryFolder()
const environment = {
  TMPDIR: work.path,
  DATABASE_URL: database.url,
  POSTCODE_OPERATOR_TOKEN: operatorToken,
  POSTCODE_IDENTIFIER_PEPPER: "a-pepper-for-tests-and-nothing-else",
  POSTCODE_SESSION_KEYS: "tests:a-signing-key-for-tests-and-nothing-else"
}
const replicas: Array<Service> = []
const [first, second] = [() => replicas[0]?.url ?? "", () => replicas[1]?.url ?? ""]

beforeAll(async () => {
  await using folder = await temporaryFolder()
  await writeFiles(folder.path, smallDirectory)
  const imported = await run(["import", folder.path, "--data-version", "2026-1"], { env: environment })
  expect(imported).toMatchObject({ code: 0 })
  for (let count = 0; count < 2; count++) replicas.push(await startService([], environment))
})
afterAll(async () => {
  for (const replica of replicas) expect(await replica.stop()).toBe(0)
  await database.drop()
  await work[Symbol.asyncDispose]()
})

const units = Buffer.from(Array.from(demoUnitsCsv({ units: 30_000, seed: 3 }), ({ text }) => text).join(""))
const places = Buffer.from(demoPlacesCsv())

interface Import {
  readonly id: string
  readonly phase: string
  readonly problem?: string
  readonly check?: object
}

const current = async (url: string) =>
  (await manage<{ readonly import: Import | null }>(url, "GET", "/directory/import")).import

/** Sends the parts to both replicas in turn. */
const upload = async (file: Buffer, name: string): Promise<string> => {
  const body = { places: { name: "places.csv", size_bytes: places.length }, units: { name, size_bytes: file.length } }
  const { id } = await manage<Import>(first(), "POST", "/directory/import", body)
  let turn = 0
  for (const [part, bytes] of [
    ["places", places],
    ["units", file]
  ] as const) {
    for (let offset = 0; offset < bytes.length; offset += 900_000) {
      const pieces: Array<string> = []
      for (let at = offset; at < Math.min(bytes.length, offset + 900_000); at += 45_000) {
        pieces.push(bytes.subarray(at, Math.min(at + 45_000, offset + 900_000)).toString("base64"))
      }
      const url = turn++ % 2 === 0 ? first() : second()
      await manage(url, "POST", `/directory/import/${id}/parts`, { file: part, offset, pieces })
    }
  }
  return id
}

const ended = async (): Promise<Import | null> => {
  for (;;) {
    const found = await current(first())
    if (found === null || (found.phase !== "checking" && found.phase !== "importing")) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const stored = async () => {
  const [{ count } = {}] = await query("SELECT count(*)::integer AS count FROM postcode.directory_import_parts")
  const folders = (await readdir(work.path)).filter((name) => name.startsWith("postcode-import-"))
  return { count, folders }
}

it("checks and imports compressed files that came through two replicas, and both serve the edition", async () => {
  const id = await upload(gzipSync(units), "units.csv.gz")
  await manage(second(), "POST", `/directory/import/${id}/run`, { dry_run: true })
  expect(await ended()).toMatchObject({
    phase: "checked",
    check: { is_readable: true, total_units: 30_000, bad_rows: 0, difference: { added: 30_000 } }
  })
  const task = { data_version: "2026-2", data_date: "2026-06-30", allow_removals: 10 }
  await manage(second(), "POST", `/directory/import/${id}/run`, task)
  expect(await ended()).toMatchObject({ phase: "imported", imported: { outcome: "imported", data_version: "2026-2" } })
  for (const url of [first(), second()]) {
    await expect
      .poll(async () => (await manage<{ readonly version: string }>(url, "GET", "/directory")).version)
      .toBe("2026-2")
  }
  expect(await stored()).toEqual({ count: 0, folders: [] })
}, 60_000)

it("leaves nothing of an import that is cancelled while it runs", async () => {
  const id = await upload(units, "units.csv")
  await manage(first(), "POST", `/directory/import/${id}/run`, { data_version: "2026-3", allow_removals: 30_000 })
  await manage(second(), "DELETE", `/directory/import/${id}`)
  const found = await ended()
  // It may have been done a moment before.
  if (found !== null) expect(found.phase).toBe("imported")
  await expect.poll(stored).toEqual({ count: 0, folders: [] })
  const tables = await query("SELECT relname FROM pg_class WHERE relname LIKE 'units\\_%' AND relkind = 'r'")
  const editions = await query("SELECT edition FROM postcode.directory_editions")
  expect(tables).toHaveLength(editions.length)
}, 60_000)

it("does not import beside the command, and names it", async () => {
  const id = await upload(units, "units.csv")
  const [{ locked } = {}] = await query("SELECT pg_try_advisory_lock(7305440120) AS locked")
  expect(locked).toBe(true)
  await manage(first(), "POST", `/directory/import/${id}/run`, { data_version: "2026-4", allow_removals: 30_000 })
  expect(await ended()).toMatchObject({ phase: "failed", problem: expect.stringMatching(/^another import is running/) })
  await query("SELECT pg_advisory_unlock(7305440120)")
  await manage(first(), "DELETE", `/directory/import/${id}`)
  expect(await stored()).toEqual({ count: 0, folders: [] })
}, 60_000)
