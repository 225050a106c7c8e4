/** A CSV file whose header names its columns, as text or as bytes. Rows are passed on with the columns in one order. */

import { CsvReader, type CsvRow } from "./Csv.ts"
import { CsvFile, type FileText, UnreadableFile } from "./CsvFile.ts"
import { type ColumnMapping, findColumns, type TableColumns } from "./columnNames.ts"
import { type FileForm, lengthWithoutSurplus } from "./FileForm.ts"
import { encodeUtf8 } from "./TextCoding.ts"
import { Utf8Lines } from "./Utf8Lines.ts"

export interface CsvTableHandlers {
  /** `field` and `fields` return those of this row. */
  readonly onRow: (row: CsvRow) => void
  /** A row that cannot be read. `row` is undefined if the fault is that of the file. */
  readonly onBadRow: (line: number, reason: string, row?: CsvRow) => void
  /** How the file is written, before its header. */
  readonly onForm?: (form: FileForm) => void
  /** The text is Windows-1252, which only characters after the start of the file show. */
  readonly onWindows1252?: () => void
  /** The header, if it has all columns, and its names by the columns. */
  readonly onHeader?: (columns: ColumnMapping, header: CsvRow) => void
}

/** What the user knows of a file. */
export interface CsvTableOptions {
  readonly mapping?: ColumnMapping | undefined
  readonly delimiter?: string | undefined
  readonly skipLines?: number | undefined
}

export class CsvTable {
  private readonly columns: TableColumns
  private readonly handlers: CsvTableHandlers
  private readonly options: CsvTableOptions
  private readonly file: CsvFile
  private readonly lines = new Utf8Lines()
  /** Whether the file is of a form that is not read. */
  private isRefused = false
  private delimiter = ","
  private isComma = true
  /** The last code unit of a text, if it is the first half of a character. */
  private half = ""
  /** The index of each column in the file, −1 if it lacks it; undefined before the header, empty if the header is bad. */
  private positions: ReadonlyArray<number> | undefined
  private width = 0
  /** Whether the file is comma-separated, and has only these columns, in their order; it may lack the last ones. */
  isInOrder = false
  /** The number of columns that the file lacks. */
  missing = 0
  /** The current row, and its fields if it has quotes. */
  private text = ""
  private unquoted: ReadonlyArray<string> | undefined
  /** The number of fields of the current row. */
  private count = 0
  /** The end of each field of a row without quotes. */
  private readonly ends: Array<number> = []

  constructor(columns: TableColumns, handlers: CsvTableHandlers, options: CsvTableOptions = {}) {
    this.columns = columns
    this.handlers = handlers
    this.options = options
    const { delimiter, skipLines } = options
    const { onWindows1252 } = handlers
    this.file = new CsvFile(
      { onForm: (form) => this.begin(form), ...(onWindows1252 && { onWindows1252 }) },
      { delimiter, skipLines, isHeader: (fields) => this.find(fields).ok }
    )
  }

  write(chunk: string | Uint8Array): void {
    if (!this.isReadable) return
    try {
      this.file.write(typeof chunk === "string" ? this.encoded(chunk) : chunk)
    } catch (error) {
      this.refuseFile(error)
    }
  }

  /** Ends the file. Returns whether it had a header with all columns; if not, no row was passed on. */
  end(): boolean {
    try {
      if (this.half !== "") this.write(encodeUtf8(this.half))
      if (this.isReadable) this.file.end()
    } catch (error) {
      this.refuseFile(error)
    }
    if (this.positions === undefined) this.takeMalformed(1, `the file is empty; ${this.expectation()}`)
    return this.positions?.length === this.columns.names.length
  }

  /** Whether all bytes so far are text. If not, the file was read up to the first line that is not. */
  get isReadable(): boolean {
    return !this.lines.isMalformed && !this.isRefused
  }

  /** Whether the text of the current row is that of its fields in a file with commas, quoted as usual. */
  get isPlain(): boolean {
    return this.isInOrder && this.count === this.width && (this.unquoted === undefined || !oddQuotes.test(this.text))
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
    return this.columns.names.map((_, column) => this.field(column))
  }

