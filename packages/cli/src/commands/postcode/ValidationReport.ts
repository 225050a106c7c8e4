/**
 * The output formats of `postcode validate`: CSV with additional columns, one JSON value, or JSON lines. All output is
 * byte text, so that CSV rows are copied byte by byte.
 */
import { type CsvRow, csvRow } from "@postcode/core/Csv"
import type { Validation, ValidationStatus } from "@postcode/core/Validation"
import { byteOrderMark, decoded, encoded, fieldsOf } from "../../csv/ByteText.ts"

/** The number of rows by status. */
export type Counts = Readonly<Record<ValidationStatus, number>>

/** An output format. */
export interface ValidationReport {
  /** Starts the output. `header` is undefined if the file has none. */
  readonly start: (columns: number, header: CsvRow | undefined, hasByteOrderMark: boolean) => string
  /** Writes a row with its postcode and the result. The row lacks `missing` fields. */
  readonly row: (row: CsvRow, code: string, validation: Validation, missing: number) => string
  /** Writes a line that is not a row of this file, and the reason. */
  readonly fault: (line: CsvRow, reason: string) => string
  readonly blankLine: (lineEnd: string) => string
  readonly end: (counts: Counts) => string
}

/** The additional columns. If a name is taken, the first free number is appended: `status_2`. */
const addedColumns = ["status", "canonical_postcode", "reason", "candidates"]

/** Copies each row and appends the result. A line that is not a row goes into the first column. */
export const csvReport = (): ValidationReport => {
  let columns = 0
  return {
    start: (count, header, hasByteOrderMark) => {
      columns = count
      const mark = hasByteOrderMark ? byteOrderMark : ""
      return header === undefined ? mark : mark + header.text + addedNames(fieldsOf(header)) + header.lineEnd
    },
    row: ({ lineEnd, text }, _code, { candidates, postcode, reason, status }, missing) => {
      const row = missing > 0 ? text + ",".repeat(missing) : text
      if (status === "valid") return `${row},valid,${postcode},,${lineEnd}`
      return `${row},${csvRow([status, postcode ?? "", reason ?? "", candidates.join(" ")])}${lineEnd}`
    },
    fault: ({ lineEnd, text }, reason) => {
      const empty = new Array<string>(columns - 1).fill("")
      return csvRow([text, ...empty, "malformed", "", reason, ""]) + lineEnd
    },
    blankLine: (lineEnd) => lineEnd,
    end: () => ""
  }
}

/** `{"results": [{"line", "code", "status", …}, …], "summary"}`: one value, with one row per line. */
export const jsonReport = (): ValidationReport => {
  let separator = "\n"
  const next = (item: string): string => {
    const text = separator + item
    separator = ",\n"
    return text
  }
  return {
    start: () => '{"results":[',
    row: (row, code, validation) => next(rowItem(row, code, validation)),
    fault: (line, reason) => next(faultItem(line, reason)),
    blankLine: () => "",
    end: (counts) => `${separator === "\n" ? "" : "\n"}],"summary":${JSON.stringify(counts)}}\n`
  }
}

/** The same items, one JSON value per line. */
export const jsonLinesReport = (): ValidationReport => ({
  start: () => "",
  row: (row, code, validation) => `${rowItem(row, code, validation)}\n`,
  fault: (line, reason) => `${faultItem(line, reason)}\n`,
  blankLine: () => "",
  end: () => ""
})

const rowItem = (row: CsvRow, code: string, { candidates, postcode, reason, status }: Validation): string =>
  encoded(JSON.stringify({ line: row.line, code, status, postcode, reason, candidates, fields: fieldsOf(row) }))

const faultItem = ({ line, text }: CsvRow, reason: string): string =>
  encoded(JSON.stringify({ line, status: "malformed", reason, candidates: [], text: decoded(text) }))

const addedNames = (names: ReadonlyArray<string>): string => {
  const taken = new Set(names.map((name) => name.trim().toLowerCase()))
  return addedColumns.map((name) => `,${freeName(name, taken)}`).join("")
}

const freeName = (name: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(name)) return name
  for (let number = 2; ; number++) if (!taken.has(`${name}_${number}`)) return `${name}_${number}`
}
