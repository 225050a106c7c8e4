/** The rules: what is read as which postcode, and which row goes where. Nothing here is about files. */
import { CsvReader, csvLine } from "@postcode/core/Csv"
import type { Directory } from "@postcode/core/Directory"
import { type Validation, validate } from "@postcode/core/Validation"

export interface Cleaned {
  /** Rows whose postcode is in use, with its canonical format in the place of what stood there. */
  readonly clean: string
  /** All others, as they were, with their line, the reason, and what may have been meant in front. */
  readonly rejected: string
}

/** Cleans a CSV text that comes in chunks; of the file it keeps no more than a row. */
export class Cleaner {
  readonly counts = { clean: 0, rejected: 0 }
  private readonly directory: Directory
  private readonly columnName: string
  private readonly reader: CsvReader
  private columns: ReadonlyArray<string> | undefined
  private column = -1
  private out = { clean: "", rejected: "" }

  /** @param columnName the header of the column with the postcodes, in any case */
  constructor(directory: Directory, columnName: string) {
    this.directory = directory
    this.columnName = columnName
    this.reader = new CsvReader({
      onRow: ({ fields, line }) =>
        this.columns === undefined ? this.begin(fields) : this.take(fields, line, this.columns),
      onMalformed: ({ line }, reason) => {
        if (this.columns === undefined) throw new Error(`the header cannot be read: ${reason}`)
        // Of such a row nothing but its line is known.
        this.reject(line, reason, [], new Array<string>(this.columns.length).fill(""))
      }
    })
  }

  /** Answers the rows that this chunk completes. */
  write(chunk: string): Cleaned {
    this.reader.write(chunk)
    return this.taken()
  }

  /** Answers what is left. */
  end(): Cleaned {
    this.reader.end()
    if (this.columns === undefined) throw new Error("there is nothing in it: expected a header")
    return this.taken()
  }

  private begin(names: ReadonlyArray<string>): void {
    this.column = names.findIndex((name) => name.trim().toLowerCase() === this.columnName.toLowerCase())
    if (this.column < 0) throw new Error(`there is no column ${this.columnName}: it has ${names.join(", ")}`)
    this.columns = names
    this.out.clean += csvLine(names)
    this.out.rejected += csvLine(["line", "reason", "suggestions", ...names])
  }

  private take(fields: ReadonlyArray<string>, line: number, { length }: ReadonlyArray<string>): void {
    if (fields.length !== length) {
      this.reject(line, `expected ${length} fields, found ${fields.length}`, [], fields)
      return
    }
    const { candidates, postcode, reason, status } = read(this.directory, fields[this.column] ?? "")
    if (status !== "valid") {
      this.reject(line, reason ?? status, candidates, fields)
      return
    }
    this.counts.clean++
    this.out.clean += csvLine(fields.with(this.column, postcode ?? ""))
  }

  private reject(
    line: number,
    reason: string,
    suggestions: ReadonlyArray<string>,
    fields: ReadonlyArray<string>
  ): void {
    this.counts.rejected++
    this.out.rejected += csvLine([String(line), reason, suggestions.join(" "), ...fields])
  }

  private taken(): Cleaned {
    const { out } = this
    this.out = { clean: "", rejected: "" }
    return out
  }
}

/**
 * What a text says. Beside all renderings of a postcode it takes other signs between the segments, and the wide letters
 * and digits of East Asian keyboards, if what they spell is in use. A slip is never mended: it is suggested.
 */
const read = (directory: Directory, text: string): Validation => {
  const asWritten = validate(directory, text)
  if (asWritten.status !== "malformed") return asWritten
  const spelled = validate(directory, text.normalize("NFKC").replace(/[^0-9A-Za-z]/g, ""), 0)
  return spelled.status === "valid" ? spelled : asWritten
}
