/** Where the addresses of a benchmark come from: a folder of CSV files, or the demonstration. */
import { type Directory, unpack } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { demoAttributes, demoUnits, nigeriaPlaces } from "@postcode/demo"
import { type Addresses, readFolder, rowsOf } from "./readFolder.ts"

export interface Source {
  /** A folder with `places.csv` and `units.csv`; the demonstration if undefined. */
  readonly folder: string | undefined
  /** Units of the demonstration. */
  readonly units: number
}

export const readSource = ({ folder, units }: Source): Promise<Addresses> | Addresses => {
  if (folder !== undefined) return readFolder(folder)
  const directory = buildDemo(units, true)
  const ofPostcode = demoAttributes()
  const attributesOf = (id: number) => ofPostcode(directory.postcodeAt(id))
  return { directory, rows: rowsOf(directory, attributesOf), attributesOf }
}

/** The demonstration with its addresses, which are generated unit by unit, or without them. */
export const buildDemo = (units: number, addresses: boolean): Directory => {
  const builder = new DirectoryBuilder({ capacity: units, version: `demo-${units}`, addresses })
  for (const place of nigeriaPlaces()) builder.addPlace(place)
  const attributesOf = demoAttributes()
  for (const { active, codes, count, lat_e7, lon_e7 } of demoUnits({ units })) {
    for (let i = 0; i < count; i++) {
      const code = codes[i] as number
      const address = addresses ? attributesOf(unpack(code)) : undefined
      builder.addPackedUnit(code, lat_e7[i] as number, lon_e7[i] as number, active[i] === 1, address)
    }
  }
  const built = builder.build()
  if (!built.ok) throw new Error("two units of the demonstration have one postcode")
  return built.directory
}

/** Only generates the addresses of the demonstration; returns their length. */
export const generateDemo = (units: number): number => {
  const attributesOf = demoAttributes()
  let length = 0
  for (const { codes, count } of demoUnits({ units })) {
    for (let i = 0; i < count; i++) length += attributesOf(unpack(codes[i] as number)).recent_address?.length ?? 0
  }
  return length
}
