/** The sheets of an XLSX workbook, with the texts and formats that their cells refer to. */
import { posix } from "node:path"
import { Archive, damaged } from "./Archive.ts"
import { builtInFormat, type CellFormat, formatOf } from "./CellFormat.ts"
import { readXml, type XmlHandlers } from "./XmlReader.ts"

/** A sheet of rows. */
export interface Sheet {
  readonly name: string
  readonly path: string
  readonly isHidden: boolean
}

/** What the cells of all sheets refer to. */
export interface CellReferences {
  readonly texts: ReadonlyArray<string>
  /** By the number of a cell's style; a number without one is shown as it is. */
  readonly formats: ReadonlyArray<CellFormat>
}

const maxTexts_bytes = 512 << 20
const maxOther_bytes = 64 << 20

export class Workbook implements AsyncDisposable {
  readonly archive: Archive
  readonly sheets: ReadonlyArray<Sheet>
  private readonly parts: Parts

  private constructor(archive: Archive, sheets: ReadonlyArray<Sheet>, parts: Parts) {
    this.archive = archive
    this.sheets = sheets
    this.parts = parts
  }

  /**
   * @param source a path, or the bytes
   * @returns undefined if the archive is no XLSX workbook
   */
  static async open(source: string | Buffer): Promise<Workbook | undefined> {
    const archive = await Archive.open(source)
    try {
      const parts = archive.has("[Content_Types].xml") ? await findParts(archive) : undefined
      if (parts !== undefined) return new Workbook(archive, await sheetsOf(archive, parts), parts)
    } catch (error) {
      await archive[Symbol.asyncDispose]()
      throw error
    }
    await archive[Symbol.asyncDispose]()
    return undefined
  }

  /** Reads the texts and formats. */
  async references(): Promise<CellReferences> {
    const { styles, texts } = this.parts
    return {
      texts: texts === undefined ? [] : await textsOf(this.archive, texts),
      formats: styles === undefined ? [] : await formatsOf(this.archive, styles, this.parts.is1904)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.archive[Symbol.asyncDispose]()
  }
}

interface Parts {
  readonly workbook: string
  readonly styles: string | undefined
  readonly texts: string | undefined
  /** The paths of sheets, by the ids of their relations. */
  readonly sheetPaths: ReadonlyMap<string, string>
  is1904: boolean
}

interface Relation {
  readonly id: string
  /** The last part of the type, such as `worksheet`. */
  readonly type: string
  readonly path: string
}

const findParts = async (archive: Archive): Promise<Parts | undefined> => {
  const root = await relationsOf(archive, "")
  const workbook = root.find(({ type }) => type === "officeDocument")?.path
  if (workbook === undefined || !/^xl\/\w+\.xml$/i.test(workbook) || !archive.has(workbook)) return undefined
  const relations = await relationsOf(archive, workbook)
  const pathOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.path
  const sheets = relations.filter(({ path, type }) => type === "worksheet" && archive.has(path))
  return {
    workbook,
    styles: pathOf("styles"),
    texts: pathOf("sharedStrings"),
    sheetPaths: new Map(sheets.map(({ id, path }) => [id, path])),
    is1904: false
  }
}

/** The parts that a part refers to. Other files are never opened. */
const relationsOf = async (archive: Archive, part: string): Promise<ReadonlyArray<Relation>> => {
  const folder = posix.dirname(part)
  const path = posix.join(folder, "_rels", `${posix.basename(part)}.rels`)
  const relations: Array<Relation> = []
  if (!archive.has(path)) return relations
  await read(archive, path, {
    onOpen: (name, attribute) => {
      if (name !== "Relationship" || attribute("TargetMode") === "External") return
      const target = attribute("Target") ?? ""
      relations.push({
        id: attribute("Id") ?? "",
        type: (attribute("Type") ?? "").split("/").at(-1) as string,
        path: target.startsWith("/") ? target.slice(1) : posix.join(folder, target)
      })
    }
  })
  return relations
}

const sheetsOf = async (archive: Archive, parts: Parts): Promise<ReadonlyArray<Sheet>> => {
  const sheets: Array<Sheet> = []
  await read(archive, parts.workbook, {
    onOpen: (name, attribute) => {
      if (name === "workbookPr") parts.is1904 = isTrue(attribute("date1904"))
      if (name !== "sheet") return
      const path = parts.sheetPaths.get(attribute("r:id") ?? "")
      const isHidden = /hidden/i.test(attribute("state") ?? "")
      if (path !== undefined) sheets.push({ name: attribute("name") ?? "", path, isHidden })
    }
  })
  if (sheets.length === 0) throw damaged("it has no sheet")
  return sheets
}

const textsOf = async (archive: Archive, path: string): Promise<ReadonlyArray<string>> => {
  const texts: Array<string> = []
  const text = new CellText()
  await read(
    archive,
    path,
    {
      onOpen: (name) => {
        if (name === "si") text.clear()
        text.open(name)
      },
      onText: (part) => text.add(part),
      onClose: (name) => {
        text.close(name)
        if (name === "si") texts.push(text.value)
      }
    },
    maxTexts_bytes
  )
  return texts
}

/** The text of a cell, which may be of several pieces. Its pronunciation is not part of it. */
export class CellText {
  private text = ""
  private isText = false
  private isPronunciation = false

  clear(): void {
    this.text = ""
  }

  open(name: string): void {
    if (name === "t") this.isText = !this.isPronunciation
    if (name === "rPh") this.isPronunciation = true
  }

  close(name: string): void {
    if (name === "t") this.isText = false
    if (name === "rPh") this.isPronunciation = false
  }

  add(text: string): void {
    if (this.isText) this.text += text
  }

  get value(): string {
    return unescaped(this.text)
  }
}

/** Characters that XML cannot have are written as `_x000D_`. */
export const unescaped = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

const formatsOf = async (archive: Archive, path: string, is1904: boolean): Promise<ReadonlyArray<CellFormat>> => {
  const codes = new Map<number, string>()
  const formats: Array<CellFormat> = []
  let isOfCells = false
  await read(archive, path, {
    onOpen: (name, attribute) => {
      const id = Number(attribute("numFmtId") ?? 0)
      if (name === "numFmt") codes.set(id, attribute("formatCode") ?? "")
      if (name === "cellXfs") isOfCells = true
      if (name === "xf" && isOfCells) formats.push(formatOf(codes.get(id) ?? builtInFormat(id), is1904))
    },
    onClose: (name) => {
      if (name === "cellXfs") isOfCells = false
    }
  })
  return formats
}

/** `1`, `true` and `on` of XML. */
export const isTrue = (text: string | undefined): boolean => text === "1" || text === "true" || text === "on"

const read = async (
  archive: Archive,
  path: string,
  handlers: Partial<XmlHandlers>,
  max_bytes = maxOther_bytes
): Promise<void> => {
  if (!archive.has(path)) throw damaged(`it has no ${posix.basename(path)}`)
  const ignored = () => {}
  const all = { onOpen: ignored, onClose: ignored, onText: ignored, ...handlers }
  for await (const _ of readXml(archive.read(path, max_bytes), all));
}
