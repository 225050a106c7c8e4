/**
 * The import and export format of a directory: two CSV files, each with a header that names its columns in any order.
 * Columns with other names are ignored. Files are read in the forms that spreadsheets and databases give them.
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
import { lastPackedCode, readPostcode, readPostcodeIn } from "../../postcode/SegmentReader.ts"
import { addressKey, addressKeyIn, type FileFacts, type PlaceLocation } from "../checks/FileFacts.ts"
import { pack, unpack } from "../codes/PackedCode.ts"
import { successorFault } from "../codes/Successors.ts"
import type { Directory } from "../Directory.ts"
import { DirectoryBuilder, type Duplicate, type UnitDetails } from "../DirectoryBuilder.ts"
import type { Place } from "../places/Place.ts"
import { RowNumbers } from "../RowNumbers.ts"
import { fromE7, isLatitude, isLongitude, toE7 } from "../space/Coordinate.ts"
import { isWordForNothing } from "../text/isWordForNothing.ts"
import { textFault } from "../text/textFault.ts"
import { decimalIn, isAsciiIn, isWordIn } from "./byteValues.ts"
import { csvLine, csvRow } from "./Csv.ts"
import type { CsvRow } from "./CsvRow.ts"
import { CsvTable } from "./CsvTable.ts"
import type { ColumnMapping, TableColumns } from "./columnNames.ts"
import { describeForm, encodingWarning, type FileForm } from "./FileForm.ts"
import { FooterLines } from "./FooterLines.ts"
import { KeptRows } from "./KeptRows.ts"
import { LineNumbers } from "./LineNumbers.ts"
import type { MendedRows } from "./MendedRows.ts"
import { cellText, mendedField } from "./mendFields.ts"
import { encodeUtf8 } from "./TextCoding.ts"
import { type UnitColumn, unitColumns, unitTable } from "./unitTable.ts"

/** The columns of `places.csv`. A file may lack the zone. */
export const placeColumns = ["code", "name", "zone"] as const

/** Where a place is: a point, or a box. Only checks use it. */
const pointColumns = ["lat", "lon"] as const
const boxColumns = ["south", "west", "north", "east"] as const

const placeTable: TableColumns = {
  names: [...placeColumns, ...pointColumns, ...boxColumns],
  required: ["code", "name"],
  synonyms: {
    code: ["placecode", "postcode"],
    name: ["placename"],
    zone: ["geopoliticalzone", "region"],
    lat: ["latitude"],
    lon: ["lng", "long", "longitude"],
    south: ["minlat", "latmin"],
    west: ["minlon", "minlng", "lonmin"],
    north: ["maxlat", "latmax"],
    east: ["maxlon", "maxlng", "lonmax"]
  }
}

/** The index of each column, by which `CsvTable` returns fields. */
const column = Object.fromEntries(unitColumns.map((name, index) => [name, index])) as Readonly<
  Record<UnitColumn, number>
>

/** Attributes whose text may be no value. */
const typedColumns = attributeNames.filter((name) => attributeEntry(name).type !== "text")
const textColumns = attributeNames.filter((name) => attributeEntry(name).type === "text")

/** A rejected row. Line 1 is the header. */
export interface BadRow {
  readonly file: "places" | "units"
  readonly line: number
  /** All faults of the row, by column: `lat: expected …; status: expected active or retired`. */
  readonly reason: string
}

/** How the files are written, where the files do not show it. */
export interface ReadingOptions {
  /**
   * Where columns are that have other names: the header's name or the number, by the column. `code`, `name` and `zone` are
   * those of `places.csv`, the others those of `units.csv`.
   */
  readonly mapping?: ColumnMapping | undefined
  /** The character between fields, in both files. Default: found in each file. */
  readonly delimiter?: string | undefined
  /** The number of lines before the header of `units.csv`. Default: the lines before the first row with its columns. */
  readonly skipLines?: number | undefined
  /** Where a place is that the file gives no location, for `facts`; undefined if that is not known. */
  readonly locate?: ((place: Place) => PlaceLocation | undefined) | undefined
  /** Whether to look for addresses that repeat, for `facts`. Default: no. */
  readonly checksAddresses?: boolean | undefined
  /** Called with the header's name of each column that a file has, by the column, and with the header. */
  readonly onHeader?: ((file: BadRow["file"], columns: ColumnMapping, header: CsvRow) => void) | undefined
  /** Whether to leave out the row that starts on a line of `units.csv`, as if it were not in the file. */
  readonly dropsLine?: ((line: number, row: () => CsvRow) => boolean) | undefined
  /** Rows that are read in place of those of `units.csv`, by the lines of these. */
  readonly mendedRows?: MendedRows | undefined
}

