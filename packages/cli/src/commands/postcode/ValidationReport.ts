/**
 * The output formats of `postcode validate`: CSV with additional columns, one JSON value, or JSON lines. All output is
 * byte text, so that CSV rows are copied byte by byte.
 */
import type { CsvRow } from "@postcode/core/Csv"
import { faultWith, headerWith, renamedIn, rowWith } from "../../csv/AddedColumns.ts"
import { byteOrderMark, decoded, encoded, fieldsOf } from "../../csv/ByteText.ts"
import type { RowAddress, RowResult, RowValidation } from "./RowResult.ts"

/** What a file has. */
export interface FileShape {
  /** The number of columns. */
  readonly width: number
  readonly postcodes: boolean
  readonly addresses: boolean
  /** Whether the number of changed characters is reported. */
  readonly lenient: boolean
}

/** An output format. */
export interface ValidationReport {
  /** Starts the output. `header` is undefined if the file has none. */
  readonly start: (
    shape: FileShape,
    header: CsvRow | undefined,
    hasByteOrderMark: boolean,
    /** The lines before the header, as the report wrote them. */
    leading: string
  ) => string
  /** What to say of added columns whose names the header has already. */
  readonly renamed: (header: CsvRow) => ReadonlyArray<string>
  /** Writes a row and its result. The row lacks `missing` fields. */
  readonly row: (row: CsvRow, result: RowResult, missing: number) => string
  /** Writes a line that is not a row of this file, and the reason. */
  readonly fault: (line: CsvRow, reason: string) => string
  readonly blankLine: (lineEnd: string) => string
  /** Writes a line before the header. */
  readonly skippedLine: (line: string) => string
  readonly end: (counts: Readonly<Record<string, number>>) => string
}

const postcodeColumns = ["status", "canonical_postcode", "reason", "candidates", "replaced_by"]
const addressColumns = ["code", "precision", "confidence", "action", "label", "message"]

/** The additional columns. */
const addedColumns = ({ addresses, lenient, postcodes }: FileShape): ReadonlyArray<string> => [
  ...(postcodes ? postcodeColumns : []),
  ...(postcodes && lenient ? ["changed"] : []),
  ...(addresses ? addressColumns : []),
  ...(postcodes && addresses ? ["agrees"] : [])
]

/** Copies each row and appends the result. A line that is not a row goes into the first column. */
export const csvReport = (): ValidationReport => {
  let shape: FileShape = { width: 0, postcodes: false, addresses: false, lenient: false }
  return {
    start: (given, header, hasByteOrderMark, leading) => {
      shape = given
      const mark = (hasByteOrderMark ? byteOrderMark : "") + leading
      if (header === undefined) return mark
      return mark + headerWith(header, addedColumns(shape))
    },
    renamed: (header) => renamedIn(header, addedColumns(shape)),
    row: (row, { address, validation }, missing) => {
      const added = [
        ...(shape.postcodes ? postcodeFields(validation) : []),
        ...(shape.postcodes && shape.lenient ? [String(validation?.changed ?? "")] : []),
        ...(address === undefined ? [] : addressFields(address)),
        ...(shape.postcodes && address !== undefined ? [yesOrNo(address.agrees)] : [])
      ]
      return rowWith(row, missing, added)
    },
    fault: (line, reason) => {
      const known: Readonly<Record<string, string>> = shape.postcodes
        ? { status: "malformed", reason }
        : { action: "ask", message: reason }
      const added = addedColumns(shape).map((name) => known[name] ?? "")
      return faultWith(line, shape.width, added)
    },
    blankLine: (lineEnd) => lineEnd,
    skippedLine: (line) => line,
    end: () => ""
  }
}

const postcodeFields = (validation: RowValidation | undefined): ReadonlyArray<string> => {
  if (validation === undefined) return postcodeColumns.map(() => "")
  const { candidates, postcode = "", reason = "", replaced_by = "", status } = validation
  return [status, postcode, reason, candidates.join(" "), replaced_by]
}

const addressFields = ({ answer }: RowAddress): ReadonlyArray<string> => {
  const { action, code, confidence, label, message, precision } = answer
  return [code ?? "", precision ?? "", confidence, action, label ?? "", message]
}

const yesOrNo = (agrees: boolean | undefined): string => (agrees === undefined ? "" : agrees ? "yes" : "no")

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
    renamed: () => [],
    row: (row, result) => next(rowItem(row, result)),
    fault: (line, reason) => next(faultItem(line, reason)),
    blankLine: () => "",
    skippedLine: () => "",
    end: (counts) => `${separator === "\n" ? "" : "\n"}],"summary":${JSON.stringify(counts)}}\n`
  }
}

/** The same items, one JSON value per line. */
export const jsonLinesReport = (): ValidationReport => ({
  start: () => "",
  renamed: () => [],
  row: (row, result) => `${rowItem(row, result)}\n`,
  fault: (line, reason) => `${faultItem(line, reason)}\n`,
  blankLine: () => "",
  skippedLine: () => "",
  end: () => ""
})

const rowItem = (row: CsvRow, { address, code, validation }: RowResult): string =>
  encoded(
    JSON.stringify({
      line: row.line,
      code,
      ...(validation && validationItem(validation)),
      address: address && addressItem(address),
      fields: fieldsOf(row)
    })
  )

const validationItem = ({ candidates, changed, postcode, reason, replaced_by, status }: RowValidation) => ({
  status,
  postcode,
  reason,
  candidates,
  replaced_by,
  changed
})

const addressItem = ({ agrees, answer, text }: RowAddress) => {
  const { action, code, confidence, label, message, precision } = answer
  return { text, code, precision, confidence, action, label, message, agrees }
}

const faultItem = ({ line, text }: CsvRow, reason: string): string =>
  encoded(JSON.stringify({ line, status: "malformed", reason, candidates: [], text: decoded(text) }))
