/** Reads the lines of a CSV file in batches, and writes them with the outcomes of their rows. All text is byte text. */

import { type CsvHandlers, type CsvRow, FooterLines } from "@postcode/core/Csv"
import { isValid } from "@postcode/core/Postcode"
import { maxBatch } from "@postcode/gateway/InputLimits"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { faultWith, headerWith, renamedIn, rowWith } from "../../csv/AddedColumns.ts"
import { byteOrderMark, decoded, fieldsOf } from "../../csv/ByteText.ts"
import { noRows } from "../../csv/CsvInput.ts"
import { otherFieldCount, withoutSurplus } from "../../csv/fieldCount.ts"
import { rejectOtherFormats } from "../../csv/rejectOtherFormats.ts"
import type { Enrichment, Outcome, Read, RowReading } from "./Enrichment.ts"

/** A line of the file: a row, a line that is none, or a line that is copied, such as a blank one. */
type Line<Item> =
  | { readonly row: CsvRow; readonly read: Read<Item> }
  | { readonly fault: CsvRow; readonly reason: string }
  | { readonly blank: string }

/** Consecutive lines. */
export interface LineBatch<Item> {
  /** The number of lines before it, without the header. */
  readonly first: number
  readonly lines: ReadonlyArray<Line<Item>>
}

/** Collects lines as they are read. */
export class EnrichRows<Item> implements CsvHandlers {
  /** The start of the output; undefined before the first row. */
  header: string | undefined
  /** What to say of added columns whose names the header has already. */
  renamed: ReadonlyArray<string> = []
  private readonly enrichment: Enrichment<Item>
  private readonly noHeader: boolean
  /** The byte order mark and the lines before the header. */
  private leading = ""
  /** The number of columns; 0 before the first row. */
  width = 0
  private reading: RowReading<Item> = { read: () => ({ reason: "" }), key: undefined }
  private rows = 0
  private readonly footer = new FooterLines()
  private lines: Array<Line<Item>> = []
  private taken = 0

  constructor(enrichment: Enrichment<Item>, noHeader: boolean) {
    this.enrichment = enrichment
    this.noHeader = noHeader
  }

  /** The complete batches since the previous call; the rest as well after the end of the file. */
  *take(isEnd: boolean): Generator<LineBatch<Item>> {
    const { lines } = this
    let at = 0
    for (; at + maxBatch <= lines.length || (isEnd && at < lines.length); at += maxBatch) {
      const batch = { first: this.taken, lines: lines.slice(at, at + maxBatch) }
      this.taken += batch.lines.length
      yield batch
    }
    this.lines = lines.slice(at)
  }

  /** Ends the file. */
  end(): void {
    if (this.header !== undefined) {
      if (this.rows === 0) throw noRows()
      return
    }
    if (!this.noHeader) throw new CommandFailure("there is nothing in it: expected a header")
    this.header = ""
  }

  /** A batch as output, and the outcomes of its rows. */
  write({ lines }: LineBatch<Item>, answers: ReadonlyArray<Outcome>): EnrichedLines {
    const next = answers[Symbol.iterator]()
    const outcomes: Array<Outcome> = []
    const text = lines.map((line) => {
      if ("blank" in line) return line.blank
      const isAsked = "row" in line && "item" in line.read
      const outcome = isAsked ? (next.next().value as Outcome) : this.enrichment.mistake(reasonOf(line))
      outcomes.push(outcome)
      return "row" in line
        ? rowWith(line.row, this.width - line.row.fields.length, outcome.fields)
        : faultWith(line.fault, this.width, outcome.fields)
    })
    return { text: text.join(""), outcomes }
  }

  onByteOrderMark(): void {
    this.leading = byteOrderMark
  }

  onRow(given: CsvRow): void {
    const isFirst = this.width === 0
    if (isFirst) this.begin(given)
    if (isFirst && !this.noHeader) return
    const row = withoutSurplus(given, this.width)
    const { length } = row.fields
    if (length > this.width) {
      this.onMalformed(row, otherFieldCount(length, this.width))
      return
    }
    const fields = fieldsOf(row)
    const { key, read } = this.reading
    if (this.footer.take({ fields, line: row.line }, { width: this.width, key, rows: this.rows })) {
      this.onSkippedLine(given.text, given.lineEnd)
      return
    }
    this.rows++
    this.lines.push({ row, read: read(fields) })
  }

  /** What the user should know of lines that are no rows. */
  get note(): string | undefined {
    return this.footer.note()
  }

  onMalformed(fault: CsvRow, reason: string): void {
    if (this.width === 0) throw new CommandFailure(`line ${fault.line} cannot be read: ${reason}`)
    this.rows++
    this.lines.push({ fault, reason })
  }

  onBlankLine(lineEnd: string): void {
    this.footer.blankLine(this.rows)
    if (this.width > 0) this.lines.push({ blank: lineEnd })
    else this.leading += lineEnd
  }

  onSkippedLine(text: string, lineEnd: string): void {
    if (this.width > 0) this.lines.push({ blank: text + lineEnd })
    else this.leading += text + lineEnd
  }

  /** Reads the first row: the header, if the file has one. */
  private begin(row: CsvRow): void {
    const names = fieldsOf(row)
    rejectOtherFormats(row)
    if (!this.noHeader && names.some(isValid)) throw headerMissing()
    this.reading = this.enrichment.start(names, this.noHeader)
    this.width = names.length
    if (!this.noHeader) this.renamed = renamedIn(row, this.enrichment.columns)
    this.header = this.leading + (this.noHeader ? "" : headerWith(row, this.enrichment.columns))
  }
}

/** The output of a batch. */
export interface EnrichedLines {
  readonly text: string
  /** Of each row and each line that is none. */
  readonly outcomes: ReadonlyArray<Outcome>
}

/** The items of a batch that are asked for. */
export const itemsOf = <Item>({ lines }: LineBatch<Item>): ReadonlyArray<Item> =>
  lines.flatMap((line) => ("row" in line && "item" in line.read ? [line.read.item] : []))

const reasonOf = <Item>(line: Exclude<Line<Item>, { readonly blank: string }>): string => {
  if ("fault" in line) return decoded(line.reason)
  return "reason" in line.read ? line.read.reason : ""
}

const headerMissing = (): CommandFailure =>
  new CommandFailure(
    "the first row holds a postcode where the columns' names should be: a file without a header takes --no-header",
    exitCodes.wrongUsage
  )
