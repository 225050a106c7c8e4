/**
 * A directory as two CSV files, the format in which it is imported and exported.
 *
 * `places.csv` has the columns code, name and zone; `units.csv` postcode, lat, lon, status, locality_name,
 * recent_address, building_use_status, building_type, building_owner and delivery_point. A header names them, in any
 * order. Columns of other names are left aside.
 */

import { type Postcode, parse, parsePartial } from "../../postcode/Postcode.ts"
import { pack } from "../codes/PackedCode.ts"
import type { Directory } from "../Directory.ts"
import { DirectoryBuilder, type Duplicate } from "../DirectoryBuilder.ts"
import type { Place } from "../Place.ts"
import { fromE7, isLatitude, isLongitude, toE7 } from "../space/Coordinate.ts"
import type { UnitAttributes } from "../UnitAttributes.ts"
import { csvLine } from "./Csv.ts"
import { CsvTable } from "./CsvTable.ts"
import { LineNumbers } from "./LineNumbers.ts"
import { UnitBytes } from "./UnitBytes.ts"
import { UnitsCsv } from "./UnitsCsv.ts"

/** The columns of `places.csv`, all of which its header has to name. */
export const placeColumns = ["code", "name", "zone"] as const

/** The columns of `units.csv`, all of which its header has to name. */
export const unitColumns = [
  "postcode",
  "lat",
  "lon",
  "status",
  "locality_name",
  "recent_address",
  "building_use_status",
  "building_type",
  "building_owner",
  "delivery_point"
] as const

/** A row that could not be taken. Line 1 is the header. */
export interface BadRow {
  readonly file: "places" | "units"
  readonly line: number
  /** Every fault of the row, by column: `lat: expected …; status: expected active or retired`. */
  readonly reason: string
}

/** How two files are read, and who is told of what. */
export interface DirectoryReaderOptions {
  readonly version?: string
  readonly date?: string
  /** How many units there will be, if that is known. More may come. */
  readonly capacity?: number
  /** Leave bad rows out and take the rest. A file with a bad header, or not in UTF-8, can't be taken all the same. */
  readonly skipBadRows?: boolean
  /** Called for each bad row as it is found; for repeated postcodes and missing states only at the end. */
  readonly onBadRow?: (badRow: BadRow) => void
  /**
   * Called for each unit row that is well formed, with its number and what it says of the unit. Rows are numbered from 0
   * without the bad ones. Whether all of them count shows at the end; `rowOfUnit` leads from units back to them.
   */
  readonly onAttributes?: (row: number, attributes: UnitAttributes) => void
  /**
   * Whether to keep unit rows that are well formed for `takeUnitsCsv`, by their numbers: for whoever hands them on to
   * another program, as they come. None are kept unless told.
   */
  readonly handsOn?: (row: number) => boolean
}

/** A directory; or none, because of bad rows, whose number is said. */
export type ReadResult =
  | {
      readonly ok: true
      readonly directory: Directory
      /** Unit id → the number of its row. */
      readonly rowOfUnit: Uint32Array
      readonly badRows: number
    }
  | { readonly ok: false; readonly badRows: number }

/**
 * Reads the two files as they come, in any order or in turn, and checks every row. All or nothing: one bad row, and
 * there is no directory, unless bad rows are to be skipped.
 *
 * A file comes either as text or as bytes, in chunks that may be cut anywhere. Bytes are three times as fast, since most
 * rows are then read without making a string; they may be overwritten once they are written. Those that are not UTF-8
 * are a bad row, and the last one that is read.
 *
 * ```ts
 * const reader = new DirectoryReader({ onBadRow: ({ file, line, reason }) => log(`${file}.csv:${line} ${reason}`) })
 * for await (const chunk of places) reader.writePlaces(chunk)
 * for await (const chunk of units) reader.writeUnits(chunk)
 * const read = reader.finish()
 * ```
 */
export class DirectoryReader {
  private readonly options: DirectoryReaderOptions
  private readonly builder: DirectoryBuilder
  private readonly places: CsvTable
  private readonly units: CsvTable
  private readonly unitBytes = new UnitBytes((line) => this.takeUnitBytes(line))
  private readonly unitsCsv = new UnitsCsv()
  /** Well-formed places by code, and the lines they stand on. */
  private readonly placeRows = new Map<string, { readonly place: Place; readonly line: number }>()
  private readonly lines = new LineNumbers()
  private badRows = 0
  private rows = 0
  /** Whether both files have a header; undefined until they have ended. */
  private haveHeaders: boolean | undefined