/** The edition, and what happens with rows. */
export interface DirectoryReaderOptions extends ReadingOptions {
  readonly version?: string
  readonly date?: string
  /** Expected number of units. More may come. */
  readonly capacity?: number
  /** Whether to index localities and addresses, for `searchAddress`. Default: no. */
  readonly addresses?: boolean
  /** Skips bad rows. A file with a bad header, or not in UTF-8, still fails. */
  readonly skipBadRows?: boolean
  /** What the user should know of how a file is written, such as `read as: UTF-16, tab, header in line 3, 9 columns`. */
  readonly onNote?: (file: BadRow["file"], note: string) => void
  /** Called for each bad row as it is found; for repeated postcodes and missing states at the end. `row` is undefined if the fault is not that of one row. */
  readonly onBadRow?: (badRow: BadRow, row: CsvRow | undefined) => void
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
      /** The line of `units.csv` on which the row of a unit starts, by the id of the unit. */
      readonly lineOf: (id: number) => number
      /** For `checkDirectory`. */
      readonly facts: FileFacts
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
  /** The rows for `takeUnitsCsv`. */
  private readonly keptRows = new KeptRows()
  /** Well-formed places by code, with their lines. */
  private readonly placeRows = new Map<string, { readonly place: Place; readonly line: number }>()
  private readonly lines = new LineNumbers()
  private readonly placeLocations = new Map<string, PlaceLocation>()
  /** The lines of mended rows that were not reached yet. */
  private readonly linesToMend: Set<number>
  private readonly footers = { places: new FooterLines(), units: new FooterLines() }
  /** The keys of the addresses of well-formed rows, by their numbers. */
  private readonly addressKeys = new RowNumbers()
  /** Of the row that was checked last. */
  private readonly unit: CurrentUnit = {
    postcode: "",
    latitude: 0,
    longitude: 0,
    isActive: false,
    replacedBy: ""
  }
  /** Whether the file has a column for the status. */
  private hasStatus = false
  private badRows = 0
  private rows = 0
  /** Whether both files have a header; undefined until they have ended. */
  private haveHeaders: boolean | undefined

  constructor(options: DirectoryReaderOptions = {}) {
    this.options = options
    this.builder = new DirectoryBuilder(options)
    this.linesToMend = new Set(options.mendedRows?.keys())
    const { delimiter, mapping, skipLines } = options
    this.places = new CsvTable(
      placeTable,
      {
        ...this.notesOf("places"),
        onBlankLine: () => this.footers.places.blankLine(this.placeRows.size),
        onRow: () => this.takePlace(this.places.row()),
        onBadRow: (line, reason, row) => this.refuse("places", line, reason, row)
      },
      { delimiter, mapping: placeMapping(mapping) }
    )
    this.units = new CsvTable(
      unitTable,
      {
        ...this.notesOf("units"),
        onBlankLine: () => this.footers.units.blankLine(this.rows),
        onRow: () => this.takeUnit(),
        onBadRow: (line, reason, row) => {
          if (!this.takeMended(line, row)) this.refuse("units", line, reason, row)
        }
      },
      { delimiter, mapping, skipLines }
    )
  }

  private notesOf(file: BadRow["file"]) {
    const note = (text: string) => this.options.onNote?.(file, text)
    return {
      onForm: (form: FileForm) => {
        const described = describeForm(form)
        if (described !== undefined) note(`read as: ${described}`)
        const warning = encodingWarning(form)
        if (warning !== undefined) note(warning)
      },
      onHeader: (columns: ColumnMapping, header: CsvRow) => {
        if (file === "units") {
          this.hasStatus = columns.status !== undefined
          const others = this.hasStatus ? [] : unreadColumns(columns, header)
          if (others.length > 0)
            note(`warning: it has no column status, so all units are active; not read: ${others.join(", ")}`)
        }
        this.options.onHeader?.(file, columns, header)
      },
      onWindows1252: () => note(encodingWarning({ encoding: "windows-1252" }) as string)
    }
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
    return this.keptRows.take()
  }

