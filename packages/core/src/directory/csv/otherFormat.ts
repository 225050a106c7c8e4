/** Names files that are not CSV by their first bytes, with what to do. */

/** `an Excel workbook: save the sheet as CSV UTF-8`; undefined if the bytes may be text. */
export const otherFormat = (bytes: Uint8Array): string | undefined => {
  const start = latin1(bytes.subarray(0, maxLooked))
  const found = signatures.find(([signature]) => start.startsWith(signature))
  if (found !== undefined) return typeof found[1] === "string" ? found[1] : found[1](start)
  if (bytes[0] === 0x42 && bytes[1] === 0x5a && bytes[2] === 0x68) return `a bzip2 file: ${unpack}`
  return undefined
}

/** The same for text, by its first characters. */
export const otherTextFormat = (text: string): string | undefined => {
  const start = text.slice(0, maxLooked).trimStart()
  if (/^\{\\rtf/.test(start)) return "a text document (RTF): save the table as CSV UTF-8"
  if (/^<(!doctype\s+html|html|head|body|script|table|meta|title|div)\b/i.test(start)) {
    return "a web page (HTML), perhaps of a login or an error: download the file again, or save the table as CSV UTF-8"
  }
  if (/^<\?xml\b/.test(start)) {
    return /schemas-microsoft-com:office:spreadsheet/.test(text)
      ? `an Excel workbook (XML): ${saveAsCsv}`
      : "XML: export the data as CSV UTF-8"
  }
  if (/^<[a-z!]/i.test(start)) return "a web page or XML: export the data as CSV UTF-8"
  if (
    /^(mime-version|received|return-path|delivered-to|content-type|x-[\w-]+): /i.test(start) &&
    /^content-type: /im.test(start)
  ) {
    return "a mail: save its attachment, and name that file"
  }
  if (
    /^(--|\/\*|#|use |set |create |drop |insert |begin\b|start transaction|lock |pragma )/i.test(start) &&
    sqlStatement.test(start)
  ) {
    return "an SQL dump: export the table as CSV UTF-8"
  }
  if (/^begin:vcard/i.test(start)) return "contacts (vCard): export them as CSV UTF-8"
  if (/^(?:version: \d+\s+)?dn:{1,2} /i.test(start)) return "an address book (LDIF): export it as CSV UTF-8"
  if (/^[┌╔╭┏]/.test(start)) return "a table drawn with lines: export it as CSV instead, such as with .mode csv"
  if (isBase64(start)) return "an attachment in base64: open the mail, and save its attachment"
  if (/^\{\s*("|\}|$)/.test(start) || /^\[\s*([[{"\]]|-?\d|$)/.test(start)) return "JSON: export the data as CSV UTF-8"
  return undefined
}

/** Lines of one length and without signs, as mail programs encode attachments. */
const isBase64 = (start: string): boolean => {
  const [first = "", second = ""] = start.split(/\r?\n/)
  return /^[A-Za-z0-9+/]{60,76}$/.test(first) && /^[A-Za-z0-9+/]+={0,2}$/.test(second)
}

const maxLooked = 65_536

const sqlStatement = /^\s*(insert\s+into|create\s+table|copy\s+\S+.*\sfrom\s+stdin)\b/im

const saveAsCsv = "open it and save the sheet as CSV UTF-8"
const unpack = "unpack it first, or compress it with gzip"

/** A zip archive is a workbook, a document or several files. Names of entries are never compressed. */
const zipFormat = (start: string): string => {
  if (start.includes("opendocument.spreadsheet") || /META-INF\/manifest\.xml/.test(start)) {
    return `an OpenDocument spreadsheet: ${saveAsCsv}`
  }
  if (start.includes("xl/workbook.bin")) return "a binary workbook (.xlsb): save it as .xlsx or CSV UTF-8"
  if (/xl\/|\[Content_Types\]\.xml/.test(start) && !start.includes("word/")) return `an Excel workbook: ${saveAsCsv}`
  if (/Index\/[\w-]+\.iwa/.test(start)) return `a Numbers spreadsheet: ${saveAsCsv}`
  if (start.includes("word/")) return "a Word document: save the table as CSV UTF-8"
  return "a zip archive: unpack it, and name the CSV file in it"
}

/** A workbook with a password is in a container of the old format, whose parts have names in UTF-16. */
const oldOfficeFormat = (start: string): string =>
  start.includes([..."EncryptedPackage"].join("\u0000"))
    ? "a workbook that has a password: save it without one"
    : `an Excel workbook of the old format (.xls), or another Office file: ${saveAsCsv}, or as .xlsx`

const signatures: ReadonlyArray<readonly [signature: string, format: string | ((start: string) => string)]> = [
  ["PK\u0003\u0004", zipFormat],
  ["PK\u0005\u0006", "an empty zip archive"],
  ["PK\u0007\u0008", zipFormat],
  ["\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1", oldOfficeFormat],
  ["%PDF-", "a PDF: ask for the data as CSV; tables cannot be read from a PDF"],
  ["\u001f\u008b", "a gzip file inside a gzip file: unpack it once"],
  ["\u00fd7zXZ\u0000", `an xz file: ${unpack}`],
  ["7z\u00bc\u00af'\u001c", `a 7z archive: ${unpack}`],
  ["Rar!\u001a\u0007", `a RAR archive: ${unpack}`],
  ["(\u00b5/\u00fd", `a zstd file: ${unpack}`],
  ["PAR1", "a Parquet file: export the data as CSV UTF-8"],
  ["SQLite format 3\u0000", "an SQLite database: export the table as CSV UTF-8"],
  ["\u0089PNG", "an image: expected CSV"],
  ["\u00ff\u00d8\u00ff", "an image: expected CSV"],
  ["GIF8", "an image: expected CSV"],
  ["\u0089PCD", "a snapshot of postcode snapshot build: expected CSV"]
]

const latin1 = (bytes: Uint8Array): string => {
  const parts: Array<string> = []
  for (let at = 0; at < bytes.length; at += 8_192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)))
  return parts.join("")
}
