/**
 * Reads changes from a file: CSV with a header, with the columns of `units.csv` and `change`, or a JSON object on each
 * line, as the service takes it.
 */
import { type CsvRow, cellText, cellValue, FooterLines, foldName, mendedField } from "@postcode/core/Csv"
import { parseDecimal } from "@postcode/core/Decimal"
import { attributeNames, attributeValue, expectedValue, type MutableAttributes } from "@postcode/core/UnitAttributes"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { byteOrderMark, decoded, fieldsOf, linesNotUtf8 } from "../../csv/ByteText.ts"
import { CsvInput, noRows } from "../../csv/CsvInput.ts"
import { otherFieldCount, withoutSurplus } from "../../csv/fieldCount.ts"
import { rejectOtherFormats } from "../../csv/rejectOtherFormats.ts"
import { type Change, faultOf } from "./UnitChanges.ts"

export interface ChangeHandlers {
  readonly onChange: (line: number, change: Change) => void
  readonly onBadLine: (line: number, reason: string) => void
  /** What the user should know of how the file is written. */
  readonly onNote?: (note: string) => void
}

/** Takes the bytes of a file. */
interface ChangeFormat {
  readonly write: (chunk: Uint8Array) => void
  readonly end: () => void
}

export class ChangeReader {
  private readonly handlers: ChangeHandlers
  private format: ChangeFormat | undefined
  /** What was read before the format is known. */
  private start: Buffer = Buffer.alloc(0)

  constructor(handlers: ChangeHandlers) {
    this.handlers = handlers
  }

  /** The chunk may be reused afterwards. */
  write(chunk: Uint8Array): void {
    if (this.format !== undefined) {
      this.format.write(chunk)
      return
    }
    this.start = Buffer.concat([this.start, chunk])
    const text = this.start.toString("latin1")
    const first = (text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text).trimStart()[0]
    if (first === undefined) return
    this.format = first === "{" ? new JsonLines(this.handlers) : csvChanges(this.handlers)
    this.format.write(this.start)
  }

  end(): void {
    if (this.format === undefined) throw new CommandFailure("it is empty: expected changes, as CSV or JSON lines")
    this.format.end()
  }
}

class JsonLines {
  private readonly handlers: ChangeHandlers
  private rest = ""
  private line = 1

  constructor(handlers: ChangeHandlers) {
    this.handlers = handlers
  }

  write(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1")
    const isStart = this.line === 1 && this.rest === ""
    const text = isStart && bytes.startsWith(byteOrderMark) ? bytes.slice(byteOrderMark.length) : bytes
    const lines = (this.rest + text).split("\n")
    this.rest = lines.pop() as string
    for (const line of lines) this.take(line)
  }

  end(): void {
    this.take(this.rest)
  }

  private take(bytes: string): void {
    const line = this.line++
    if (bytes.trim() === "") return
    const change = parseJson(decoded(bytes))
    if (change === undefined) this.handlers.onBadLine(line, `expected a change like {"change":"retire","postcode":"…"}`)
    else hand(this.handlers, line, change)
  }
}

const parseJson = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const hand = ({ onBadLine, onChange }: ChangeHandlers, line: number, change: Readonly<Record<string, unknown>>) => {
  const fault = faultOf(change)
  if (fault === undefined) onChange(line, change as unknown as Change)
  else onBadLine(line, fault)
}

const columns: ReadonlySet<string> = new Set([
  ...["change", "postcode", "lat", "lon", "lng", "status", "replaced_by"],
  ...attributeNames
])

const csvChanges = (handlers: ChangeHandlers): ChangeFormat => {
  const changes = new CsvChanges(handlers)
  const { onNote = () => {} } = handlers
  const csv = new CsvInput(changes, { isHeader, onNote })
  return {
    write: (chunk) => csv.write(chunk),
    end: () => {
      csv.end()
      if (changes.rows === 0) throw noRows()
      const note = changes.footer.note()
      if (note !== undefined) onNote(note)
    }
  }
}

