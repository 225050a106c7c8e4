/** A CSV file whose header names its columns, as text or as bytes. Rows are passed on with the columns in one order. */
import { CsvReader, type CsvRow } from "./Csv.ts"
import { Utf8Lines } from "./Utf8Lines.ts"

export interface CsvTableHandlers {
  /** `field` and `fields` return those of this row. */
  readonly onRow: (row: CsvRow) => void
  readonly onBadRow: (line: number, reason: string) => void
}

export class CsvTable {
  private readonly columns: ReadonlyArray<string>
  private readonly optional: ReadonlyArray<string>
  private readonly handlers: CsvTableHandlers
  private readonly csv: CsvReader
  private readonly lines = new Utf8Lines()
  /**
   * The index of each column in the file, −1 if it lacks an optional one; undefined before the header, empty if the
   * header is bad.
   */
  private positions: ReadonlyArray<number> | undefined
  private width = 0
  /** Whether the file has only these columns, in their order; optional ones may be missing at the end. */
  isInOrder = false
  /** The number of optional columns that the file lacks. */
  missing = 0
  /** The current row, and its fields if it has quotes. */
  private text = ""
  private unquoted: ReadonlyArray<string> | undefined
  /** The end of each field of a row without quotes. */
  private readonly ends: Array<number> = []

  /** @param optional columns that come after the others; their fields are empty in a file that lacks them */
  constructor(columns: ReadonlyArray<string>, handlers: CsvTableHandlers, optional: ReadonlyArray<string> = []) {
    this.columns = [...columns, ...optional]
    this.optional = optional
    this.handlers = handlers
    this.csv = new CsvReader({
      onRow: (row) => this.take(row),
      onMalformed: ({ line }, reason) => this.takeMalformed(line, reason)
    })
  }

  write(chunk: string | Uint8Array): void {
    if (typeof chunk === "string") this.csv.write(chunk)
    else if (this.isUtf8) this.writeText(this.lines.decode(chunk))
  }

  /** Ends the file. Returns whether it had a header with all columns; if not, no row was passed on. */
  end(): boolean {
    if (this.isUtf8) this.writeText(this.lines.end())
    if (this.isUtf8) this.csv.end()
    if (this.positions === undefined) this.takeMalformed(1, `the file is empty; ${this.expectation()}`)
    return this.positions?.length === this.columns.length
  }

  /** Whether all bytes so far are UTF-8. If not, the file was read up to the first line that is not. */
  get isUtf8(): boolean {
    return !this.lines.isMalformed
  }

  private writeText(text: string): void {
    this.csv.write(text)
    if (!this.isUtf8) this.takeMalformed(this.csv.nextLine, "this line is not UTF-8, and nothing after it was read")
  }

  /** The field of the column with this index. Reading single fields is faster than creating all of them. */
  field(column: number): string {
    const position = (this.positions as ReadonlyArray<number>)[column] as number
    if (position < 0) return ""
    if (this.unquoted !== undefined) return this.unquoted[position] as string
    return this.text.slice(position === 0 ? 0 : (this.ends[position - 1] as number) + 1, this.ends[position])
  }

  /** The fields of all columns, in their order. */
  fields(): ReadonlyArray<string> {
    return this.columns.map((_, column) => this.field(column))
  }

  private take(row: CsvRow): void {
    if (this.positions === undefined) {
      this.takeHeader(row.fields, row.line)
      return
    }
    if (this.positions.length === 0) return
    const count = this.split(row)
    if (count === this.width) this.handlers.onRow(row)
    else this.handlers.onBadRow(row.line, `expected ${this.width} columns as in the header, found ${count}`)
  }

  /** Finds the fields; returns their number. */
  private split(row: CsvRow): number {
    const { text } = row
    this.text = text
    this.unquoted = row.hasQuotes ? row.fields : undefined
    if (this.unquoted !== undefined) return this.unquoted.length
    const { ends } = this
    let count = 0
    for (let comma = text.indexOf(","); comma >= 0; comma = text.indexOf(",", comma + 1)) ends[count++] = comma
    ends[count++] = text.length
    return count
  }

  private takeHeader(fields: ReadonlyArray<string>, line: number): void {
    const names = fields.map((field) => field.trim())
    const absent = this.columns.filter((column) => !names.includes(column))
    const missing = absent.filter((column) => !this.optional.includes(column))
    const repeated = this.columns.filter((column) => names.indexOf(column) !== names.lastIndexOf(column))
    if (missing.length > 0) this.takeMalformed(line, `header: no column ${missing.join(", ")}; ${this.expectation()}`)
    else if (repeated.length > 0) this.takeMalformed(line, `header: more than one column ${repeated.join(", ")}`)
    else {
      this.positions = this.columns.map((column) => names.indexOf(column))
      this.width = fields.length
      this.missing = absent.length
      this.isInOrder = names.every((name, index) => name === this.columns[index])
    }
  }

  private takeMalformed(line: number, reason: string): void {
    // Without a header no row can be read. It is reported once.
    if (this.positions?.length === 0) return
    this.handlers.onBadRow(line, reason)
    this.positions ??= []
  }

  private expectation(): string {
    const required = this.columns.slice(0, this.columns.length - this.optional.length)
    return `expected a header with ${required.join(", ")}`
  }
}