  /** The number of well-formed unit rows so far. */
  get unitRows(): number {
    return this.rows
  }

  /** Ends both files, as `finish` does. The last row may be complete only now, which matters to `takeUnitsCsv`. */
  end(): void {
    if (this.haveHeaders !== undefined) return
    this.haveHeaders = [this.places.end(), this.units.end()].every(Boolean)
    for (const line of this.linesToMend)
      this.refuse("units", line, "a row was mended, but the file has none on this line")
    for (const file of ["places", "units"] as const) {
      const note = this.footers[file].note()
      if (note !== undefined) this.options.onNote?.(file, note)
    }
  }

  /** Builds the directory. */
  finish(): ReadResult {
    this.end()
    // States and LGAs may be missing only because reading stopped early.
    if (!this.places.isReadable || !this.units.isReadable) return { ok: false, badRows: this.badRows }
    this.addPlaces()
    const skip = this.options.skipBadRows === true
    if (this.haveHeaders !== true || (this.badRows > 0 && !skip)) {
      this.refuseDuplicates(this.builder.duplicates())
      return { ok: false, badRows: this.badRows }
    }
    const built = this.builder.build({ skipDuplicates: skip })
    this.refuseDuplicates(built.duplicates)
    if (!built.ok) return { ok: false, badRows: this.badRows }
    const { addressKeys, badRows, lines, placeLocations } = this
    const { directory, rowOf } = built
    return {
      ok: true,
      directory,
      get rowOfUnit() {
        return built.rowOfUnit
      },
      lineOf: (id) => lines.lineOf(rowOf(id)),
      facts: {
        places: placeLocations,
        addressKeyOf: this.options.checksAddresses === true ? (id) => addressKeys.at(rowOf(id)) : () => 0,
        cutOff: this.cutOff()
      },
      badRows
    }
  }

  /** Files of spreadsheets end in some empty lines, and often without a line end. */
  private cutOff(): string | undefined {
    const { rows, units } = this
    const { emptyLines, width } = units
    if (emptyLines > Math.max(maxEmptyLines, rows / 10)) return `${emptyLines} lines without a value at its end`
    const endsInNumber = [column.lat, column.lon].some((at) => units.positionOf(at) === width - 1)
    return endsInNumber && units.endsShort
      ? "the last row has no line end, and its last coordinate has fewer digits than that of the row before"
      : undefined
  }