const isHeader = (fields: ReadonlyArray<string>): boolean => {
  const names = fields.map(foldName)
  return names.includes("change") && names.includes("postcode")
}

class CsvChanges {
  rows = 0
  readonly footer = new FooterLines()
  private readonly handlers: ChangeHandlers
  private header: ReadonlyArray<string> | undefined

  constructor(handlers: ChangeHandlers) {
    this.handlers = handlers
  }

  onRow(row: CsvRow): void {
    if (this.header === undefined) {
      this.header = readHeader(row)
      return
    }
    const key = this.header.indexOf("postcode")
    const given = { fields: fieldsOf(row), line: row.line }
    if (this.footer.take(given, { width: this.header.length, key, rows: this.rows })) return
    this.rows++
    const change = readRow(withoutSurplus(row, this.header.length), this.header)
    if (typeof change === "string") this.handlers.onBadLine(row.line, change)
    else hand(this.handlers, row.line, change)
  }

  onBlankLine(): void {
    this.footer.blankLine(this.rows)
  }

  onMalformed({ line }: CsvRow, reason: string): void {
    if (this.header === undefined) throw new CommandFailure(`line ${line} cannot be read: ${reason}`)
    this.rows++
    this.handlers.onBadLine(line, reason)
  }
}

const columnNamed = (name: string): string | undefined =>
  [...columns].find((column) => foldName(column) === foldName(name))

/** A mistyped column would be left out of every change, so it is refused. */
const readHeader = (row: CsvRow): ReadonlyArray<string> => {
  const given = fieldsOf(row)
  rejectOtherFormats(row)
  const names = given.map((name) => columnNamed(name) ?? name.trim().toLowerCase())
  const unknown = names.filter((name) => name !== "" && !columns.has(name))
  if (unknown.length > 0) {
    throw new CommandFailure(`there is no column ${unknown.join(", ")}: expected some of ${[...columns].join(", ")}`)
  }
  const repeated = names.find((name, i) => name !== "" && names.indexOf(name) !== i)
  if (repeated !== undefined) throw new CommandFailure(`two columns are called ${repeated}`)
  const missing = ["change", "postcode"].filter((name) => !names.includes(name))
  if (missing.length > 0) throw new CommandFailure(`header: no column ${missing.join(", ")}`)
  return names
}

/** The change of a row; a text is the fault. */
const readRow = (row: CsvRow, header: ReadonlyArray<string>): Readonly<Record<string, unknown>> | string => {
  if (linesNotUtf8(row).length > 0) return "the row is not UTF-8"
  const fields = fieldsOf(row)
  if (fields.length !== header.length) return otherFieldCount(fields.length, header.length)
  const given = header.map((name, i) => [name, fieldValue(name, fields[i] as string)] as const)
  return changeOf(Object.fromEntries(given.filter(([, value]) => value !== "")))
}

const fieldValue = (name: string, field: string): string => {
  if (name === "change") return cellValue(field).toLowerCase()
  if (name === "lng") return mendedField("lon", field)
  return name === "replaced_by" ? cellText(cellValue(field)) : mendedField(name, field)
}

/** The change of a row without its empty fields; a text is the fault. */
const changeOf = (row: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> | string => {
  const { change, lat, lon, lng = lon, postcode = "", replaced_by, status } = row
  if (status !== undefined && status !== "active" && status !== "retired") return "status: expected active or retired"
  const attributes: MutableAttributes = {}
  for (const name of attributeNames) {
    const text = row[name]
    if (text === undefined) continue
    const value = attributeValue(name, text)
    if (value === undefined) return `${name}: expected ${expectedValue(name)}`
    attributes[name] = value
  }
  return {
    change,
    postcode,
    ...(lat !== undefined && { lat: parseDecimal(lat) }),
    ...(lng !== undefined && { lng: parseDecimal(lng) }),
    ...(status !== undefined && { active: status === "active" }),
    ...(replaced_by !== undefined && { replaced_by }),
    ...(Object.keys(attributes).length > 0 && { attributes })
  }
}
