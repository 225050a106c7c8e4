/**
 * CSV text in which each character is one byte (`latin1`), so that rows are copied byte by byte in any encoding.
 * Commas, quotes and line ends are single bytes in UTF-8 and in the ANSI code pages.
 */
import { isUtf8 } from "node:buffer"
import { type CsvHandlers, CsvReader, type CsvReaderOptions, type CsvRow } from "@postcode/core/Csv"

/** Decodes byte text as UTF-8; invalid bytes become U+FFFD. */
export const decoded = (bytes: string): string =>
  beyondAscii.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes

/** Encodes text as UTF-8 byte text. */
export const encoded = (text: string): string =>
  beyondAscii.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text

/** The fields of a row as text. */
export const fieldsOf = ({ fields }: CsvRow): ReadonlyArray<string> => fields.map(decoded)

/** The lines of a row that are not UTF-8. */
export const linesNotUtf8 = ({ line, text }: CsvRow): ReadonlyArray<number> =>
  isUtf8Text(text) ? [] : text.split("\n").flatMap((part, index) => (isUtf8Text(part) ? [] : [line + index]))

const isUtf8Text = (bytes: string): boolean => !beyondAscii.test(bytes) || isUtf8(Buffer.from(bytes, "latin1"))

/** As byte text, in UTF-8. */
export const byteOrderMark = "\u00ef\u00bb\u00bf"

/** Maximum length of a row, in bytes. */
export const maxRowLength = 1 << 20

/** Reads bytes as byte text. After a malformed row, only the line on which it starts is skipped. */
export const byteTextReader = (
  handlers: CsvHandlers,
  form: Pick<CsvReaderOptions, "backslash" | "delimiter" | "skipLines" | "skipsEmptyRows"> = {}
): CsvReader => new CsvReader(handlers, { ...form, maxRowLength, resume: "next line", decode: byteText })

const byteText = ({ buffer, byteLength, byteOffset }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("latin1")

const beyondAscii = /[\u0080-\uffff]/
