/** A directory of seven units, few enough to know by heart, and what is known of them. */

import type { UnitsSample } from "@postcode/conformance"
import { checkDirectory, warningsOf } from "@postcode/core/Csv"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import { UnitColumns } from "@postcode/memory"

/** The postcodes of the units, and one that is of none. */
export const codes = {
  /** Active, everything is known. */
  whole: "LA-12-A03-BG-07",
  /** Active, 22 m to the north of it; some is known. */
  partly: "LA-12-A03-BG-09",
  /** Active, on the very same point; nothing is known but the names of state and LGA. */
  bare: "LA-12-A03-BG-08",
  /** Retired and replaced by `whole`, 11 m to the north of it; everything is known. */
  retired: "LA-12-A03-BG-99",
  /** Active, in a local government area without a name. */
  unnamedLga: "LA-77-ZZZ-QQ-01",
  /** Active, in a state without a name. */
  unnamedState: "XX-01-X1Y-ZZ-00",
  /** Active, 1.1 km to the north of `whole`. */
  far: "LA-12-B00-AA-01",
  /** In no directory. */
  unknown: "LA-12-A03-BG-01"
} as const satisfies Record<string, string> as unknown as Readonly<Record<UnitName | "unknown", Postcode>>

type UnitName = "whole" | "partly" | "bare" | "retired" | "unnamedLga" | "unnamedState" | "far"

/** Where `whole` is. */
export const origin = { lat: 6.6018, lon: 3.3515 }

const everything: UnitAttributes = {
  locality_name: "Ọjọ́dù",
  recent_address: "4 Ògúnnúsì Road, “Flat 2”",
  building_use_status: "residential",
  building_type: "duplex",
  building_owner: "private",
  delivery_point: true
}

/** What is known of each unit. */
export const attributesOf: Readonly<Record<UnitName, UnitAttributes>> = {
  whole: everything,
  partly: { locality_name: "Ikeja GRA", building_type: "duplex", delivery_point: false },
  bare: {},
  retired: everything,
  unnamedLga: { recent_address: "1 Creek Lane" },
  unnamedState: {},
  far: { locality_name: "Ọjọ́dù", building_use_status: "commercial" }
}

/** What is known of some units, whatever directory holds them. */
export const unitsSample: UnitsSample = {
  known: (["whole", "partly", "bare", "retired", "unnamedLga"] as const).map((name) => [
    codes[name],
    attributesOf[name]
  ]),
  unknown: codes.unknown
}

const north = (degrees: number) => ({ lat: origin.lat + degrees, lon: origin.lon })

const points: Readonly<Record<UnitName, { readonly lat: number; readonly lon: number }>> = {
  whole: origin,
  partly: north(0.0002),
  bare: north(0.0002),
  retired: north(0.0001),
  unnamedLga: { lat: 6.45, lon: 3.2 },
  unnamedState: { lat: 12, lon: 8.5 },
  far: north(0.01)
}

const build = () => {
  const builder = new DirectoryBuilder({ addresses: true })
  builder.addPlace({ code: "LA" as PartialPostcode, name: "Lagos", zone: "South West" })
  builder.addPlace({ code: "LA-12" as PartialPostcode, name: "Ikeja" })
  const columns = new UnitColumns()
  for (const name of Object.keys(attributesOf) as Array<UnitName>) {
    const active = name !== "retired"
    const replaced_by = active ? undefined : codes.whole
    const row = builder.addUnit(codes[name], points[name], active, { ...attributesOf[name], replaced_by })
    columns.add(row, attributesOf[name])
  }
  const built = builder.build()
  if (!built.ok) throw new Error("the postcodes of the small directory are not unique")
  return {
    directory: built.directory,
    read: columns.attributesOf(built.rowOfUnit),
    // As in a file with a header, and the rows in their order.
    lineOf: (id: number) => 2 + (built.rowOfUnit[id] as number)
  }
}

const { directory, lineOf, read } = build()

export { directory, read }

/** The directory and what is known of its units, as operations find them. */
export const layerSmallDirectory = layerDirectory(directory, read, {
  warnings: warningsOf(checkDirectory(directory), directory, lineOf)
})
