/** A CSV file whose header names its columns, as text or as bytes. Rows are passed on with the columns in one order. */

import { CsvFile, type FileText, UnreadableFile } from "./CsvFile.ts"
import type { CsvRow } from "./CsvRow.ts"
import { type CsvReaderOptions, CsvScanner } from "./CsvScanner.ts"
import { type ColumnMapping, findColumns, nearestName, type TableColumns } from "./columnNames.ts"
import { type FileForm, lengthWithoutSurplus } from "./FileForm.ts"
import { encodeUtf8, Utf8Encoding } from "./TextCoding.ts"
import { Utf8Lines } from "./Utf8Lines.ts"

export interface CsvTableHandlers {
  /** The table has the row until this returns. */
  readonly onRow: () => void
  /** A row that cannot be read. `row` is undefined if the fault is that of the file. */
  readonly onBadRow: (line: number, reason: string, row?: CsvRow) => void
  /** How the file is written, before its header. */
  readonly onForm?: (form: FileForm) => void
  /** The text is Windows-1252, which only characters after the start of the file show. */
  readonly onWindows1252?: () => void
  readonly onBlankLine?: () => void
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
  private readonly encoding = new Utf8Encoding()
  /** Has the current row. */
  private scanner: CsvScanner
  /** Whether the file is of a form that is not read. */
  private isRefused = false
  private isComma = true
  /** The index of each column in the file, −1 if it lacks it; undefined before the header, empty if the header is bad. */
  private positions: ReadonlyArray<number> | undefined
  width = 0
  private header: ReadonlyArray<string> = []
  /** The number of bytes of the first name in the header. */
  private headerLength = 0
  /** Whether the file is comma-separated, and has only these columns, in their order; it may lack the last ones. */
  isInOrder = false
  /** The number of columns that the file lacks. */
  missing = 0
  /** The number of bytes of the last field, in this row and in the one before. */
  private lastLength = 0
  private lengthBefore = 0

  constructor(columns: TableColumns, handlers: CsvTableHandlers, options: CsvTableOptions = {}) {
    this.columns = columns
    this.handlers = handlers
    this.options = options
    const { delimiter, skipLines } = options
    const { onWindows1252 } = handlers
    this.scanner = this.scannerOf({})
    this.file = new CsvFile(
      { onForm: (form) => this.begin(form), ...(onWindows1252 && { onWindows1252 }) },
      { delimiter, skipLines, isHeader: (fields) => this.find(fields).ok }
    )
  }

  write(chunk: string | Uint8Array): void {
    if (!this.isReadable) return
    try {
      this.file.write(typeof chunk === "string" ? this.encoding.encode(chunk) : chunk)
    } catch (error) {
      this.refuseFile(error)
    }
  }

