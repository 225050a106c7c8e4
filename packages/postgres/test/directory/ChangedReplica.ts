/** Changes as another process makes them, and waiting until a replica has them. */
import { assert } from "@effect/vitest"
import type { UnitChange } from "@postcode/core/Changes"
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { type ChangeBatch, DirectoryChanges } from "@postcode/gateway/directory/changes/DirectoryChanges"
import { layerDatabase, layerDirectoryChanges } from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import { quiet } from "./Replica.ts"

export const coordinate = { lat: 6.61, lon: 3.36 }

/** A unit that the directory does not have. */
export const newUnit = (number: number) =>
  `LA-12-B${String(number % 100).padStart(2, "0")}-AA-${String(Math.trunc(number / 100)).padStart(2, "0")}` as Postcode

export const add = (number: number): UnitChange => ({ change: "add", postcode: newUnit(number), coordinate })

let batches = 0
const batchOf = (changes: ReadonlyArray<UnitChange>): ChangeBatch => ({
  changes,
  reference: `batch-${++batches}`,
  reason: "a test",
  actor: "operator",
  at: new Date().toISOString()
})

/** Applies changes as another process does. */
export const change = (url: string, ...changes: ReadonlyArray<UnitChange>) =>
  Effect.gen(function* () {
    const outcome = yield* (yield* DirectoryChanges).apply(batchOf(changes), false)
    assert.strictEqual(outcome._tag, "Applied")
  }).pipe(Effect.provide(databaseOf(url)))

export const databaseOf = (url: string) =>
  Layer.provideMerge(layerDirectoryChanges, layerDatabase({ url: Redacted.make(url), maxConnections: 1 })).pipe(
    Layer.provideMerge(quiet)
  )

export const current = Effect.map(CurrentDirectory, ({ get }) => get())

/** Waits until a replica has so many changes, up to the test's time limit. */
export const has = (changes: number): Effect.Effect<Directory, never, CurrentDirectory> =>
  Effect.flatMap(current, (directory) =>
    directory.changes === changes ? Effect.succeed(directory) : Effect.andThen(Effect.sleep(10), has(changes))
  )

export const execute = (url: string, statement: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(statement)
    await client.end()
  })
