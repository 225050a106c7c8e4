/**
 * Reads changes from a file: CSV with a header, with the columns of `units.csv` and `change`, or a JSON object on each
 * line, as the service takes it.
 */
import type { CsvReader, CsvRow } from "@postcode/core/Csv"
import { parseDecimal } from "@postcode/core/Decimal"
import { attributeNames, attributeValue, expectedValue, type MutableAttributes } from "@postcode/core/UnitAttributes"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { byteOrderMark, byteTextReader, decoded, fieldsOf, linesNotUtf8 } from "../../csv/ByteText.ts"
import { otherFieldCount } from "../../csv/fieldCount.ts"
import { rejectOtherFormats } from "../../csv/rejectOtherFormats.ts"
import { type Change, faultOf } from "./UnitChanges.ts"

export interface ChangeHandlers {
  readonly onChange: (line: number, change: Change) => void
  readonly onBadLine: (line: number, reason: string) => void
}

export class ChangeReader {
  private readonly handlers: ChangeHandlers
  private format: Pick<CsvReader, "write" | "end"> | undefined
  /** What was read before the format is known. */
  private start = ""

  constructor(handlers: ChangeHandlers) {
    this.handlers = handlers
  }

  /** @param bytes text in which each character is a byte */
  write(bytes: string): void {
    if (this.format !== undefined) {
      this.format.write(bytes)
      return
    }
    this.start += bytes
    const text = this.start.startsWith(byteOrderMark) ? this.start.slice(byteOrderMark.length) : this.start
    const first = text.trimStart()[0]
    if (first === undefined) return
    this.format = first === "{" ? new JsonLines(this.handlers) : byteTextReader(new CsvChanges(this.handlers))
    this.format.write(first === "{" ? text : this.start)
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

  write(bytes: string): void {
    const lines = (this.rest + bytes).split("\n")
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

class CsvChanges {
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
    const change = readRow(row, this.header)
    if (typeof change === "string") this.handlers.onBadLine(row.line, change)
    else hand(this.handlers, row.line, change)
  }

  onMalformed({ line }: CsvRow, reason: string): void {
    if (this.header === undefined) throw new CommandFailure(`line ${line} cannot be read: ${reason}`)
    this.handlers.onBadLine(line, reason)
  }
}

/** A mistyped column would be left out of every change, so it is refused. */
const readHeader = (row: CsvRow): ReadonlyArray<string> => {
  const names = fieldsOf(row).map((name) => name.trim().toLowerCase())
  rejectOtherFormats(row)
  const unknown = names.filter((name) => !columns.has(name))
  if (unknown.length > 0) {
    throw new CommandFailure(`there is no column ${unknown.join(", ")}: expected some of ${[...columns].join(", ")}`)
  }
  const repeated = names.find((name, i) => names.indexOf(name) !== i)
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
  const given = header.map((name, i) => [name, (fields[i] as string).trim()] as const)
  return changeOf(Object.fromEntries(given.filter(([, value]) => value !== "")))
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