  constructor(options: DirectoryReaderOptions = {}) {
    this.options = options
    this.builder = new DirectoryBuilder(options)
    this.places = new CsvTable(placeColumns, {
      onRow: (fields, line) => this.takePlace(fields, line),
      onBadRow: (line, reason) => this.refuse("places", line, reason)
    })
    this.units = new CsvTable(unitColumns, {
      onRow: (fields, line) => this.takeUnit(fields, line),
      onBadRow: (line, reason) => this.refuse("units", line, reason),
      byteRows: this.unitBytes
    })
  }

  writePlaces(chunk: string | Uint8Array): void {
    this.places.write(chunk)
  }

  writeUnits(chunk: string | Uint8Array): void {
    this.units.write(chunk)
  }

  /**
   * The rows that were kept since the last call, as CSV that programs agree on: the columns of `unitColumns` without a
   * header, postcodes in their canonical form, lines that end with LF, fields in quotes where they need them. The bytes
   * are overwritten by what is written next.
   */
  takeUnitsCsv(): Uint8Array {
    return this.unitsCsv.take()
  }

  /** Unit rows taken so far, for showing progress. */
  get unitRows(): number {
    return this.rows
  }

  /**
   * Says that no more of either file comes, as `finish` does by itself. For whoever hands rows on: the last one may show
   * only now.
   */
  end(): void {
    this.haveHeaders ??= [this.places.end(), this.units.end()].every(Boolean)
  }

  /** Builds the directory of what has come. */
  finish(): ReadResult {
    this.end()
    // What is missing behind the line where reading stopped would only be complained of.
    if (!this.places.isUtf8 || !this.units.isUtf8) return { ok: false, badRows: this.badRows }
    this.addPlaces()
    const skip = this.options.skipBadRows === true
    if (this.haveHeaders !== true || (this.badRows > 0 && !skip)) {
      this.refuseDuplicates(this.builder.duplicates())
      return { ok: false, badRows: this.badRows }
    }
    const built = this.builder.build({ skipDuplicates: skip })
    this.refuseDuplicates(built.duplicates)
    if (!built.ok) return { ok: false, badRows: this.badRows }
    const { badRows } = this
    return {
      ok: true,
      directory: built.directory,
      get rowOfUnit() {
        return built.rowOfUnit
      },
      badRows
    }
  }

  private takePlace(fields: ReadonlyArray<string>, line: number): void {
    const [code, name, zone] = fields.map((field) => field.trim()) as unknown as PlaceFields
    const parsed = parsePartial(code)
    const earlier = parsed.ok ? this.placeRows.get(parsed.partial) : undefined
    if (!parsed.ok) this.refuse("places", line, `code: ${parsed.error.message}`)
    else if (earlier !== undefined) this.refuse("places", line, `code: repeats that of line ${earlier.line}`)
    else {
      const place = { code: parsed.partial, name, ...(zone === "" ? {} : { zone }) }
      this.placeRows.set(parsed.partial, { place, line })
    }
  }

  private addPlaces(): void {
    // States first, whatever the order of the file: a local government area can't be added before its state.
    const rows = [...this.placeRows.values()].sort((a, b) => a.place.code.length - b.place.code.length)
    const refused = rows.flatMap(({ line, place }) => {
      const added = this.builder.addPlace(place)
      return added.ok ? [] : [{ line, reason: added.reason }]
    })
    for (const { line, reason } of refused.sort((a, b) => a.line - b.line)) this.refuse("places", line, reason)
  }

  private takeUnit(fields: ReadonlyArray<string>, line: number): void {
    const [postcode, lat, lon, status, ...described] = fields as UnitFields
    const parsed = parse(postcode)
    const latitude = decimal(lat)
    const longitude = decimal(lon)
    const isPlace = isLatitude(latitude) && isLongitude(longitude)
    const isValid = isPlace && isStatus(status) && isFlag(described[5]) && described.every(isText)
    if (parsed.ok && isValid) {
      const isActive = status === "active"
      const row = this.addUnit(pack(parsed.postcode), toE7(latitude), toE7(longitude), isActive, line)
      if (this.options.handsOn?.(row))
        this.unitsCsv.add([parsed.postcode, degrees(toE7(latitude)), degrees(toE7(longitude)), status, ...described])
      this.options.onAttributes?.(row, attributesOf(described))
    } else this.refuse("units", line, unitFaults(fields as UnitFields))
  }

