/**
 * `kill -9` at random moments of an import, while a replica searches: the old or the new edition is
 * current, whole, and no search fails.
 */
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { nearest } from "@postcode/core/ReverseGeocoder"
import { demoAttributes, demoPlacesCsv, demoUnitsCsv } from "@postcode/demo"
import { makeTestDatabase } from "@postcode/drills/postgres"
import { ended, start } from "@postcode/drills/StartCommand"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { layerTestSecrets } from "@postcode/drills/TestSecrets"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { Units } from "@postcode/gateway/directory/Units"
import {
  layerCurrentDirectory,
  layerDatabase,
  layerUnits,
  openCurrentDirectory,
  PostgresStore
} from "@postcode/postgres"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { afterAll, assert, expect, it } from "vitest"
import { queriesOf } from "../Queries.ts"
import { run } from "../RunCommand.ts"

const database = await makeTestDatabase()
afterAll(database.drop)
const query = queriesOf(database.url)
const env = { DATABASE_URL: database.url }

const kills = 10
const sizes = { a: 20_000, b: 19_000 } as const

/** Imports the folder of an edition. b lacks a twentieth of the units of a. */
const importArguments = (path: string, version: string) => [
  ...["import", path, "--data-version", version],
  ...["--force", "--allow-removals", "all"]
]

/** The folder of an edition; both have the same seed, so that they share most postcodes. */
const writeEdition = async (folder: string, name: keyof typeof sizes): Promise<string> => {
  const path = join(folder, name)
  const units = [...demoUnitsCsv({ units: sizes[name], seed: 1 })].map(({ text }) => text).join("")
  await writeFiles(path, { "places.csv": demoPlacesCsv(), "units.csv": units })
  return path
}

it("leaves the old or the new edition current, whole, and no search of a replica fails", async () => {
  await using folder = await temporaryFolder()
  const paths = { a: await writeEdition(folder.path, "a"), b: await writeEdition(folder.path, "b") }
  const begun_ms = performance.now()
  expect(await run(importArguments(paths.a, "a"), { env })).toMatchObject({ code: 0 })
  const whole_ms = performance.now() - begun_ms
  const replica = startSearching()
  for (let kill = 0; kill < kills; kill++) {
    const next = kill % 2 === 0 ? "b" : "a"
    const child = start(importArguments(paths[next], next), { env })
    const end = ended(child)
    // Spread over the whole of it, each elsewhere within its tenth.
    await setTimeout(((kill + ((kill * 0.618) % 1)) / kills) * whole_ms)
    child.kill("SIGKILL")
    await end
    await expectWhole()
  }
  // It can be repeated, and replicas have it at once.
  expect(await run(importArguments(paths.b, "last"), { env })).toMatchObject({ code: 0 })
  await expect.poll(replica.version).toBe("last")
  const { failures, searches } = await replica.stop()
  expect(failures).toEqual([])
  expect(searches).toBeGreaterThan(100)
  const tables = await query("SELECT tablename FROM pg_tables WHERE tablename ~ '^units_'")
  expect(tables).toHaveLength(2)
})

/** One edition is current, with all of its rows and a snapshot of the same. */
const expectWhole = async (): Promise<void> => {
  const current = await query("SELECT edition, version, units FROM postcode.directory_editions WHERE is_current")
  expect(current).toHaveLength(1)
  const { edition, units, version } = current[0] as { edition: number; units: number; version: "a" | "b" }
  expect(units).toBe(sizes[version])
  const rows = await query(`SELECT count(*)::integer AS rows, count(DISTINCT postcode)::integer AS postcodes
    FROM postcode.units_${edition}`)
  expect(rows).toEqual([{ rows: units, postcodes: units }])
  const noted = await query(`SELECT subject FROM postcode.audit_events WHERE action = 'directory.imported'
    ORDER BY number DESC LIMIT 1`)
  expect(noted).toEqual([{ subject: String(edition) }])
  const loaded = await Effect.runPromise(
    Effect.provide(openCurrentDirectory, layerDatabase({ url: Redacted.make(database.url) }))
  )
  expect(loaded.size).toBe(units)
}

/** A replica that searches again and again; every answer has to fit the edition that it was given from. */
const startSearching = () => {
  const failures: Array<unknown> = []
  let searches = 0
  let isStopped = false
  const layer = Layer.provideMerge(layerUnits, layerCurrentDirectory).pipe(
    Layer.provideMerge(PostgresStore.layer({ url: Redacted.make(database.url) })),
    Layer.provide(layerTestSecrets),
    Layer.provideMerge(Logger.layer([]))
  )
  const runtime = ManagedRuntime.make(layer)
  const attributesOf = demoAttributes(1)
  const search = Effect.gen(function* () {
    const { get } = yield* CurrentDirectory
    const directory = get()
    const id = (searches++ * 7_919) % directory.size
    const postcode = directory.postcodeAt(id)
    const [known] = yield* (yield* Units).attributes([postcode])
    // Between the two another edition may have come into force, which lacks the unit.
    if (get() === directory) assert.deepStrictEqual(known, attributesOf(postcode))
    const hit = nearest(directory, directory.coordinateAt(id), 25)
    if (directory.isActive(id)) assert.isDefined(hit, `${postcode} is near itself`)
  })
  const searching = (async () => {
    while (!isStopped) {
      await runtime.runPromise(search).catch((error: unknown) => failures.push(error))
      await setTimeout(2)
    }
  })()
  return {
    version: () => runtime.runPromise(Effect.map(CurrentDirectory, ({ get }) => get().version)),
    stop: async () => {
      isStopped = true
      await searching
      await runtime.dispose()
      return { failures, searches }
    }
  }
}
