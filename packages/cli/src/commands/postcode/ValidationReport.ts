/**
 * What `postcode validate` writes for each row: CSV with columns added, one JSON value, or JSON lines. All of it is byte
 * text, so that a row of CSV goes out as it came in.
 */
import { type CsvRow, csvRow } from "@postcode/core/Csv"
import type { Validation, ValidationStatus } from "@postcode/core/Validation"
import { byteOrderMark, decoded, encoded, fieldsOf } from "../../csv/ByteText.ts"

/** How many rows there were of each status. */
export type Counts = Readonly<Record<ValidationStatus, number>>

/** How rows are written, in one of the forms. */
export interface ValidationReport {
  /** What stands in front. `header` is undefined if the file has none. */
  readonly start: (columns: number, header: CsvRow | undefined, hasByteOrderMark: boolean) => string
  /** A row: the code in it, and what there is to say of that. It has `missing` fields less than the columns. */
  readonly row: (row: CsvRow, code: string, validation: Validation, missing: number) => string
  /** A line that is no row of this file, and why. */
  readonly fault: (line: CsvRow, reason: string) => string
  readonly blankLine: (lineEnd: string) => string
  readonly end: (counts: Counts) => string
}

/** The columns that are added. One that the file has already gets the first number that is free: `status_2`. */
const addedColumns = ["status", "canonical_postcode", "reason", "candidates"]

/** Each row as it was, with the answer behind it. A line that is no row stands whole in the first column. */
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

/** `{"results": [{"line", "code", "status", …}, …], "summary"}`: one value, of which each row has a line. */
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

/** The same items, one JSON value a line and nothing around them. */
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