  private takeUnitBytes(line: number): void {
    const { isActive, lat_e7, lon_e7, packedCode } = this.unitBytes
    const row = this.addUnit(packedCode, lat_e7, lon_e7, isActive, line)
    const { handsOn, onAttributes } = this.options
    if (handsOn?.(row)) this.unitsCsv.addScanned(this.unitBytes)
    onAttributes?.(row, attributesOf(this.unitBytes.described() as DescribedFields))
  }

  private addUnit(packedCode: number, lat_e7: number, lon_e7: number, isActive: boolean, line: number): number {
    const row = this.builder.addPackedUnit(packedCode, lat_e7, lon_e7, isActive)
    this.lines.add(row, line)
    this.rows++
    return row
  }

  private refuseDuplicates(duplicates: Iterable<Duplicate>): void {
    for (const { postcode, rows } of duplicates) {
      const [first, second] = rows.map((row) => this.lines.lineOf(row)) as [number, number]
      this.refuse("units", second, `postcode: repeats ${postcode} of line ${first}`)
    }
  }

  private refuse(file: BadRow["file"], line: number, reason: string): void {
    this.badRows++
    this.options.onBadRow?.({ file, line, reason })
  }
}

/** The header of places.csv, a line of CSV. */
export const placesHeader = csvLine(placeColumns)

/** The header of units.csv. */
export const unitsHeader = csvLine(unitColumns)

/** A row of places.csv. */
export const placeLine = (place: Place): string => csvLine([place.code, place.name, place.zone ?? ""])

/** A row of units.csv; the place in 1e-7 degrees, as directories keep it. */
export const unitLine = (
  postcode: Postcode,
  lat_e7: number,
  lon_e7: number,
  active: boolean,
  attributes: UnitAttributes
): string =>
  csvLine([
    postcode,
    degrees(lat_e7),
    degrees(lon_e7),
    active ? "active" : "retired",
    attributes.locality_name ?? "",
    attributes.recent_address ?? "",
    attributes.building_use_status ?? "",
    attributes.building_type ?? "",
    attributes.building_owner ?? "",
    attributes.delivery_point === undefined ? "" : String(attributes.delivery_point)
  ])

type PlaceFields = readonly [code: string, name: string, zone: string]
type DescribedFields = readonly [
  locality_name: string,
  recent_address: string,
  building_use_status: string,
  building_type: string,
  building_owner: string,
  delivery_point: string
]
type UnitFields = readonly [postcode: string, lat: string, lon: string, status: string, ...DescribedFields]

const describedColumns = unitColumns.slice(4, 9)

/** No text has it, and not every store can hold it. */
const isText = (text: string): boolean => !text.includes("\0")

const isStatus = (status: string): boolean => status === "active" || status === "retired"
const isFlag = (flag: string): boolean => flag === "true" || flag === "false" || flag === ""

/** Digits with a sign and decimals where needed, and nothing else that JavaScript takes for a number; else NaN. */
const decimal = (text: string): number => (/^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN)

const unitFaults = ([postcode, lat, lon, status, ...described]: UnitFields): string => {
  const parsed = parse(postcode)
  const faults: Array<string> = []
  if (!parsed.ok) faults.push(`postcode: ${parsed.error.message}`)
  if (!isLatitude(decimal(lat))) faults.push("lat: expected a decimal number of degrees from -90 to 90")
  if (!isLongitude(decimal(lon))) faults.push("lon: expected a decimal number of degrees from -180 to 180")
  if (!isStatus(status)) faults.push("status: expected active or retired")
  for (const [index, name] of describedColumns.entries()) {
    if (!isText(described[index] as string)) faults.push(`${name}: expected text, found a NUL character`)
  }
  if (!isFlag(described[5])) faults.push("delivery_point: expected true, false or nothing")
  return faults.join("; ")
}

const attributesOf = ([locality, address, use, type, owner, deliveryPoint]: DescribedFields): UnitAttributes => {
  const attributes: { -readonly [Key in keyof UnitAttributes]: UnitAttributes[Key] } = {}
  if (locality !== "") attributes.locality_name = locality
  if (address !== "") attributes.recent_address = address
  if (use !== "") attributes.building_use_status = use
  if (type !== "") attributes.building_type = type
  if (owner !== "") attributes.building_owner = owner
  if (deliveryPoint !== "") attributes.delivery_point = deliveryPoint === "true"
  return attributes
}

/** 1e-7 degrees as a decimal without needless zeros: `51164850` → `5.116485`. */
const degrees = (e7: number): string =>
  fromE7(e7)
    .toFixed(7)
    .replace(/\.?0+$/, "")
