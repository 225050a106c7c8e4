/** The bad rows of `units.csv` as a file that can be mended and imported again: each row as it was, its line and the reason. */
import { closeSync, openSync, writeSync } from "node:fs"
import { type BadRow, type CsvRow, csvLine, csvRow, DirectoryReader, type ReadingOptions } from "@postcode/core/Csv"
import { CommandFailure } from "../process/ExitCode.ts"

/** A file that was appended to itself has as many as rows. Of those beyond this number, the file has line and reason. */
const maxRepeated = 100_000

export class BadRowFile {
  private readonly file: number
  private header: CsvRow | undefined
  private rows = 0
  /** The reasons of rows whose text is not known any more, by their lines. */
  private readonly repeated = new Map<number, string>()

  /** @throws CommandFailure if the file cannot be written */
  constructor(path: string) {
    this.file = openFile(path)
  }

  /** The header of a file, before its rows. */
  readonly onHeader = (file: BadRow["file"], _: unknown, header: CsvRow): void => {
    if (file === "units") this.header = header
  }

  /** A row that repeats a postcode is found when all rows were read. `finish` looks its text up. */
  add({ file, line, reason }: BadRow, row: CsvRow | undefined): void {
    if (file !== "units" || this.header === undefined) return
    if (row === undefined && this.repeated.size < maxRepeated) this.repeated.set(line, reason)
    else this.write(this.header, line, reason, row)
  }

  /** Reads the units once more, if rows repeat a postcode. */
  async finish(units: () => AsyncIterable<Uint8Array>, reading: ReadingOptions | undefined): Promise<void> {
    const { header, repeated } = this
    if (header === undefined || repeated.size === 0) return
    const reader = new DirectoryReader({
      ...reading,
      onHeader: undefined,
      skipBadRows: true,
      dropsLine: (line, row) => {
        const reason = repeated.get(line)
        if (reason !== undefined && repeated.delete(line)) this.write(header, line, reason, row())
        return true
      }
    })
    for await (const bytes of units()) {
      reader.writeUnits(bytes)
      if (repeated.size === 0) return
    }
    reader.end()
  }

  private write(header: CsvRow, line: number, reason: string, row: CsvRow | undefined): void {
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