  private takePlace(row: CsvRow): void {
    const { line } = row
    const [code, name, zoneText, ...degrees] = this.places.fields().map(cellText) as unknown as PlaceFields
    const zone = isWordForNothing(zoneText) ? "" : zoneText
    const parsed = parsePartial(code)
    const earlier = parsed.ok ? this.placeRows.get(parsed.partial) : undefined
    const location = placeLocation(degrees)
    if (location === badLocation) this.refuse("places", line, locationFault, row)
    else if (!parsed.ok) this.refuse("places", line, `code: ${parsed.error.message}`, row)
    else if (earlier !== undefined) this.refuse("places", line, `code: repeats that of line ${earlier.line}`, row)
    else {
      const place = { code: parsed.partial, name, ...(zone === "" ? {} : { zone }) }
      this.placeRows.set(parsed.partial, { place, line })
      const known = location ?? this.options.locate?.(place)
      if (known !== undefined) this.placeLocations.set(parsed.partial, known)
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

  private readonly currentRow = (): CsvRow => this.units.row()

  private takeUnit(): void {
    const { units } = this
    if (this.options.dropsLine?.(units.line, this.currentRow) === true) return
    if (this.linesToMend.size > 0 && this.takeMended(units.line, undefined)) return
    if (this.isPlainUnit()) {
      this.addUnit(this.fieldOf, units.line, true)
      return
    }
    const fields = unitColumns.map((name) => this.fieldOf(name))
    const fieldIn: FieldOf = (name) => fields[column[name]] as string
    if (!units.hasFormula && this.isUnit(fieldIn)) {
      this.addUnit(fieldIn, units.line, true)
      return
    }
    this.takeFields(fieldIn, units.line, this.currentRow)
  }

  /** Takes the row that was mended for a line, if there is one. */
  private takeMended(line: number, row: CsvRow | undefined): boolean {
    if (!this.linesToMend.delete(line)) return false
    const fields = this.options.mendedRows?.get(line) as ReadonlyArray<string>
    const fieldIn: FieldOf = (name) =>
      name === "status" && !this.hasStatus ? "active" : (fields[column[name]] as string)
    this.takeFields(fieldIn, line, () => row ?? this.units.row())
    return true
  }

  /** Takes a row with values of other programs. */
  private takeFields(fieldIn: FieldOf, line: number, row: () => CsvRow): void {
    const mended = unitColumns.map((name) => mendedField(name, fieldIn(name)))
    const mendedOf: FieldOf = (name) => mended[column[name]] as string
    if (this.isUnit(mendedOf)) this.addUnit(mendedOf, line, false)
    else this.refuse("units", line, unitFaults(mendedOf), row())
  }

  /** The same as `isUnit` from the bytes of the row. Of rows with what is rare, it may say no. */
  private isPlainUnit(): boolean {
    const { unit, units } = this
    const { bytes } = units
    const statusStart = units.startOf(column.status)
    const statusEnd = units.endOf(column.status)
    unit.isActive = !this.hasStatus || isWordIn(bytes, statusStart, statusEnd, activeWord)
    unit.latitude = decimalIn(bytes, units.startOf(column.lat), units.endOf(column.lat))
    unit.longitude = decimalIn(bytes, units.startOf(column.lon), units.endOf(column.lon))
    unit.replacedBy = ""
    if (units.hasFormula || !this.isEmpty(column.replaced_by)) return false
    if (!unit.isActive && !isWordIn(bytes, statusStart, statusEnd, retiredWord)) return false
    if (!isLatitude(unit.latitude) || !isLongitude(unit.longitude)) return false
    for (const name of typedColumns) if (!this.isPlainValue(name)) return false
    for (const name of textColumns) if (this.hasWordForNothing(name)) return false
    if (!units.isAscii && !unitColumns.every((name) => this.hasPlainText(name))) return false
    const start = units.startOf(column.postcode)
    const end = units.endOf(column.postcode)
    // The text of the postcode is needed only of rows that are kept.
    const isNeeded = this.options.keepsRow !== undefined
    if (!isNeeded && readPostcodeIn(bytes, start, end)) return true
    unit.postcode = units.field(column.postcode)
    return readPostcode(unit.postcode)
  }

  private isPlainValue(name: AttributeName): boolean {
    const { units } = this
    const [start, end] = [units.startOf(column[name]), units.endOf(column[name])]
    return (
      start === end ||
      isWordIn(units.bytes, start, end, trueWord) ||
      isWordIn(units.bytes, start, end, falseWord) ||
      isField(name, this.fieldOf(name))
    )
  }

  private hasPlainText(name: UnitColumn): boolean {
    const { units } = this
    const isAscii = isAsciiIn(units.bytes, units.startOf(column[name]), units.endOf(column[name]))
    return isAscii || isText(units.field(column[name]))
  }

  /** Most texts are longer, or begin with another letter. */
  private hasWordForNothing(name: AttributeName): boolean {
    const { units } = this
    const [start, end] = [units.startOf(column[name]), units.endOf(column[name])]
    if (start === end || end - start > longestWordForNothing) return false
    return startsNoWord[units.bytes[start] as number] === 0 && isWordForNothing(units.field(column[name]))
  }

  private isEmpty(at: number): boolean {
    return this.units.startOf(at) === this.units.endOf(at)
  }

  /** Whether the fields are those of a unit; then its code is the one that was read last. */
  private isUnit(field: FieldOf): boolean {
    const { unit } = this
    const postcode = field("postcode")
    const status = field("status")
    const replacedBy = field("replaced_by")
    unit.postcode = postcode
    unit.latitude = decimal(field("lat"))
    unit.longitude = decimal(field("lon"))
    unit.isActive = status === "active"
    unit.replacedBy = replacedBy
    return (
      isStatus(status) &&
      typedColumns.every((name) => isField(name, field(name))) &&
      unitColumns.every((name) => isText(field(name))) &&
      !textColumns.some((name) => isWordForNothing(field(name))) &&
      (replacedBy === "" || replacedByFault(postcode, status, replacedBy) === undefined) &&
      isLatitude(unit.latitude) &&
      isLongitude(unit.longitude) &&
      readPostcode(postcode)
    )
  }

  /** @param isUnchanged whether the fields are those of the file */
  private addUnit(field: FieldOf, line: number, isUnchanged: boolean): void {
    const { isActive, latitude, longitude } = this.unit
    const code = lastPackedCode()
    const details = this.detailsOf(field)
    const number = this.builder.addPackedUnit(code, toE7(latitude), toE7(longitude), isActive, details)
    this.lines.add(number, line)
    if (this.options.checksAddresses === true) this.keepAddress(number, field, isUnchanged)
    this.rows++
    const { keepsRow, onAttributes } = this.options
    if (keepsRow?.(number, code)) this.keepRow(code, field, isUnchanged)
    onAttributes?.(number, attributesOf(field))
  }

  private keepRow(code: number, field: FieldOf, isUnchanged: boolean): void {
    const { keptRows, unit, units } = this
    const { bytes, rowEnd, rowStart } = units
    if (
      isUnchanged &&
      units.isPlain &&
      this.hasStatus &&
      units.startOf(column.postcode) === rowStart &&
      this.isStoredAsIs()
    ) {
      const hasCode = isCanonical(unit.postcode)
      if (!hasCode) keptRows.addText(unpack(code))
      keptRows.add(bytes, hasCode ? rowStart : units.endOf(column.postcode), rowEnd)
      for (let missing = 0; missing < units.missing; missing++) keptRows.addText(",")
    } else keptRows.addText(unitRow(unpack(code), field))
    keptRows.addText("\n")
  }

  /** Whether the database takes the numbers and the successor of a row as they are written. */
  private isStoredAsIs(): boolean {
    const { unit, units } = this
    const lat_bytes = units.endOf(column.lat) - units.startOf(column.lat)
    const lon_bytes = units.endOf(column.lon) - units.startOf(column.lon)
    const isShort = lat_bytes <= maxDecimalLength && lon_bytes <= maxDecimalLength
    return isShort && (unit.replacedBy === "" || isCanonical(unit.replacedBy))
  }

  private keepAddress(row: number, field: FieldOf, isUnchanged: boolean): void {
    const { units } = this
    const isInBytes = isUnchanged && units.isAscii && !units.isEscaped(column.recent_address)
    const key = isInBytes
      ? addressKeyIn(units.bytes, units.startOf(column.recent_address), units.endOf(column.recent_address))
      : addressKey(field("recent_address"))
    this.addressKeys.set(row, key)
  }

  /** The field of the current row in the file. Without a column for the status, all units are active. */
  private readonly fieldOf: FieldOf = (name) =>
    name === "status" && !this.hasStatus ? "active" : this.units.field(column[name])

  /** The successor of the current row, and its address if addresses are indexed. */
  private detailsOf(field: FieldOf): UnitDetails | undefined {
    const { replacedBy } = this.unit
    const details = replacedBy === "" ? undefined : { replaced_by: canonicalOf(replacedBy) }
    if (this.options.addresses !== true) return details
    return { ...details, locality_name: field("locality_name"), recent_address: field("recent_address") }
  }

  private refuseDuplicates(duplicates: Iterable<Duplicate>): void {
    for (const { postcode, rows } of duplicates) {
      const [first, second] = rows.map((row) => this.lines.lineOf(row)) as [number, number]
      this.refuse("units", second, `postcode: repeats ${postcode} of line ${first}`)
    }
  }

  private refuse(file: BadRow["file"], line: number, reason: string, row?: CsvRow): void {
    if (row !== undefined && this.isFooter(file, row)) return
    this.badRows++
    this.options.onBadRow?.({ file, line, reason }, row)
  }

  private isFooter(file: BadRow["file"], row: CsvRow): boolean {
    // The first column of either file is the one without which a row is none.
    const key = this[file].positionOf(0)
    const rows = file === "units" ? this.rows : this.placeRows.size
    return key >= 0 && this.footers[file].take(row, { width: this[file].width, key, rows })
  }
}

const placeMapping = (mapping: ColumnMapping = {}): ColumnMapping =>
  Object.fromEntries(Object.entries(mapping).filter(([name]) => (placeColumns as ReadonlyArray<string>).includes(name)))

/** `Not applicable` with blanks around it, as bytes. */
const longestWordForNothing = 20

/** 1 for digits and letters with which no word for nothing begins. */
const startsNoWord = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[\da-df-kmo-tv-z]/i.test(String.fromCharCode(byte)) ? 1 : 0
)

const maxListed = 20
const maxEmptyLines = 20

/** The names in a header whose columns are not read. One of them may be the status. */
export const unreadColumns = (columns: ColumnMapping, { fields }: CsvRow): ReadonlyArray<string> => {
  const read = new Set(Object.values(columns))
  const names = fields.map((name) => name.trim().slice(0, 40)).filter((name) => name !== "")
  return names.filter((name) => !read.has(name)).slice(0, maxListed)
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

type PlaceFields = readonly [code: string, name: string, zone: string, ...degrees: ReadonlyArray<string>]

const badLocation = "bad"
const locationFault =
  "the location: expected lat and lon, or south, west, north and east, each in decimal degrees, or nothing"

/** The fields of the point and the box. */
const placeLocation = (fields: ReadonlyArray<string>): PlaceLocation | typeof badLocation | undefined => {
  const texts = fields.map((text, at) => mendedField(at % 2 === 0 ? "lat" : "lon", text))
  const [lat, lon, south, west, north, east] = texts.map(decimal) as unknown as Six<number>
  if (texts.every((text) => text === "")) return undefined
  const hasBox = texts.slice(2).some((text) => text !== "")
  const hasPoint = texts.slice(0, 2).some((text) => text !== "")
  const isBox = isLatitude(south) && isLatitude(north) && isLongitude(west) && isLongitude(east)
  if ((hasBox && !(isBox && south <= north && west <= east)) || (hasPoint && !(isLatitude(lat) && isLongitude(lon)))) {
    return badLocation
  }
  return hasBox ? { south, west, north, east } : { lat, lon }
}

type Six<A> = readonly [A, A, A, A, A, A]
/** The field of a column in the current row. */
type FieldOf = (name: UnitColumn) => string

const isText = (text: string): boolean => textFault(text) === undefined

const activeWord = encodeUtf8("active")
const retiredWord = encodeUtf8("retired")
const trueWord = encodeUtf8("true")
const falseWord = encodeUtf8("false")

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
  if (!isLatitude(decimal(field("lat")))) faults.push(`lat: ${degreesFault(field("lat"), 90)}`)
  if (!isLongitude(decimal(field("lon")))) faults.push(`lon: ${degreesFault(field("lon"), 180)}`)
  if (!isStatus(status)) faults.push(`status: expected active or retired, found ${shown(status)}`)
  for (const name of attributeNames) {
    const fault = fieldFault(name, field(name))
    if (fault !== undefined) faults.push(`${name}: ${fault}`)
  }
  const fault = replacedBy === "" ? undefined : replacedByFault(postcode, status, replacedBy)
  if (fault !== undefined) faults.push(fault)
  return faults.join("; ")
}

const shown = (text: string): string => (text === "" ? "nothing" : `"${text.slice(0, 40)}"`)

/** What was found, and why, as far as the text shows it. */
const degreesFault = (text: string, limit: number): string => {
  const fault = `expected a decimal number of degrees from -${limit} to ${limit}`
  const found = `${fault}, found ${shown(text)}`
  if (/^-?\d{1,3}(\.\d{3}){2,}$/.test(text)) return `${found}, which lost its decimal point in a spreadsheet`
  const size = Math.abs(decimal(text))
  if (size > maxMetres && Number.isInteger(size) && size <= limit * 1e7)
    return `${found}, which may be 1e-7 degrees: divide the column by 10,000,000`
  return size > 1_000 ? `${found}, which may be metres: convert it to degrees of WGS 84` : found
}

/** Of Web Mercator; other grids have smaller numbers. */
const maxMetres = 20_037_509

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
const unitRow = (postcode: Postcode, field: FieldOf): string =>
  csvRow(
    unitColumns.map((name) => {
      if (name === "postcode") return postcode
      if (name === "lat" || name === "lon") return shortDecimal(field(name))
      return name === "replaced_by" && field(name) !== "" ? canonicalOf(field(name)) : field(name)
    })
  )

/** What is read of a row, once. */
interface CurrentUnit {
  postcode: string
  latitude: number
  longitude: number
  isActive: boolean
  replacedBy: string
}

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
