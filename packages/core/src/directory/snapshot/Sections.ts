/**
 * The sections of a snapshot: one for each array and each integer of a directory, named after its field, and one for
 * the places. The tables of fields below define them all. A missing field, or one of another type, does not compile.
 */

import type { LevelSums } from "../codes/LocationSums.ts"
import type { AreaLevel, TreeLevel } from "../codes/SegmentTree.ts"
import type { Successors } from "../codes/Successors.ts"
import type { SpatialIndex } from "../space/SpatialIndex.ts"
import type { AddressIndex } from "../text/AddressIndex.ts"
import type { DirectoryContents } from "./DirectoryContents.ts"

export type ElementType = keyof Views

/** The code of each element type in the section table, and the constructor of its views. */
export const elementTypes = {
  uint8: { code: 1, View: Uint8Array },
  uint16: { code: 2, View: Uint16Array },
  uint32: { code: 3, View: Uint32Array },
  int32: { code: 4, View: Int32Array },
  float64: { code: 5, View: Float64Array }
} as const satisfies Record<ElementType, { readonly code: number; readonly View: unknown }>

export interface SectionKind {
  readonly name: string
  readonly type: ElementType
}

/** The bytes of all sections, in the order of the file. `places` is JSON. */
export const sectionBytes = (contents: DirectoryContents, places: Uint8Array): ReadonlyArray<Uint8Array> => {
  const { addresses = noAddresses, locationSums, spatial, successors, tree } = contents
  return [
    ...tree.levels.flatMap((level) => fieldBytes(levelFields, level)),
    ...fieldBytes(areaFields, tree.areas),
    ...fieldBytes(sumFields, locationSums.districts),
    ...fieldBytes(sumFields, locationSums.areas),
    ...fieldBytes(spatialFields, spatial),
    ...fieldBytes(successorFields, successors),
    ...fieldBytes(addressFields, addresses),
    places
  ]
}

/** The indexes over views of the sections. `viewOf` returns the view of a section by its name. */
export const assemble = (
  viewOf: (name: string) => SectionView
): Pick<DirectoryContents, "addresses" | "locationSums" | "spatial" | "successors" | "tree"> => {
  const addresses = assembleFields<AddressIndex>(addressFields, "addresses", viewOf)
  const level = (name: (typeof levelNames)[number]): TreeLevel => assembleFields(levelFields, `tree.${name}`, viewOf)
  return {
    tree: {
      levels: [level("state"), level("lga"), level("district")],
      areas: assembleFields<AreaLevel>(areaFields, "tree.area", viewOf)
    },
    locationSums: {
      districts: assembleFields<LevelSums>(sumFields, "districts", viewOf),
      areas: assembleFields<LevelSums>(sumFields, "areas", viewOf)
    },
    spatial: assembleFields<SpatialIndex>(spatialFields, "spatial", viewOf),
    successors: assembleFields<Successors>(successorFields, "successors", viewOf),
    // Every index has starts, so that empty sections are a directory without one.
    addresses: Object.values(addresses).every(({ length }) => length === 0) ? undefined : addresses
  }
}

export type SectionView = Views[ElementType]

interface Views {
  readonly uint8: Uint8Array
  readonly uint16: Uint16Array
  readonly uint32: Uint32Array
  readonly int32: Int32Array
  readonly float64: Float64Array
}

/** The type of a field's section. An integer is a section of one int32. */
type FieldType<T> = T extends number
  ? "integer"
  : { [Type in ElementType]: T extends Views[Type] ? Type : never }[ElementType]

type Fields<Fielded> = { readonly [Name in keyof Fielded]-?: FieldType<Fielded[Name]> }

const levelNames = ["state", "lga", "district"] as const

const levelFields: Fields<TreeLevel> = { values: "uint16", starts: "uint32", active: "uint32" }

const areaFields: Fields<AreaLevel> = { values: "uint16", units: "uint32" }

const sumFields: Fields<LevelSums> = { located: "uint32", lats_e7: "float64", lons_e7: "float64" }