  /** Ends the file. Returns whether it had a header with all columns; if not, no row was passed on. */
  end(): boolean {
    try {
      this.write(this.encoding.end())
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

  /** The number of lines without a value at the end so far. */
  get emptyLines(): number {
    return this.scanner.emptyLines
  }

  /** Whether the file ends without a line end, in a field that is shorter than in the row before. */
  get endsShort(): boolean {
    return this.scanner.lacksLineEnd && this.lastLength < this.lengthBefore
  }

  /** The index of a column in the file, −1 if the file lacks it or has no header. */
  positionOf(column: number): number {
    return this.positions?.[column] ?? -1
  }

  /** The line on which the current row starts. */
  get line(): number {
    return this.scanner.line
  }

  /** The current row. */
  row(): CsvRow {
    return this.scanner.row()
  }

  /** Whether the bytes of the current row are those of its fields in a file with commas, quoted as usual. */
  get isPlain(): boolean {
    const { count, hasOddQuotes } = this.scanner.fields
    return this.isInOrder && count === this.width && !hasOddQuotes && !this.scanner.hasReturn()
  }

  /** Whether the current row has only bytes of ASCII, and not NUL. */
  get isAscii(): boolean {
    return this.scanner.fields.isAscii
  }

  /** Whether the current row has a quote after an equals sign, as in `="007"`. */
  get hasFormula(): boolean {
    return this.scanner.fields.hasFormula
  }

  /** The bytes that the current row is in. */
  get bytes(): Uint8Array {
    return this.scanner.bytes
  }

  /** Where the current row starts in `bytes`, and where it ends. */
  get rowStart(): number {
    return this.scanner.start
  }
  get rowEnd(): number {
    return this.scanner.end
  }

  /** Where the field of a column starts in `bytes`, and where it ends. It is empty if the file lacks the column. */
  startOf(column: number): number {
    const position = (this.positions as ReadonlyArray<number>)[column] as number
    return position < 0 ? 0 : (this.scanner.fields.starts[position] as number)
  }
  endOf(column: number): number {
    const position = (this.positions as ReadonlyArray<number>)[column] as number
    return position < 0 ? 0 : (this.scanner.fields.ends[position] as number)
  }

  /** Whether the bytes of a field are not its text, because quotes in it are doubled or escaped. */
  isEscaped(column: number): boolean {
    const position = (this.positions as ReadonlyArray<number>)[column] as number
    return position >= 0 && this.scanner.fields.escaped[position] !== 0
  }

  /** The field of the column with this index. Reading single fields is faster than creating all of them. */
  field(column: number): string {
    const position = (this.positions as ReadonlyArray<number>)[column] as number
    return position < 0 ? "" : this.scanner.field(position)
  }

  /** The fields of all columns, in their order. */
  fields(): ReadonlyArray<string> {
    return this.columns.names.map((_, column) => this.field(column))
  }

  private begin(form: FileForm): FileText {
    const { backslash, delimiter, skipLines } = form
    this.handlers.onForm?.(form)
    this.isComma = delimiter === "," && backslash === undefined
    const scanner = this.scannerOf({ delimiter, backslash, skipLines, skipsEmptyRows: true })
    this.scanner = scanner
    return {
      write: (utf8) => !this.lines.isMalformed && this.scan(this.lines.wellFormed(utf8)),
      end: () => {
        if (!this.lines.isMalformed) this.scan(this.lines.end())
        if (!this.lines.isMalformed) scanner.finish()
      }
    }
  }

  private scannerOf(options: CsvReaderOptions): CsvScanner {
    return new CsvScanner(
      {
        onRow: () => this.take(),
        onMalformed: (row, reason) => this.takeMalformed(row.line, reason, row),
        onBlankLine: () => this.handlers.onBlankLine?.()
      },
      options
    )
  }

  private scan(utf8: Uint8Array): void {
    this.scanner.write(utf8)
    if (this.lines.isMalformed)
      this.takeMalformed(this.scanner.nextLine, "this line is not UTF-8, and nothing after it was read")
  }

  private refuseFile(error: unknown): void {
    if (!(error instanceof UnreadableFile)) throw error
    this.isRefused = true
    this.takeMalformed(1, error.message)
  }

  private find(header: ReadonlyArray<string>) {
    return findColumns(header, this.columns, this.options.mapping)
  }

  private take(): void {
    if (this.positions === undefined) {
      this.takeHeader(this.row())
      return
    }
    if (this.positions.length === 0) return
    const { count, ends, starts } = this.scanner.fields
    const { width } = this
    this.lengthBefore = this.lastLength
    this.lastLength = (ends[count - 1] as number) - (starts[count - 1] as number)
    if (count === width && this.isHeader()) {
      this.handlers.onBadRow(this.line, "the header again: two files may have been joined", this.row())
      return
    }
    if (count === width || (count > width && lengthWithoutSurplus(this.scanner.allFields(), width) === width)) {
      this.handlers.onRow()
      return
    }
    this.handlers.onBadRow(this.line, `expected ${width} columns as in the header, found ${count}`, this.row())
  }

  /** Whether the current row is the header again, perhaps after a byte order mark. */
  private isHeader(): boolean {
    const { ends, starts } = this.scanner.fields
    const length = (ends[0] as number) - (starts[0] as number)
    if (length !== this.headerLength && length !== this.headerLength + mark_bytes) return false
    return this.scanner.allFields().every((field, at) => field.replace(/^\ufeff/, "") === this.header[at])
  }

  private takeHeader(row: CsvRow): void {
    const { fields, line } = row
    const found = this.find(fields)
    if (!found.ok) {
      const shown = fields.slice(0, maxListed).map((name) => name.trim().slice(0, 40))
      const names = `${shown.join(", ")}${fields.length > maxListed ? " …" : ""}`
      this.takeMalformed(
        line,
        `header: ${found.fault}; ${this.expectation()}, found ${names}${this.advice(found.missing, fields)}`,
        row
      )
      return
    }
    const { names } = this.columns
    this.positions = found.positions
    this.width = fields.length
    this.header = fields
    this.headerLength = encodeUtf8(fields[0] as string).length
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

  /** How the command is told of missing columns, with the names of the file that are most like theirs. */
  private advice(missing: ReadonlyArray<string>, header: ReadonlyArray<string>): string {
    const flags = missing.map((name) => {
      const flag = `${name}=${nearestName(header, name, this.columns) ?? "NAME"}`
      return `--column ${/^[\w=-]+$/.test(flag) ? flag : `'${flag.replaceAll("'", "'\\''")}'`}`
    })
    return flags.length === 0 ? "" : `; name each with ${flags.join(" ")}`
  }

  private expectation(): string {
    return `expected a header with ${this.columns.required.join(", ")}`
  }
}

const maxListed = 20
const mark_bytes = 3
