/** Reads a folder with `places.csv` and `units.csv`, which may be compressed, as a directory and its addresses. */
import { createReadStream, existsSync } from "node:fs"
import { join } from "node:path"
import { createGunzip } from "node:zlib"
import { DirectoryReader } from "@postcode/core/Csv"
import type { Directory } from "@postcode/core/Directory"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { type AddressRow, splitAddress } from "./AddressRow.ts"

export interface Addresses {
  readonly directory: Directory
  /** The addresses of the active units. */
  readonly rows: ReadonlyArray<AddressRow>
  /** The attributes of a unit by its id. */
  readonly attributesOf: (id: number) => UnitAttributes
}

/** @throws Error if a file is missing or a row is bad */
export const readFolder = async (folder: string): Promise<Addresses> => {
  const attributes: Array<UnitAttributes> = []
  const faults: Array<string> = []
  const reader = new DirectoryReader({
    addresses: true,
    onAttributes: (row, read) => {
      attributes[row] = read
    },
    onBadRow: ({ file, line, reason }) => faults.push(`${file}.csv:${line} ${reason}`)
  })
  for await (const chunk of read(join(folder, "places.csv"))) reader.writePlaces(chunk)
  for await (const chunk of read(join(folder, "units.csv"))) reader.writeUnits(chunk)
  const result = reader.finish()
  if (!result.ok) throw new Error(`${folder}: ${result.badRows} bad rows: ${faults.slice(0, 3).join("; ")}`)
  const { directory, rowOfUnit } = result
  const attributesOf = (id: number): UnitAttributes => attributes[rowOfUnit[id] as number] as UnitAttributes
  return { directory, rows: rowsOf(directory, attributesOf), attributesOf }
}

export const rowsOf = (
  directory: Directory,
  attributesOf: (id: number) => UnitAttributes
): ReadonlyArray<AddressRow> => {
  const names = new Map(directory.places.map(({ code, name }) => [code as string, name]))
  const rows: Array<AddressRow> = []
  for (let id = 0; id < directory.size; id++) {
    if (!directory.isActive(id)) continue
    const postcode = directory.postcodeAt(id)
    const { locality_name, recent_address } = attributesOf(id)
    const lga = names.get(postcode.slice(0, 5)) ?? ""
    const state = names.get(postcode.slice(0, 2)) ?? ""
    rows.push(splitAddress({ postcode, locality_name, recent_address, lga, state }))
  }
  return rows
}

async function* read(path: string): AsyncGenerator<Uint8Array> {
  if (existsSync(path)) yield* createReadStream(path)
  else yield* createReadStream(`${path}.gz`).pipe(createGunzip())
}