const spatialFields: Fields<SpatialIndex> = {
  depth: "integer",
  splits: "int32",
  drifts: "uint8",
  units: "uint16",
  highs: "uint16",
  leafBlocks: "uint16",
  leafBlockStarts: "uint32",
  visible: "uint8"
}

const successorFields: Fields<Successors> = { codes: "float64", replacedBy: "float64" }

const addressFields: Fields<AddressIndex> = {
  lgas: "uint32",
  lgaLocalities: "uint32",
  localityTexts: "uint32",
  localityContexts: "uint32",
  localityNames: "uint32",
  localityUnits: "uint32",
  nameTexts: "uint32",
  nameContexts: "uint32",
  nameUnits: "uint32",
  units: "uint32",
  numbers: "uint32",
  textBytes: "uint8",
  textStarts: "uint32",
  textWordStarts: "uint32",
  textWords: "uint32",
  wordBytes: "uint8",
  wordStarts: "uint32",
  wordRarities: "uint8",
  nameRefStarts: "uint32",
  nameRefs: "uint32",
  localityRefStarts: "uint32",
  localityRefs: "uint32",
  misspellingStarts: "uint32",
  misspellings: "uint32"
}

const kindsOf = <Fielded>(prefix: string, fields: Fields<Fielded>): ReadonlyArray<SectionKind> =>
  entriesOf(fields).map(([name, type]) => ({ name: `${prefix}.${name}`, type: type === "integer" ? "int32" : type }))

const fieldBytes = <Fielded>(fields: Fields<Fielded>, record: Fielded): ReadonlyArray<Uint8Array> =>
  entriesOf(fields).map(([name]) => {
    const value: unknown = record[name]
    const view = typeof value === "number" ? Int32Array.of(value) : (value as SectionView)
    return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  })

const assembleFields = <Fielded>(
  fields: Fields<Fielded>,
  prefix: string,
  viewOf: (name: string) => SectionView
): Fielded => {
  const values = entriesOf(fields).map(([name, type]) => {
    const view = viewOf(`${prefix}.${name}`)
    return [name, type === "integer" ? view[0] : view]
  })
  // The views have the types in the table, and the table has those of the record.
  return Object.fromEntries(values) as Fielded
}

const noBytes = new Uint8Array(0)
const noNumbers = new Uint32Array(0)
const noAddresses: AddressIndex = {
  lgas: noNumbers,
  lgaLocalities: noNumbers,
  localityTexts: noNumbers,
  localityContexts: noNumbers,
  localityNames: noNumbers,
  localityUnits: noNumbers,
  nameTexts: noNumbers,
  nameContexts: noNumbers,
  nameUnits: noNumbers,
  units: noNumbers,
  numbers: noNumbers,
  textBytes: noBytes,
  textStarts: noNumbers,
  textWordStarts: noNumbers,
  textWords: noNumbers,
  wordBytes: noBytes,
  wordStarts: noNumbers,
  wordRarities: noBytes,
  nameRefStarts: noNumbers,
  nameRefs: noNumbers,
  localityRefStarts: noNumbers,
  localityRefs: noNumbers,
  misspellingStarts: noNumbers,
  misspellings: noNumbers
}

const entriesOf = <Fielded>(fields: Fields<Fielded>) =>
  Object.entries(fields) as ReadonlyArray<unknown> as ReadonlyArray<[keyof Fielded & string, ElementType | "integer"]>

/** All sections in the order of the file. */
export const sectionKinds: ReadonlyArray<SectionKind> = [
  ...levelNames.flatMap((name) => kindsOf(`tree.${name}`, levelFields)),
  ...kindsOf("tree.area", areaFields),
  ...kindsOf("districts", sumFields),
  ...kindsOf("areas", sumFields),
  ...kindsOf("spatial", spatialFields),
  ...kindsOf("successors", successorFields),
  ...kindsOf("addresses", addressFields),
  { name: "places", type: "uint8" }
]
