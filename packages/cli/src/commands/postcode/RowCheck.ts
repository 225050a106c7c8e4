/** Validates the postcode and resolves the address in each row of a file, and counts the results. */

import { searchAddress } from "@postcode/core/AddressSearch"
import { corrections } from "@postcode/core/Corrections"
import { type CsvHandlers, type CsvRow, cellValue, FooterLines } from "@postcode/core/Csv"
import type { Directory } from "@postcode/core/Directory"
import { parseLenient } from "@postcode/core/ParseLenient"
import { isValid } from "@postcode/core/Postcode"
import { type Validation, validate } from "@postcode/core/Validation"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { byteOrderMark, decoded, fieldsOf, linesNotUtf8 } from "../../csv/ByteText.ts"
import { noRows } from "../../csv/CsvInput.ts"
import type { FormFlags } from "../../csv/Delimiter.ts"
import { fieldCount, otherFieldCount, withoutSurplus } from "../../csv/fieldCount.ts"
import { rejectOtherFormats } from "../../csv/rejectOtherFormats.ts"
import { columnsByName, columnsByNumber, type FoundColumns, type WantedColumns } from "./CsvColumns.ts"
import { RowCounts } from "./RowCounts.ts"
import { agreement, isGood, type RowAddress, type RowResult, type RowValidation } from "./RowResult.ts"
import { addressPart, codesIn, validateCell, whyNoCode, withoutCodes } from "./readCode.ts"
import { csvReport, jsonLinesReport, jsonReport, type ValidationReport } from "./ValidationReport.ts"

/** Which columns to read, and which rows to write. */
export interface RowCheckOptions extends WantedColumns, FormFlags {
  readonly noHeader: boolean
  /** Whether to parse postcodes leniently. */
  readonly lenient: boolean
  /** Whether to omit rows that nobody needs to look at. */
  readonly onlyBad: boolean
  readonly json: boolean
  readonly jsonLines: boolean
}

/** Takes what the user should know of a file. */
export interface RowCheckNotes {
  /** Of the columns, with the line of the header. */
  readonly onColumns: (line: number, note: string) => void
  /** Of a line that is no row of this file, or not UTF-8. */
  readonly onBadLine: (line: number, reason: string) => void
}

/** Takes rows and produces the output. */
export class RowCheck implements CsvHandlers {
  counts = new RowCounts({ postcodes: true, addresses: false })
  private readonly directory: Directory
  private readonly options: RowCheckOptions
  private readonly report: ValidationReport
  private readonly notes: RowCheckNotes
  private output = ""
  /** The lines before the header. */
  private leading = ""
  private hasByteOrderMark = false
  /** The number of columns; 0 before the first row. */
  width = 0
  /** The text of the header; empty if the file has none. */
  private header = ""
  private columns: FoundColumns = { postcode: undefined, address: [] }
  readonly footer = new FooterLines()

  constructor(directory: Directory, options: RowCheckOptions, notes: RowCheckNotes) {
    this.directory = directory
    this.options = options
    this.report = options.json ? jsonReport() : options.jsonLines ? jsonLinesReport() : csvReport()
    this.notes = notes
  }

  /** The output since the previous call, as byte text. */
  takeOutput(): string {
    const { output } = this
    this.output = ""
    return output
  }

  /** Ends the input. */
  finish(): void {
    if (this.width === 0) {
      if (!this.options.noHeader) throw new CommandFailure("there is nothing in it: expected a header")
      this.start({ postcode: undefined, address: [] }, 0, undefined)
    } else if (this.counts.rows === 0) throw noRows()
    this.output += this.report.end(this.counts.byName)
  }

  onByteOrderMark(): void {
    this.hasByteOrderMark = true
  }

  onRow(row: CsvRow): void {
    const isFirst = this.width === 0
    if (isFirst) this.begin(row)
    if (!isFirst || this.options.noHeader) this.answer(row)
    this.checkEncoding(row)
  }

  private answer(given: CsvRow): void {
    const { width } = this
    const row = withoutSurplus(given, width)
    const count = row.fields.length
    if (count > width) {
      this.onMalformed(row, otherFieldCount(count, width))
      return
    }
    if (count === width && isSameRow(row.text, this.header)) {
      this.onMalformed(row, "this is the header again: two files may have been joined")
      return
    }
    const result = this.resultOf(row)
    if (!isGood(result) && this.isFooter(row)) {
      this.onSkippedLine(given.text, given.lineEnd)
      return
    }
    this.counts.add(result)
    if (this.options.onlyBad && isGood(result)) return
    this.output += this.report.row(row, result, width - count)
  }

  private isFooter(row: CsvRow): boolean {
    const { address, postcode } = this.columns
    const key = address.length > 0 ? undefined : postcode
    const place = { width: this.width, key, rows: this.counts.rows }
    return this.footer.take({ fields: fieldsOf(row), line: row.line }, place)
  }

