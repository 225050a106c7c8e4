/** Two editions of a small directory, and replicas that serve them. */

import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { importForTests, makeMigratedDatabase, type TestDirectory, type TestUnit } from "@postcode/drills/postgres"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { layerCurrentDirectory, layerDatabase, layerUnits } from "@postcode/postgres"
import { Effect, Layer, Logger, Redacted } from "effect"
import { afterAll } from "vitest"

export const codes = {
  whole: "LA-12-A03-BG-07" as Postcode,
  partly: "LA-12-A03-BG-08" as Postcode,
  bare: "LA-12-A03-BG-09" as Postcode,
  retired: "LA-12-A03-BH-01" as Postcode,
  unknown: "LA-12-A03-BG-99" as Postcode
}

export const everything: UnitAttributes = {
  locality_name: "Ọ̀págbé",
  recent_address: '7 "Old" Road,\r\nÌkẹjà \\. \\N',
  building_use_status: " mixed ",
  building_type: "'",
  building_owner: "Ade \\",
  delivery_point: true
}

export const unit = (postcode: Postcode, attributes: UnitAttributes, active = true): TestUnit => ({
  postcode,
  lat: 6.6,
  lon: 3.35,
  active,
  attributes
})

export const first: TestDirectory = {
  version: "2026-1",
  date: "2026-01-31",
  places: [{ code: "LA" as PartialPostcode, name: "Lagos", zone: "South West" }],
  units: [
    unit(codes.whole, everything),
    unit(codes.partly, { recent_address: "9 Awolowo Way", delivery_point: false }),
    unit(codes.bare, {}),
    { ...unit(codes.retired, { locality_name: "Oregun" }, false), replaced_by: codes.whole }
  ]
}

export const second: TestDirectory = {
  ...first,
  version: "2026-2",
  units: [
    { ...unit(codes.whole, everything, false), replaced_by: codes.unknown },
    unit(codes.retired, {}),
    unit(codes.unknown, {})
  ]
}

/** A database with a current directory, for the tests of a file. */
export const databaseWith = async (directory: TestDirectory): Promise<string> => {
  const { drop, url } = await makeMigratedDatabase()
  afterAll(drop)
  await importForTests(url, directory)
  return url
}

/** Without logs, because the tests cause the logged failures. */
export const quiet = Logger.layer([])

export const replicaOf = (url: string) =>
  Layer.provideMerge(layerUnits, layerCurrentDirectory).pipe(
    Layer.provideMerge(layerDatabase({ url: Redacted.make(url), maxConnections: 4 })),
    Layer.provideMerge(quiet)
  )

export const version = Effect.map(CurrentDirectory, ({ get }) => get().version)

/** Waits until a replica serves a version, up to the test's time limit. */
export const serves = (expected: string): Effect.Effect<void, never, CurrentDirectory> =>
  Effect.flatMap(version, (found) =>
    found === expected ? Effect.void : Effect.andThen(Effect.sleep(20), serves(expected))
  )
