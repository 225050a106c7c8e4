/**
 * A CSV file whose header names its columns: hands each row on in one order, whatever the file's. The file comes either
 * as text or as bytes.
 */
import { CsvReader, defaultMaxRowLength } from "./Csv.ts"
import { type ByteRows, CsvBytes } from "./CsvBytes.ts"

export interface CsvTableHandlers {
  /** The fields of the columns asked for, in the order asked for. */
  readonly onRow: (fields: ReadonlyArray<string>, line: number) => void
  readonly onBadRow: (line: number, reason: string) => void
  /** Takes what rows it can straight from bytes; `onRow` gets the others. */
  readonly byteRows?: ByteRows & {
    /** The columns of the file in its order: for each the number of the column asked for, or −1. */
    readonly begin: (columns: ReadonlyArray<number>) => void
  }
}

export class CsvTable {
  private readonly columns: ReadonlyArray<string>
  private readonly handlers: CsvTableHandlers
  private readonly csv: CsvReader
  private readonly bytes: CsvBytes
  /** Where each column asked for stands in the file; undefined before the header, empty if it is bad. */
  private positions: ReadonlyArray<number> | undefined
  private isInOrder = false
  private width = 0
  private isText = true

  constructor(columns: ReadonlyArray<string>, handlers: CsvTableHandlers) {
    this.columns = columns
    this.handlers = handlers
    this.csv = new CsvReader({
      onRow: ({ fields, line }) => this.take(fields, line),
      onMalformed: ({ line }, reason) => this.takeMalformed(line, reason)
    })
    this.bytes = new CsvBytes(this.csv, {
      maxRowLength: defaultMaxRowLength,
      ...(handlers.byteRows && { rows: handlers.byteRows }),
      onNotUtf8: (line) => {
        this.isText = false
        this.takeMalformed(line, "this line is not UTF-8, and nothing behind it was read")
      }
    })
  }

  write(chunk: string | Uint8Array): void {
    if (typeof chunk === "string") this.csv.write(chunk)
    else this.bytes.write(chunk)
  }

  /** Says that no more comes. Returns whether there was a header with all columns: if not, no row was handed on. */
  end(): boolean {
    this.bytes.end()
    if (this.isText) this.csv.end()
    if (this.positions === undefined) this.takeMalformed(1, `the file is empty; ${this.expectation()}`)
    return this.positions?.length === this.columns.length
  }

  /** Whether all that came is text; if not, it was read up to the line where that showed. */
  get isUtf8(): boolean {
    return this.isText
  }

  private take(fields: ReadonlyArray<string>, line: number): void {
    if (this.positions === undefined) this.takeHeader(fields, line)
    else if (this.positions.length === 0) return
    else if (fields.length !== this.width) {
      this.handlers.onBadRow(line, `expected ${this.width} columns as in the header, found ${fields.length}`)
    } else if (this.isInOrder) this.handlers.onRow(fields, line)
    else {
      const inOrder = this.positions.map((position) => fields[position] as string)
      this.handlers.onRow(inOrder, line)
    }
  }

  private takeHeader(fields: ReadonlyArray<string>, line: number): void {
    const names = fields.map((field) => field.trim())
    const missing = this.columns.filter((column) => !names.includes(column))
    const repeated = this.columns.filter((column) => names.indexOf(column) !== names.lastIndexOf(column))
    if (missing.length > 0) this.takeMalformed(line, `header: no column ${missing.join(", ")}; ${this.expectation()}`)
    else if (repeated.length > 0) this.takeMalformed(line, `header: more than one column ${repeated.join(", ")}`)
    else {
      this.positions = this.columns.map((column) => names.indexOf(column))
      this.width = fields.length
      this.isInOrder = this.positions.every((position, index) => position === index)
      this.handlers.byteRows?.begin(names.map((name) => this.columns.indexOf(name)))
    }
  }

  private takeMalformed(line: number, reason: string): void {
    // Without a header nothing behind it can be read, and one message says so.
    if (this.positions?.length === 0) return
    this.handlers.onBadRow(line, reason)
    this.positions ??= []
  }

  private expectation(): string {
    return `expected a header with ${this.columns.join(", ")}`
  }
}
