// Workbooks as spreadsheet programs write them, and as an attacker does.

import type { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { ZipFile } from "yazl"

/** The parts of a workbook, by their paths. Undefined leaves one out. */
export type Parts = Readonly<Record<string, string | undefined>>

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packaged = "http://schemas.openxmlformats.org/package/2006/relationships"

export const sheetXml = (rows: string): string =>
  `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`

const relations = (...lines: ReadonlyArray<string>) =>
  `<Relationships xmlns="${packaged}">${lines.join("")}</Relationships>`
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`

const plain: Parts = {
  "[Content_Types].xml": "<Types/>",
  "_rels/.rels": relations(relation("rId1", "officeDocument", "xl/workbook.xml")),
  "xl/_rels/workbook.xml.rels": relations(
    relation("rId1", "worksheet", "worksheets/sheet1.xml"),
    relation("rId2", "worksheet", "worksheets/sheet2.xml"),
    relation("rId8", "styles", "styles.xml"),
    relation("rId9", "sharedStrings", "sharedStrings.xml")
  ),
  "xl/workbook.xml":
    `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr/><sheets>` +
    `<sheet name="First" sheetId="1" r:id="rId1"/><sheet name="Second" sheetId="2" r:id="rId2"/></sheets></workbook>`,
  "xl/worksheets/sheet1.xml": sheetXml('<row r="1"><c r="A1" t="inlineStr"><is><t>postcode</t></is></c></row>'),
  "xl/worksheets/sheet2.xml": sheetXml(""),
  "xl/styles.xml": `<styleSheet xmlns="${main}"/>`,
  "xl/sharedStrings.xml": `<sst xmlns="${main}"/>`
}

/** A workbook of two sheets, of which the second is empty, with other parts. */
export const workbookOf = (parts: Parts = {}): Promise<Buffer> => zipOf({ ...plain, ...parts })

/** A zip archive. */
export const zipOf = async (parts: Parts): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [path, text] of Object.entries(parts)) if (text !== undefined) zip.addBuffer(Buffer.from(text), path)
  zip.end()
  return await buffer(zip.outputStream as Readable)
}

/** Cells of styles, by their formats. */
export const stylesXml = (...codes: ReadonlyArray<string>): string =>
  `<styleSheet xmlns="${main}"><numFmts>${codes
    .map(
      (code, at) =>
        `<numFmt numFmtId="${164 + at}" formatCode="${code.replace(/&/g, "&amp;").replace(/"/g, "&quot;")}"/>`
    )
    .join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${codes
    .map((_, at) => `<xf numFmtId="${164 + at}"/>`)
    .join("")}<xf numFmtId="14"/></cellXfs></styleSheet>`
