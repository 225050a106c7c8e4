/**
 * The import and export format of a directory: two CSV files, each with a header that names its columns in any order.
 * Columns with other names are ignored.
 */

import {
  type AttributeName,
  attributeEntry,
  attributeNames,
  attributeValue,
  expectedValue,
  type MutableAttributes,
  type UnitAttributes
} from "../../levels/UnitAttributes.ts"
import { isCanonical, type Postcode, parse, parsePartial } from "../../postcode/Postcode.ts"
import { lastPackedCode, readPostcode } from "../../postcode/SegmentReader.ts"
import { pack, unpack } from "../codes/PackedCode.ts"
import { successorFault } from "../codes/Successors.ts"
import type { Directory } from "../Directory.ts"
import { DirectoryBuilder, type Duplicate, type UnitDetails } from "../DirectoryBuilder.ts"
import type { Place } from "../places/Place.ts"
import { fromE7, isLatitude, isLongitude, toE7 } from "../space/Coordinate.ts"
import { textFault } from "../text/textFault.ts"
import { type CsvRow, csvLine, csvRow } from "./Csv.ts"
import { CsvTable } from "./CsvTable.ts"
import { LineNumbers } from "./LineNumbers.ts"
import { encodeUtf8 } from "./TextCoding.ts"

/** The required columns of `places.csv`. */
export const placeColumns = ["code", "name", "zone"] as const

const attributeColumns = (kind: "required" | "optional") =>
  attributeNames.filter((name) => attributeEntry(name).column === kind)

/** The columns that every `units.csv` has. */
export const requiredUnitColumns = ["postcode", "lat", "lon", "status", ...attributeColumns("required")] as const
const optionalColumns = ["replaced_by", ...attributeColumns("optional")] as const

/** The columns of `units.csv`: those that a file must have, and then the optional ones. */
export const unitColumns: ReadonlyArray<UnitColumn> = [...requiredUnitColumns, ...optionalColumns]

/** The name of a column of `units.csv`. */
export type UnitColumn = (typeof requiredUnitColumns)[number] | (typeof optionalColumns)[number]

/** The index of each column, by which `CsvTable` returns fields. */
const column = Object.fromEntries(unitColumns.map((name, index) => [name, index])) as Readonly<
  Record<UnitColumn, number>
>

/** Attributes whose text may be no value, with their columns. */
const typedColumns = attributeNames
  .filter((name) => attributeEntry(name).type !== "text")
  .map((name) => ({ name, index: column[name] }))

/** A rejected row. Line 1 is the header. */
export interface BadRow {
  readonly file: "places" | "units"
  readonly line: number
  /** All faults of the row, by column: `lat: expected …; status: expected active or retired`. */
  readonly reason: string
}

/** The edition, and what happens with rows. */
export interface DirectoryReaderOptions {
  readonly version?: string
  readonly date?: string
  /** Expected number of units. More may come. */
  readonly capacity?: number
  /** Whether to index localities and addresses, for `searchAddress`. Default: no. */
  readonly addresses?: boolean
  /** Skips bad rows. A file with a bad header, or not in UTF-8, still fails. */
  readonly skipBadRows?: boolean
  /** Called for each bad row as it is found; for repeated postcodes and missing states at the end. */
  readonly onBadRow?: (badRow: BadRow) => void
  /**
   * Called for each well-formed unit row with its number and its attributes. Well-formed rows are numbered from 0.
   * Whether all of them count is known at the end; `rowOfUnit` maps units to rows.
   */
  readonly onAttributes?: (row: number, attributes: UnitAttributes) => void
  /**
   * Whether to keep a well-formed unit row for `takeUnitsCsv`, by its number and the packed code of its postcode.
   * Default: none are kept.
   */
  readonly keepsRow?: (row: number, code: number) => boolean
}

/** A directory, or none because of bad rows; and their number. */
export type ReadResult =
  | {
      readonly ok: true
      readonly directory: Directory
      /** Row number by unit id. */
      readonly rowOfUnit: Uint32Array
      readonly badRows: number
    }
  | { readonly ok: false; readonly badRows: number }

