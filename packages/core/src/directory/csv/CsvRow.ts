/** A row of a CSV file, or the first line of one that is malformed. */
export class CsvRow {
  /** Unchanged, without its line end. Of a line that is too long, the beginning. */
  readonly text: string
  /** The line on which it starts, from 1. */
  readonly line: number
  /** CR LF or LF; LF if the last row has none. */
  readonly lineEnd: string
  /** Between the fields: a comma, unless the reader was given another character. */
  readonly delimiter: string
  private readonly unquoted: ReadonlyArray<string> | undefined

  /** @param unquoted the fields, if the row has quotes */
  constructor(text: string, line: number, lineEnd: string, delimiter = ",", unquoted?: ReadonlyArray<string>) {
    this.text = text
    this.line = line
    this.lineEnd = lineEnd
    this.delimiter = delimiter
    this.unquoted = unquoted
  }

  /** Whether the row has quotes. The text of a row without is its fields joined by the delimiter. */
  get hasQuotes(): boolean {
    return this.unquoted !== undefined
  }

  get fields(): ReadonlyArray<string> {
    return this.unquoted ?? this.text.split(this.delimiter)
  }
}
