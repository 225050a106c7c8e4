/** Reads and writes CSV (RFC 4180). Reading is a stream from chunks to rows, for files of any length. */
import type { CsvRow } from "./CsvRow.ts"
import { type CsvReaderOptions, CsvScanner, type ScanHandlers } from "./CsvScanner.ts"
import { Utf8Encoding } from "./TextCoding.ts"

/** Callbacks for rows. */
export interface CsvHandlers extends Omit<ScanHandlers, "onRow"> {
  readonly onRow: (row: CsvRow) => void
}

/**
 * Calls back for each row once it is complete. Lines end with CR LF or LF, the last one also with the end of the text. A
 * byte order mark at the start is ignored. Blanks around a quoted field are ignored. Chunks may be cut anywhere.
 *
 * ```ts
 * const reader = new CsvReader({ onRow: ({ fields }) => rows.push(fields), onMalformed: ({ line }, reason) => fail(line, reason) })
 * for await (const chunk of file) reader.write(chunk)
 * reader.end()
 * ```
 */
export class CsvReader {
  private readonly scanner: CsvScanner
  private readonly encoding = new Utf8Encoding()

  constructor(handlers: CsvHandlers, options: CsvReaderOptions = {}) {
    this.scanner = new CsvScanner(
      {
        onRow: () => handlers.onRow(this.scanner.row()),
        onMalformed: (row, reason) => handlers.onMalformed(row, reason),
        onBlankLine: (lineEnd) => handlers.onBlankLine?.(lineEnd),
        onByteOrderMark: () => handlers.onByteOrderMark?.(),
        onSkippedLine: (text, lineEnd) => handlers.onSkippedLine?.(text, lineEnd)
      },
      options
    )
  }

  /** Text, or bytes that may be reused afterwards. */
  write(chunk: string | Uint8Array): void {
    this.scanner.write(typeof chunk === "string" ? this.encoding.encode(chunk) : chunk)
  }

  /** Ends the text. */
  end(): void {
    this.scanner.write(this.encoding.end())
    this.scanner.finish()
  }
}

/** A value of a cell. */
export type CsvValue = boolean | number | string | null | undefined

/**
 * A value for spreadsheets. An apostrophe keeps text from being run as a formula, since it may come from an attacker.
 * Numbers stay numbers.
 */
export const csvCell = (value: CsvValue): string =>
  typeof value === "string" && formula.test(value) ? `'${value}` : String(value ?? "")

/**
 * Spreadsheets trim white space and invisible characters, cut a text at a tab or a line end, and may read full-width,
 * small and mathematical signs as those of ASCII.
 */
const formula = /^[\s\p{C}]*(?:[\t\r\n]|[=+\-@＝＋－＠﹦﹢﹣﹫−])/u

/** A row as CSV with its line feed, quoted where needed. */
export const csvLine = (fields: ReadonlyArray<string>): string => `${csvRow(fields)}\n`

/** A row as CSV without a line end. */
export const csvRow = (fields: ReadonlyArray<string>, delimiter = ","): string =>
  // A single empty field would be a blank line, which is not a row.
  fields.length === 1 && fields[0] === "" ? '""' : fields.map((field) => csvField(field, delimiter)).join(delimiter)

const csvField = (field: string, delimiter: string): string =>
  needsQuotes.test(field) || field.includes(delimiter) ? `"${field.replaceAll('"', '""')}"` : field

// White space at either end is quoted because some programs trim it.
const needsQuotes = /[",\r\n]|^\s|\s$/
