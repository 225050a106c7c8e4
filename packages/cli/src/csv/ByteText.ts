/**
 * CSV in which each character stands for one byte, as `latin1` decodes it: so rows can be handed on byte for byte,
 * whatever their encoding. Commas, quotes and line ends are single bytes in UTF-8 and in everything that programs call
 * ANSI.
 */
import { isUtf8 } from "node:buffer"
import { type CsvHandlers, CsvReader, type CsvRow } from "@postcode/core/Csv"

/** Byte text as the text that it is in UTF-8; what is none becomes U+FFFD. */
export const decoded = (bytes: string): string =>
  beyondAscii.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes

/** Text as byte text, in UTF-8. */
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

/** What a row may take at most, in bytes. */
export const longestRow = 1 << 20

/** Reads byte text. No line is lost: where a row breaks the rules, only the line on which it starts is refused. */
export const byteTextReader = (handlers: CsvHandlers): CsvReader =>
  new CsvReader(handlers, { longestRow, resume: "next line", byteOrderMark })

const beyondAscii = /[\u0080-\uffff]/
