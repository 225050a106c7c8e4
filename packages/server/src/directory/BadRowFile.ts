/** The bad rows of `units.csv` as a file that can be mended and imported again: each row as it was, its line and the reason. */
import { closeSync, openSync, writeSync } from "node:fs"
import { type BadRow, type CsvRow, csvLine, csvRow } from "@postcode/core/Csv"
import { CommandFailure } from "../process/ExitCode.ts"

export class BadRowFile {
  private readonly file: number
  private header: CsvRow | undefined
  private rows = 0

  /** @throws CommandFailure if the file cannot be written */
  constructor(path: string) {
    this.file = openFile(path)
  }

  /** The header of a file, before its rows. */
  readonly onHeader = (file: BadRow["file"], _: unknown, header: CsvRow): void => {
    if (file === "units") this.header = header
  }

  /** Of a row whose text is not known any more, such as one that repeats a postcode, only line and reason. */
  add({ file, line, reason }: BadRow, row: CsvRow | undefined): void {
    const { header } = this
    if (file !== "units" || header === undefined) return
    const { delimiter } = header
    if (this.rows === 0) writeSync(this.file, `${header.text}${delimiter}${csvRow(["line", "reason"], delimiter)}\n`)
    this.rows++
    if (row === undefined) {
      const before = delimiter.repeat(header.fields.length)
      writeSync(this.file, `${before}${csvRow([String(line), reason], delimiter)}\n`)
      return
    }
    // A row that is not CSV is whole in the first field, and would otherwise swallow what follows.
    const isCsv = row.fields.length === header.fields.length && !isBroken(row)
    const missing = Math.max(0, header.fields.length - row.fields.length)
    const text = isCsv || (missing > 0 && !isBroken(row)) ? row.text : csvRow([row.text], delimiter)
    const empty = isCsv ? 0 : isBroken(row) || missing === 0 ? header.fields.length - 1 : missing
    writeSync(this.file, `${text}${delimiter.repeat(empty)}${delimiter}${csvRow([String(line), reason], delimiter)}\n`)
  }

  close(): void {
    closeSync(this.file)
  }
}

/** Line and reason of each bad row, where the rows themselves are not to be copied. */
export class BadRowList {
  private readonly file: number

  /** @throws CommandFailure if the file cannot be written */
  constructor(path: string) {
    this.file = openFile(path)
    writeSync(this.file, csvLine(["line", "reason"]))
  }

  add(line: number, reason: string): void {
    writeSync(this.file, csvLine([String(line), reason]))
  }

  close(): void {
    closeSync(this.file)
  }
}

const openFile = (path: string): number => {
  try {
    return openSync(path, "w")
  } catch (error) {
    throw new CommandFailure(`--bad-rows: ${path} cannot be written: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** A row with a quote whose fields are not known. */
const isBroken = ({ hasQuotes, text }: CsvRow): boolean => !hasQuotes && text.includes('"')