/**
 * Reads the two files as streams, in any order, and checks every row. One bad row fails the whole directory, unless bad
 * rows are skipped.
 *
 * A file comes as text or as bytes, in chunks that are cut anywhere; a buffer may be reused after each write. Bytes
 * that are not UTF-8 are a bad row, and end the file.
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
  /** The rows for `takeUnitsCsv`, without line ends. */
  private unitsCsv: Array<string> = []
  /** Well-formed places by code, with their lines. */
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
      onRow: ({ line }) => this.takePlace(line),
      onBadRow: (line, reason) => this.refuse("places", line, reason)
    })
    this.units = new CsvTable(
      requiredUnitColumns,
      {
        onRow: (row) => this.takeUnit(row),
        onBadRow: (line, reason) => this.refuse("units", line, reason)
      },
      optionalColumns
    )
  }

  writePlaces(chunk: string | Uint8Array): void {
    this.places.write(chunk)
  }

  writeUnits(chunk: string | Uint8Array): void {
    this.units.write(chunk)
  }

  /**
   * The rows kept since the last call, as CSV that every database reads: the columns of `unitColumns` without a header,
   * canonical postcodes, lines that end with LF.
   */
  takeUnitsCsv(): Uint8Array {
    const taken = this.unitsCsv.length === 0 ? "" : `${this.unitsCsv.join("\n")}\n`
    this.unitsCsv = []
    return encodeUtf8(taken)
  }

  /** The number of well-formed unit rows so far. */
  get unitRows(): number {
    return this.rows
  }

  /** Ends both files, as `finish` does. The last row may be complete only now, which matters to `takeUnitsCsv`. */
  end(): void {
    this.haveHeaders ??= [this.places.end(), this.units.end()].every(Boolean)
  }

  /** Builds the directory. */
  finish(): ReadResult {
    this.end()
    // States and LGAs may be missing only because reading stopped early.
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

  private takePlace(line: number): void {
    const [code, name, zone] = this.places.fields().map((field) => field.trim()) as unknown as PlaceFields
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

  private takeUnit(row: CsvRow): void {
    const { units } = this
    const postcode = units.field(column.postcode)
    const lat = units.field(column.lat)
    const lon = units.field(column.lon)
    const status = units.field(column.status)
    const latitude = decimal(lat)
    const longitude = decimal(lon)
    const replacedBy = units.field(column.replaced_by)
    const isValid =
      isStatus(status) &&
      typedColumns.every(({ index, name }) => isField(name, units.field(index))) &&
      (isText(row.text) || units.fields().every(isText)) &&
      (replacedBy === "" || replacedByFault(postcode, status, replacedBy) === undefined)
    if (!(readPostcode(postcode) && isLatitude(latitude) && isLongitude(longitude) && isValid)) {
      this.refuse(
        "units",
        row.line,
        unitFaults((name) => units.field(column[name]))
      )
      return
    }
    const code = lastPackedCode()
    const number = this.builder.addPackedUnit(
      code,
      toE7(latitude),
      toE7(longitude),
      status === "active",
      this.detailsOf(replacedBy)
    )
    this.lines.add(number, row.line)
    this.rows++
    const { keepsRow, onAttributes } = this.options
    if (keepsRow?.(number, code)) {
      // PostgreSQL takes a bare carriage return for a line end.
      const isCopied = units.isInOrder && row.text.startsWith(postcode) && !row.text.includes("\r")
      const isShort = lat.length <= maxDecimalLength && lon.length <= maxDecimalLength
      const isStored = replacedBy === "" || isCanonical(replacedBy)
      if (!(isCopied && isShort && isStored)) this.unitsCsv.push(unitRow(unpack(code), units.fields()))
      else {
        const text = isCanonical(postcode) ? row.text : unpack(code) + row.text.slice(postcode.length)
        this.unitsCsv.push(text + ",".repeat(units.missing))
      }
    }
    onAttributes?.(
      number,
      attributesOf((name) => units.field(column[name]))
    )
  }

  /** The successor of the current row, and its address if addresses are indexed. */
  private detailsOf(replacedBy: string): UnitDetails | undefined {
    const details = replacedBy === "" ? undefined : { replaced_by: canonicalOf(replacedBy) }
    if (this.options.addresses !== true) return details
    return {
      ...details,
      locality_name: this.units.field(column.locality_name),
      recent_address: this.units.field(column.recent_address)
    }
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

/** The header line of places.csv. */
export const placesHeader = csvLine(placeColumns)

/** The header line of units.csv. */
export const unitsHeader = csvLine(unitColumns)

/** A line of places.csv. */
export const placeLine = (place: Place): string => csvLine([place.code, place.name, place.zone ?? ""])

/** A line of units.csv. */
export const unitLine = (
  postcode: Postcode,
  lat_e7: number,
  lon_e7: number,
  active: boolean,
  attributes: UnitAttributes,
  replacedBy?: Postcode
): string =>
  csvLine(
    unitColumns.map((name) => {
      switch (name) {
        case "postcode":
          return postcode
        case "lat":
          return degrees(lat_e7)
        case "lon":
          return degrees(lon_e7)
        case "status":
          return active ? "active" : "retired"
        case "replaced_by":
          return replacedBy ?? ""
        default:
          return String(attributes[name] ?? "")
      }
    })
  )

type PlaceFields = readonly [code: string, name: string, zone: string]
/** The field of a column in the current row. */
type FieldOf = (name: UnitColumn) => string

const isText = (text: string): boolean => textFault(text) === undefined

const isStatus = (status: string): boolean => status === "active" || status === "retired"
const isField = (name: AttributeName, text: string): boolean => text === "" || attributeValue(name, text) !== undefined

/** NaN if it is not a sign, digits and decimals. `Number` alone also takes exponents, hexadecimal digits and blanks. */
const decimal = (text: string): number => (/^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN)

const unitFaults = (field: FieldOf): string => {
  const postcode = field("postcode")
  const status = field("status")
  const replacedBy = field("replaced_by")
  const parsed = parse(postcode)
  const faults: Array<string> = []
  if (!parsed.ok) faults.push(`postcode: ${parsed.error.message}`)
  if (!isLatitude(decimal(field("lat")))) faults.push("lat: expected a decimal number of degrees from -90 to 90")
  if (!isLongitude(decimal(field("lon")))) faults.push("lon: expected a decimal number of degrees from -180 to 180")
  if (!isStatus(status)) faults.push("status: expected active or retired")
  for (const name of attributeNames) {
    const fault = fieldFault(name, field(name))
    if (fault !== undefined) faults.push(`${name}: ${fault}`)
  }
  const fault = replacedBy === "" ? undefined : replacedByFault(postcode, status, replacedBy)
  if (fault !== undefined) faults.push(fault)
  return faults.join("; ")
}

const fieldFault = (name: AttributeName, text: string): string | undefined => {
  if (attributeEntry(name).type === "text") return textFault(text)
  return isField(name, text) ? undefined : `expected ${expectedValue(name)}, or nothing`
}

/** Of a row with a bad postcode or status only what is wrong with the successor itself. */
const replacedByFault = (postcode: string, status: string, replacedBy: string): string | undefined => {
  const successor = parse(replacedBy)
  if (!successor.ok) return `replaced_by: ${successor.error.message}`
  const unit = parse(postcode)
  return unit.ok ? successorFault(pack(unit.postcode), status === "active", pack(successor.postcode)) : undefined
}

const attributesOf = (field: FieldOf): UnitAttributes => {
  const attributes: MutableAttributes = {}
  for (const name of attributeNames) {
    const value = attributeValue(name, field(name))
    if (value !== undefined) attributes[name] = value
  }
  return attributes as UnitAttributes
}

/** A well-formed row in the format of `takeUnitsCsv`. */
const unitRow = (postcode: Postcode, fields: ReadonlyArray<string>): string =>
  csvRow(
    unitColumns.map((name, index) => {
      const field = fields[index] as string
      if (name === "postcode") return postcode
      if (name === "lat" || name === "lon") return shortDecimal(field)
      return name === "replaced_by" && field !== "" ? canonicalOf(field) : field
    })
  )

/** @param postcode well formed, in any format */
const canonicalOf = (postcode: string): Postcode => {
  readPostcode(postcode)
  return unpack(lastPackedCode())
}

/** The same coordinate. A number with hundreds of digits is out of range for PostgreSQL. */
const shortDecimal = (text: string): string => (text.length <= maxDecimalLength ? text : degrees(toE7(Number(text))))

const maxDecimalLength = 20

/** 1e-7 degrees as a decimal without trailing zeros: `51164850` → `5.116485`. */
const degrees = (e7: number): string =>
  fromE7(e7)
    .toFixed(7)
    .replace(/\.?0+$/, "")