  private resultOf({ fields }: CsvRow): RowResult {
    const { postcode } = this.columns
    const code = postcode === undefined ? undefined : decoded(fields[postcode] ?? "")
    const validation = code === undefined ? undefined : this.validationOf(code, fields.length)
    return { code, validation, address: this.addressOf(fields, validation) }
  }

  private validationOf(code: string, count: number): RowValidation | undefined {
    const { address, postcode = 0 } = this.columns
    if (address.length > 0 && whyNoCode(code) !== undefined) return undefined
    if (postcode >= count) return tooFew(count, postcode)
    const mended = this.options.lenient ? parseLenient(cellValue(code)) : undefined
    if (!mended?.ok) return validateCell(this.directory, code)
    return { ...validate(this.directory, mended.postcode), changed: mended.changed }
  }

  private addressOf(fields: ReadonlyArray<string>, validation: Validation | undefined): RowAddress | undefined {
    const { postcode } = this.columns
    if (this.columns.address.length === 0) return undefined
    // Codes of other systems in the postcodes' column belong to no address here.
    const isCode = validation !== undefined && validation.status !== "malformed"
    const address = this.columns.address.filter((column) => column !== postcode || isCode)
    const parts = address.map((column) => addressPart(decoded(fields[column] ?? "")))
    const text = parts.filter((part) => part !== "").join(", ")
    const answer = searchAddress(this.directory, text, { limit: 1 })
    const agrees = validation === undefined ? this.agreementWithin(text) : agreement(validation, answer)
    return { text, answer, agrees }
  }

  /** Whether the postcode that an address contains is that of the rest of the address; undefined if either is unknown. */
  private agreementWithin(text: string): boolean | undefined {
    const [code, ...others] = codesIn(text)
    if (code === undefined || others.length > 0) return undefined
    const rest = searchAddress(this.directory, withoutCodes(text), { limit: 1 })
    return rest.action === "accept" ? agreement(validate(this.directory, code, 0), rest) : undefined
  }

  onBlankLine(lineEnd: string): void {
    this.footer.blankLine(this.counts.rows)
    if (this.options.onlyBad) return
    if (this.width > 0) this.output += this.report.blankLine(lineEnd)
    else this.leading += this.report.blankLine(lineEnd)
  }

  onSkippedLine(text: string, lineEnd: string): void {
    if (this.options.onlyBad) return
    if (this.width > 0) this.output += this.report.skippedLine(text + lineEnd)
    else this.leading += this.report.skippedLine(text + lineEnd)
  }

  onMalformed(line: CsvRow, reason: string): void {
    if (this.width === 0) throw new CommandFailure(`line ${line.line} cannot be read: ${reason}`)
    this.counts.addFault()
    this.output += this.report.fault(line, reason)
    this.notes.onBadLine(line.line, reason)
  }

  private checkEncoding(row: CsvRow): void {
    for (const line of linesNotUtf8(row))
      this.notes.onBadLine(line, "this line is not UTF-8; its bytes are left as they are")
  }

  /** Reads the first row: the header, if the file has one. */
  private begin(row: CsvRow): void {
    const { noHeader } = this.options
    const names = fieldsOf(row)
    rejectOtherFormats(row)
    if (!noHeader && names.some((name) => this.isCode(name))) throw headerMissing()
    const columns = noHeader ? columnsByNumber(names.length, this.options) : columnsByName(names, this.options)
    if (!noHeader) this.header = row.text
    this.start(columns, names.length, noHeader ? undefined : row)
    if (!noHeader) this.tellOfColumns(row, columns)
  }

  private start(columns: FoundColumns, width: number, header: CsvRow | undefined): void {
    this.columns = columns
    this.width = width
    const { lenient } = this.options
    const has = { postcodes: columns.postcode !== undefined, addresses: columns.address.length > 0, lenient }
    if (width > 0) this.counts = new RowCounts(has)
    this.output += this.report.start({ ...has, width }, header, this.hasByteOrderMark, this.leading)
  }

  private tellOfColumns(header: CsvRow, { postcode }: FoundColumns): void {
    if (postcode === undefined) {
      const problem = "no column is called postcode, so only the addresses are checked"
      this.notes.onColumns(header.line, `${problem}; to check postcodes as well, name their column with --column`)
    }
    for (const renamed of this.report.renamed(header)) this.notes.onColumns(header.line, renamed)
  }

  private isCode(text: string): boolean {
    return isValid(text) || corrections(this.directory, text, 1).length > 0
  }
}

/** @param header empty if the file has none */
const isSameRow = (text: string, header: string): boolean =>
  header !== "" && (text === header || text === byteOrderMark + header)

const headerMissing = (): CommandFailure =>
  new CommandFailure(
    "the first row holds a postcode where the columns' names should be: a file without a header takes --no-header",
    exitCodes.wrongUsage
  )

const tooFew = (count: number, column: number): Validation => ({
  status: "malformed",
  postcode: undefined,
  replaced_by: undefined,
  reason: `the row has ${fieldCount(count)}, and the postcode would be number ${column + 1}`,
  candidates: []
})
