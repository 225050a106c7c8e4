/** Writes rows to an XLSX workbook of one sheet, without keeping them in memory. */
import { createWriteStream } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { ZipFile } from "yazl"
import { CommandFailure } from "../process/ExitCode.ts"
import { grouped } from "../process/Progress.ts"

/** A text or a number. An empty text is an empty cell. */
export type WrittenCell = number | string

/** What a sheet can have. */
const maxRows = 1_048_576
const maxColumns = 16_384
const maxText = 32_767

/**
 * The file gets its name when it is complete, and replaces another.
 *
 * @throws CommandFailure if a sheet cannot have as many rows or such cells
 */
export const writeWorkbook = async (
  rows: AsyncIterable<ReadonlyArray<WrittenCell>>,
  path: string,
  signal: AbortSignal
): Promise<void> => {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(declaration + content), name)
  const sheet = Readable.from(sheetOf(rows), { objectMode: false })
  sheet.on("error", (error) => (zip.outputStream as Readable).destroy(error))
  zip.addReadStream(sheet, "xl/worksheets/sheet1.xml")
  zip.end()
  const unfinished = `${path}.part`
  try {
    await pipeline(zip.outputStream, createWriteStream(unfinished), { signal })
    await rename(unfinished, path)
  } catch (error) {
    sheet.destroy()
    await rm(unfinished, { force: true })
    throw error
  }
}

async function* sheetOf(rows: AsyncIterable<ReadonlyArray<WrittenCell>>): AsyncGenerator<Buffer> {
  let text = `${declaration}<worksheet xmlns="${main}"><sheetData>`
  let number = 0
  for await (const cells of rows) {
    number++
    if (number > maxRows) throw new CommandFailure(`a sheet has at most ${grouped(maxRows)} rows: write CSV instead`)
    if (cells.length > maxColumns) throw new CommandFailure(`row ${number} has too many columns for a sheet`)
    if (cells.length > 0)
      text += `<row r="${number}">${cells.map((cell, at) => cellOf(cell, number, at)).join("")}</row>`
    if (text.length < 65_536) continue
    yield Buffer.from(text, "utf8")
    text = ""
  }
  yield Buffer.from(`${text}</sheetData></worksheet>`, "utf8")
}

const cellOf = (cell: WrittenCell, row: number, column: number): string => {
  if (cell === "") return ""
  const reference = `${lettersOf(column)}${row}`
  if (typeof cell === "number") return `<c r="${reference}"><v>${cell}</v></c>`
  if (cell.length > maxText) {
    throw new CommandFailure(
      `${reference} would have ${cell.length} characters, a sheet has at most ${maxText} in a cell`
    )
  }
  const style = couldBeFormula.test(cell) ? ` s="${styleOfText}"` : ""
  return `<c r="${reference}" t="inlineStr"${style}><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
}

/** Such a text stays text, also when a person edits the cell. */
const couldBeFormula = /^\s*[=+\-@]/
const styleOfText = 1

/** `AB` for 27. */
const lettersOf = (column: number): string =>
  (column < 26 ? "" : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))

/** XML has no control characters. A sheet has them as `_x0001_`, and so a text that looks like that is written in this way, too. */
const escaped = (text: string): string =>
  text
    .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
    .replace(forbidden, (one) => `_x${one.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}_`)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML lacks
const forbidden = /[\u0000-\u0008\u000b\u000c\u000d-\u001f\ufffe\uffff]/g

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packaged = "http://schemas.openxmlformats.org/package/2006"
const type = "application/vnd.openxmlformats-officedocument.spreadsheetml"

const relations = (...all: ReadonlyArray<readonly [type: string, target: string]>): string => {
  const lines = all.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`
  )
  return `<Relationships xmlns="${packaged}/relationships">${lines.join("")}</Relationships>`
}

const override = (part: string, kind: string): string =>
  `<Override PartName="/xl/${part}" ContentType="${type}.${kind}+xml"/>`

/** All parts but the sheet. Style 0 is that of every cell, and style 1 keeps a cell text. */
const parts: Readonly<Record<string, string>> = {
  "[Content_Types].xml":
    `<Types xmlns="${packaged}/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
    `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `${override("workbook.xml", "sheet.main")}${override("worksheets/sheet1.xml", "worksheet")}` +
    `${override("styles.xml", "styles")}</Types>`,
  "_rels/.rels": relations(["officeDocument", "xl/workbook.xml"]),
  "xl/_rels/workbook.xml.rels": relations(["worksheet", "worksheets/sheet1.xml"], ["styles", "styles.xml"]),
  "xl/workbook.xml":
    `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>` +
    `<sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/styles.xml":
    `<styleSheet xmlns="${main}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>` +
    `<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
    `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
    `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
    `<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
    `<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/></cellXfs>` +
    `<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
}
