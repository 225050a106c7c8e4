/** The rows of a demonstration directory in memory. */
import type { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { demoUnits, nigeriaPlaces } from "@postcode/demo"

export interface Rows {
  readonly codes: Float64Array
  readonly lats_e7: Int32Array
  readonly lons_e7: Int32Array
  readonly actives: Uint8Array
}

export const demoRows = (units: number): Rows => {
  const codes = new Float64Array(units)
  const lats_e7 = new Int32Array(units)
  const lons_e7 = new Int32Array(units)
  const actives = new Uint8Array(units)
  let rows = 0
  for (const chunk of demoUnits({ units })) {
    codes.set(chunk.codes.subarray(0, chunk.count), rows)
    lats_e7.set(chunk.lat_e7.subarray(0, chunk.count), rows)
    lons_e7.set(chunk.lon_e7.subarray(0, chunk.count), rows)
    actives.set(chunk.active.subarray(0, chunk.count), rows)
    rows += chunk.count
  }
  return { codes, lats_e7, lons_e7, actives }
}

export const buildDirectory = ({ codes, lats_e7, lons_e7, actives }: Rows): Directory => {
  const builder = new DirectoryBuilder({ capacity: codes.length, version: `demo-${codes.length}` })
  for (const place of nigeriaPlaces()) builder.addPlace(place)
  for (let row = 0; row < codes.length; row++) {
    builder.addPackedUnit(
      codes[row] as number,
      lats_e7[row] as number,
      lons_e7[row] as number,
      (actives[row] as number) === 1
    )
  }
  const built = builder.build()
  if (!built.ok) throw new Error("two units of the demonstration have one postcode")
  return built.directory
}
