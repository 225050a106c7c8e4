/** A sheet of an XLSX workbook as the CSV text that a spreadsheet program would save, so that all commands read it. */
import { CommandFailure, exitCodes } from "../process/ExitCode.ts"
import { grouped } from "../process/Progress.ts"
import { SheetRows } from "./SheetRows.ts"
import { type CellReferences, type Sheet, Workbook } from "./Workbook.ts"
import { readXml } from "./XmlReader.ts"

/** Which sheet, and who hears of it. */
export interface SheetOptions {
  /** The name of the sheet. Default: the only one that has rows. */
  readonly sheet?: string | undefined
  /** What the user should know of the sheet. */
  readonly onNote?: ((note: string) => void) | undefined
}

/** CSV in UTF-8, and how much of it has been read. */
export interface SheetCsv {
  readonly chunks: AsyncIterable<Buffer>
  /** From 0 to 1. */
  readonly share: () => number
  /** The columns that have numbers, as far as the sheet has been read. */
  readonly numericColumns: () => ReadonlySet<number>
}

const maxSheet_bytes = 4 * 1024 ** 3

/**
 * Opens a workbook. A line of the text is a row of the sheet, unless a cell has several lines. Formulas are not run:
 * their stored results are read.
 *
 * @returns undefined if the source is another zip archive
 * @throws CommandFailure if the sheet is not clear, with the names of all
 */
export const openSheet = async (
  source: string | Buffer,
  { onNote, sheet: wanted }: SheetOptions
): Promise<SheetCsv | undefined> => {
  const workbook = await Workbook.open(source)
  if (workbook === undefined) return undefined
  const state = { read_bytes: 0, total_bytes: 1 }
  try {
    const references = await workbook.references()
    const sheet = wanted === undefined ? await onlySheet(workbook, references) : sheetNamed(workbook, wanted)
    state.total_bytes = workbook.archive.sizeOf(sheet.path)
    if (wanted === undefined && workbook.sheets.length > 1) onNote?.(`read as: sheet ${sheet.name}`)
    const rows = new SheetRows(references)
    return {
      chunks: csvOf(workbook, sheet, rows, state, onNote),
      share: () => Math.min(1, state.read_bytes / state.total_bytes),
      numericColumns: () => rows.numericColumns()
    }
  } catch (error) {
    await workbook[Symbol.asyncDispose]()
    throw error
  }
}

/** The names of the sheets of a workbook; none if the file is another zip archive. */
export const sheetNames = async (source: string): Promise<ReadonlyArray<string>> => {
  const workbook = await Workbook.open(source)
  if (workbook === undefined) return []
  const names = workbook.sheets.map(({ name }) => name)
  await workbook[Symbol.asyncDispose]()
  return names
}

const sheetNamed = ({ sheets }: Workbook, wanted: string): Sheet => {
  const folded = wanted.trim().toLowerCase()
  const found =
    sheets.find(({ name }) => name === wanted) ?? sheets.find(({ name }) => name.trim().toLowerCase() === folded)
  if (found !== undefined) return found
  throw new CommandFailure(`the workbook has no sheet ${wanted}: expected ${namesOf(sheets)}`, exitCodes.wrongUsage)
}

/** The visible sheet with rows. A hidden one often holds the values of lists. */
const onlySheet = async (workbook: Workbook, references: CellReferences): Promise<Sheet> => {
  const visible = workbook.sheets.filter(({ isHidden }) => !isHidden)
  const candidates = visible.length > 0 ? visible : workbook.sheets
  const filled: Array<Sheet> = []
  for (const sheet of candidates) if (await hasRows(workbook, sheet, references)) filled.push(sheet)
  const [first, second] = filled
  if (first === undefined) throw new CommandFailure("the workbook is empty: none of its sheets has a value")
  if (second === undefined) return first
  throw new CommandFailure(
    `the workbook has ${filled.length} sheets with rows: choose one with --sheet: ${namesOf(filled)}`,
    exitCodes.wrongUsage
  )
}

const hasRows = async (workbook: Workbook, { path }: Sheet, references: CellReferences): Promise<boolean> => {
  const rows = new SheetRows(references)
  for await (const _ of readXml(workbook.archive.read(path, maxSheet_bytes), rows)) {
    if (rows.take().length > 0) return true
  }
  return rows.take().length > 0
}

const maxListed = 20

const namesOf = (sheets: ReadonlyArray<Sheet>): string => {
  const names = sheets.slice(0, maxListed).map(({ name }) => JSON.stringify(name))
  return names.join(", ") + (sheets.length > maxListed ? ` and ${sheets.length - maxListed} more` : "")
}

async function* csvOf(
  workbook: Workbook,
  { path }: Sheet,
  rows: SheetRows,
  state: { read_bytes: number },
  onNote: SheetOptions["onNote"]
): AsyncGenerator<Buffer> {
  const { archive } = workbook
  try {
    const lines = new SheetLines()
    const chunks = counted(archive.read(path, maxSheet_bytes), state)
    for await (const _ of readXml(chunks, rows)) {
      const text = lines.of(rows.take())
      if (text !== "") yield Buffer.from(text, "utf8")
    }
    const rest = lines.of(rows.take())
    if (rest !== "") yield Buffer.from(rest, "utf8")
    const { hidden, withoutResult } = rows
    if (hidden > 0) onNote?.(`${hidden === 1 ? "1 hidden row is" : `${grouped(hidden)} hidden rows are`} read, too`)
    if (withoutResult > 0) {
      const cells = withoutResult === 1 ? "1 cell has" : `${grouped(withoutResult)} cells have`
      onNote?.(`warning: ${cells} a formula without a result: open the workbook, and save it`)
    }
  } finally {
    await workbook[Symbol.asyncDispose]()
  }
}

async function* counted(chunks: AsyncIterable<Buffer>, state: { read_bytes: number }): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    state.read_bytes += chunk.length
    yield chunk
  }
}

/** Writes rows as lines. All have as many fields as the longest so far: a sheet does not store empty cells. */
class SheetLines {
  private width = 0
  private next = 1

  of(rows: Iterable<{ readonly number: number; readonly cells: ReadonlyArray<string> }>): string {
    let text = ""
    for (const { cells, number } of rows) {
      text += "\n".repeat(number - this.next)
      this.next = number + 1
      this.width = Math.max(this.width, cells.length)
      text += `${cells.map(field).join(",")}${",".repeat(this.width - cells.length)}\n`
    }
    return text
  }
}

/** In quotes if it has a character that separates fields in any file. */
const field = (text: string): string => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const special = /[",;\t|\r\n]|^\s|\s$/