  private begin(form: FileForm): FileText {
    const { backslash, delimiter, skipLines } = form
    this.handlers.onForm?.(form)
    this.delimiter = delimiter
    this.isComma = delimiter === "," && !backslash
    const csv = new CsvReader(
      {
        onRow: (row) => this.take(row),
        onMalformed: (row, reason) => this.takeMalformed(row.line, reason, row)
      },
      { delimiter, backslash, skipLines }
    )
    return {
      write: (utf8) => !this.lines.isMalformed && this.writeText(csv, this.lines.decode(utf8)),
      end: () => {
        if (!this.lines.isMalformed) this.writeText(csv, this.lines.end())
        if (!this.lines.isMalformed) csv.end()
      }
    }
  }

  private writeText(csv: CsvReader, text: string): void {
    csv.write(text)
    if (this.lines.isMalformed)
      this.takeMalformed(csv.nextLine, "this line is not UTF-8, and nothing after it was read")
  }

  private refuseFile(error: unknown): void {
    if (!(error instanceof UnreadableFile)) throw error
    this.isRefused = true
    this.takeMalformed(1, error.message)
  }

  /** As UTF-8. A chunk may end within a character of two code units. */
  private encoded(chunk: string): Uint8Array {
    const text = this.half + chunk
    const isCut = /[\ud800-\udbff]$/.test(text)
    this.half = isCut ? text.slice(-1) : ""
    return encodeUtf8(isCut ? text.slice(0, -1) : text)
  }

  private find(header: ReadonlyArray<string>) {
    return findColumns(header, this.columns, this.options.mapping)
  }

  private take(row: CsvRow): void {
    if (this.positions === undefined) {
      this.takeHeader(row)
      return
    }
    if (this.positions.length === 0) return
    this.count = this.split(row)
    const isSurplus = this.count > this.width && lengthWithoutSurplus(row.fields, this.width) === this.width
    if (this.count === this.width || isSurplus) this.handlers.onRow(row)
    else this.handlers.onBadRow(row.line, `expected ${this.width} columns as in the header, found ${this.count}`, row)
  }

  /** Finds the fields; returns their number. */
  private split(row: CsvRow): number {
    const { text } = row
    this.text = text
    this.unquoted = row.hasQuotes ? row.fields : undefined
    if (this.unquoted !== undefined) return this.unquoted.length
    const { delimiter, ends } = this
    let count = 0
    for (let end = text.indexOf(delimiter); end >= 0; end = text.indexOf(delimiter, end + 1)) ends[count++] = end
    ends[count++] = text.length
    return count
  }

  private takeHeader(row: CsvRow): void {
    const { fields, line } = row
    const found = this.find(fields)
    if (!found.ok) {
      const shown = fields.slice(0, maxListed).map((name) => name.trim().slice(0, 40))
      const names = `${shown.join(", ")}${fields.length > maxListed ? " …" : ""}`
      this.takeMalformed(line, `header: ${found.fault}; ${this.expectation()}, found ${names}`, row)
      return
    }
    const { names } = this.columns
    this.positions = found.positions
    this.width = fields.length
    this.missing = found.positions.filter((position) => position < 0).length
    this.isInOrder =
      this.isComma && fields.length <= names.length && fields.every((_, at) => found.positions[at] === at)
    const present = names.flatMap((name, column) => {
      const position = found.positions[column] as number
      return position < 0 ? [] : [[name, fields[position] as string] as const]
    })
    this.handlers.onHeader?.(Object.fromEntries(present), row)
  }

  private takeMalformed(line: number, reason: string, row?: CsvRow): void {
    // Without a header no row can be read. It is reported once.
    if (this.positions?.length === 0) return
    this.handlers.onBadRow(line, reason, row)
    this.positions ??= []
  }

  private expectation(): string {
    return `expected a header with ${this.columns.required.join(", ")}`
  }
}

const maxListed = 20

/** Quotes that other readers of CSV do not take for those of a field: after or before blanks, or after a backslash. */
const oddQuotes = /(^|,)[ \t]+"|"[ \t]+(,|$)|\\"/
