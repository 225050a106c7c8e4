/** Compares the directory that a service loads from the database with the rows there, unit by unit. */
import type { Directory } from "@postcode/core/Directory"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { layerCurrentDirectory, layerDatabase } from "@postcode/postgres"
import { Layer, Logger, ManagedRuntime, Redacted } from "effect"
import type { Wrong } from "../kit/LedgerRow.ts"
import { placeAt, type StoredDirectory, type StoredUnits } from "./StoredDirectory.ts"

export const wrongDirectory = async (url: string, stored: StoredDirectory): Promise<Wrong> => {
  const database = Layer.merge(layerDatabase({ url: Redacted.make(url), maxConnections: 2 }), Logger.layer([]))
  const runtime = ManagedRuntime.make(layerCurrentDirectory.pipe(Layer.provide(database)))
  try {
    const { get } = await runtime.runPromise(CurrentDirectory)
    return { "a unit of the directory that differs from its row": differences(get(), stored) }
  } finally {
    await runtime.dispose()
  }
}

const differences = (directory: Directory, { changes, units }: StoredDirectory): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  const expectEqual = (what: string, found: unknown, expected: unknown) => {
    if (found !== expected && wrong.length < maxExamples) wrong.push(`${what}: ${found} in place of ${expected}`)
  }
  expectEqual("changes", directory.changes, changes)
  expectEqual("units", directory.size, units.codes.length)
  expectEqual("active units", directory.activeSize, activeUnits(units))
  for (let at = 0; at < units.codes.length; at++) {
    const { active, lat_e7, lon_e7, postcode, replaced_by } = placeAt(units, at)
    const id = directory.find(postcode)
    expectEqual(`${postcode} exists`, id >= 0, true)
    if (id < 0) continue
    const { lat, lon } = directory.coordinateAt(id)
    expectEqual(`${postcode}, active`, directory.isActive(id), active)
    expectEqual(`${postcode}, lat`, Math.round(lat * 1e7), lat_e7)
    expectEqual(`${postcode}, lon`, Math.round(lon * 1e7), lon_e7)
    expectEqual(`${postcode}, successor`, directory.replacedBy(postcode), replaced_by)
  }
  return wrong
}

const activeUnits = ({ actives }: StoredUnits): number => actives.reduce((sum, active) => sum + active, 0)

const maxExamples = 20
