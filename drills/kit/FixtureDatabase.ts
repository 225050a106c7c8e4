/** A database that holds the fixture's directory, and what a gateway needs of it. */

import { fixtureEdition, fixturePlaces, fixtureUnits } from "@postcode/conformance/wire"
import {
  layerCurrentDirectory,
  layerDirectoryChanges,
  layerDirectoryImports,
  layerUnits,
  PostgresStore
} from "@postcode/postgres"
import { runImport } from "@postcode/server/imports/runImport"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { importForTests, makeMigratedDatabase, type TestDatabase } from "./postgres/index.ts"

/** Imports the fixture's directory into the database there. */
export const importFixture = (url: string): Promise<void> =>
  importForTests(url, { places: fixturePlaces, units: fixtureUnits, ...fixtureEdition })

/** A new database that holds it. */
export const makeFixtureDatabase = async (): Promise<TestDatabase> => {
  const database = await makeMigratedDatabase()
  await importFixture(database.url)
  return database
}

/** The address of a new database that holds it. */
export const fixtureDatabase: Effect.Effect<string, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(Effect.promise(makeFixtureDatabase), ({ drop }) => Effect.promise(drop)),
  ({ url }) => url
)

/** All that a gateway stores and serves, on the database there. */
export const layerStoreOn = (url: string) =>
  Layer.mergeAll(
    layerUnits,
    layerDirectoryChanges,
    layerDirectoryImports((id) => runImport({ id, url }))
  ).pipe(
    Layer.provideMerge(layerCurrentDirectory),
    Layer.provideMerge(PostgresStore.layer({ url: Redacted.make(url) }))
  )
