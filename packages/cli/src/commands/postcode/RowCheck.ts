/** Validates the postcode in each row of a file and counts the results. */

import { corrections } from "@postcode/core/Corrections"
import type { CsvHandlers, CsvRow } from "@postcode/core/Csv"
import type { Directory } from "@postcode/core/Directory"
import { isValid } from "@postcode/core/Postcode"
import { type Validation, type ValidationStatus, validate } from "@postcode/core/Validation"
import { decoded, fieldsOf, linesNotUtf8 } from "../../csv/ByteText.ts"
import { fieldCount, otherFieldCount } from "../../csv/fieldCount.ts"
import { rejectOtherFormats } from "../../csv/rejectOtherFormats.ts"
import { CommandFailure, exitCodes } from "../../ExitCode.ts"
import { columnByName, columnByNumber } from "./PostcodeColumn.ts"
import { csvReport, jsonLinesReport, jsonReport, type ValidationReport } from "./ValidationReport.ts"

/** Which column to validate, and which rows to write. */
export interface RowCheckOptions {
  /** A name, or a number from 1. */
  readonly column: string | undefined
  readonly noHeader: boolean
  /** Whether to omit valid rows from the output. */
  readonly onlyBad: boolean
  readonly json: boolean
  readonly jsonLines: boolean
}

/** The number of lines with their own message. */
const maxShown = 20

/** Takes rows and produces the output. */
export class RowCheck implements CsvHandlers {
  readonly counts: Record<ValidationStatus, number> = { valid: 0, retired: 0, unknown: 0, malformed: 0 }
  private readonly directory: Directory
  private readonly options: RowCheckOptions
  private readonly report: ValidationReport
  private readonly onProblem: (line: number, problem: string) => void
  private problems = 0
  private output = ""
  private hasByteOrderMark = false
  /** The number of columns; 0 before the first row. */
  private columns = 0
  private column = 0

  /** @param onProblem called for lines that are not rows of this file, or not UTF-8 */
  constructor(directory: Directory, options: RowCheckOptions, onProblem: (line: number, problem: string) => void) {
    this.directory = directory
    this.options = options
    this.report = options.json ? jsonReport() : options.jsonLines ? jsonLinesReport() : csvReport()
    this.onProblem = onProblem
  }

  get rows(): number {
    const { malformed, retired, unknown, valid } = this.counts
    return valid + retired + unknown + malformed
  }

  /** The output since the previous call, as byte text. */
  takeOutput(): string {
    const { output } = this
    this.output = ""
    return output
  }

  /** Ends the input. */
  finish(): void {
    if (this.columns === 0) {
      if (!this.options.noHeader) throw new CommandFailure("there is nothing in it: expected a header")
      this.output += this.report.start(0, undefined, this.hasByteOrderMark)
    }
    this.output += this.report.end(this.counts)
  }

  onByteOrderMark(): void {
    this.hasByteOrderMark = true
  }

  onRow(row: CsvRow): void {
    const isFirst = this.columns === 0
    if (isFirst) this.begin(row)
    if (!isFirst || this.options.noHeader) this.answer(row)
    this.checkEncoding(row)
  }

  private answer(row: CsvRow): void {
    const { column, columns } = this
    const { fields } = row
    const count = fields.length
    if (count > columns) {
      this.onMalformed(row, otherFieldCount(count, columns))
      return
    }
    const code = decoded(fields[column] ?? "")
    const validation = column < count ? validate(this.directory, code) : tooFew(count, column)
    this.counts[validation.status]++
    if (validation.status === "valid" && this.options.onlyBad) return
    this.output += this.report.row(row, code, validation, columns - count)
  }

  onBlankLine(lineEnd: string): void {
    if (this.columns > 0 && !this.options.onlyBad) this.output += this.report.blankLine(lineEnd)
  }

  onMalformed(line: CsvRow, reason: string): void {
    if (this.columns === 0) throw new CommandFailure(`line ${line.line} cannot be read: ${reason}`)
    this.counts.malformed++
    this.output += this.report.fault(line, reason)
    this.tell(line.line, reason)
  }

  private checkEncoding(row: CsvRow): void {
    for (const line of linesNotUtf8(row)) this.tell(line, "this line is not UTF-8; its bytes are left as they are")
  }

  /** Reads the first row: the header, if the file has one. */
  private begin(row: CsvRow): void {
    const { column, noHeader } = this.options
    const names = fieldsOf(row)
    rejectOtherFormats(row.text, names)
    if (noHeader) this.column = columnByNumber(names.length, column)
    else {
      if (names.some((name) => this.isCode(name))) throw headerMissing()
      this.column = columnByName(names, column)
    }
    this.columns = names.length
    this.output += this.report.start(names.length, noHeader ? undefined : row, this.hasByteOrderMark)
  }

  private isCode(text: string): boolean {
    return isValid(text) || corrections(this.directory, text, 1).length > 0
  }

  private tell(line: number, problem: string): void {
    this.problems++
    if (this.problems <= maxShown) this.onProblem(line, problem)
    if (this.problems === maxShown + 1) this.onProblem(line, "this line has a problem, too; further ones are not shown")
  }
}

const headerMissing = (): CommandFailure =>
  new CommandFailure(
    "the first row holds a postcode where the columns' names should be: a file without a header takes --no-header",
    exitCodes.wrongUsage
  )

const tooFew = (count: number, column: number): Validation => ({
  status: "malformed",
  postcode: undefined,
  reason: `the row has ${fieldCount(count)}, and the postcode would be number ${column + 1}`,
  candidates: []
})
