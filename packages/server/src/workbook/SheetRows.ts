/** The rows of a sheet as texts, as they are unpacked. */
import { CommandFailure } from "../process/ExitCode.ts"
import { damaged } from "./Archive.ts"
import { type CellReferences, CellText, isTrue, unescaped } from "./Workbook.ts"
import type { XmlHandlers } from "./XmlReader.ts"

/** A row, from 1, and its cells up to the last that is not empty. */
export interface SheetRow {
  readonly number: number
  readonly cells: ReadonlyArray<string>
}

/** What spreadsheet programs can have. */
const maxRows = 1_048_576
const maxColumns = 16_384
/** Many cells may refer to one long text. */
const maxRow_chars = 4 << 20

/** Takes the elements of a sheet, and collects its rows. */
export class SheetRows implements XmlHandlers {
  /** Rows that are hidden, and have a value. */
  hidden = 0
  /** Cells whose formula has no stored result. */
  withoutResult = 0
  /** What is in each column: numbers, and texts that look like numbers. */
  private readonly kinds: Array<{ number: boolean; numericText: boolean }> = []
  private readonly references: CellReferences
  private rows: Array<SheetRow> = []
  private cells: Array<string> = []
  private length = 0
  private number = 0
  private isHidden = false
  private readonly cell = { column: -1, type: "", style: 0, value: "", isFormula: false }
  private readonly text = new CellText()
  private isValue = false

  constructor(references: CellReferences) {
    this.references = references
  }

  /** The rows since the last call that have a value. */
  take(): ReadonlyArray<SheetRow> {
    const { rows } = this
    this.rows = []
    return rows
  }

  /** The columns whose numbers are all stored as numbers. */
  numericColumns(): ReadonlySet<number> {
    return new Set(this.kinds.flatMap((kind, at) => (kind.number && !kind.numericText ? [at] : [])))
  }

  readonly onOpen: XmlHandlers["onOpen"] = (name, attribute) => {
    if (name === "c") this.beginCell(attribute("r"), attribute("t"), attribute("s"))
    else if (name === "row") this.beginRow(attribute("r"), attribute("hidden"))
    else if (name === "v") this.isValue = true
    else if (name === "f") this.cell.isFormula = true
    else this.text.open(name)
  }

  readonly onText = (text: string): void => {
    if (this.isValue) this.cell.value += text
    else this.text.add(text)
  }

  readonly onClose = (name: string): void => {
    if (name === "v") this.isValue = false
    else if (name === "c") this.endCell()
    else if (name === "row") this.endRow()
    else this.text.close(name)
  }

  private beginRow(number: string | undefined, hidden: string | undefined): void {
    const before = this.number
    this.number = number === undefined ? before + 1 : Number(number)
    if (!Number.isInteger(this.number) || this.number <= before) throw damaged("its rows are not in order")
    if (this.number > maxRows) throw damaged(`it has more than ${maxRows} rows`)
    this.cells = []
    this.length = 0
    this.isHidden = isTrue(hidden)
    this.cell.column = -1
  }

  private endRow(): void {
    const { cells, number } = this
    while (cells.length > 0 && cells.at(-1) === "") cells.pop()
    if (cells.length === 0) return
    if (this.isHidden) this.hidden++
    this.rows.push({ number, cells })
  }

  private beginCell(reference: string | undefined, type: string | undefined, style: string | undefined): void {
    const { cell } = this
    cell.column = reference === undefined ? cell.column + 1 : columnOf(reference)
    if (!(cell.column >= 0 && cell.column < maxColumns)) throw damaged("it has a cell beyond the last column")
    cell.type = type ?? "n"
    cell.style = Number(style ?? 0)
    cell.value = ""
    cell.isFormula = false
    this.text.clear()
  }

  private endCell(): void {
    const { cell, cells } = this
    const text = this.textOf()
    if (text === "") {
      if (cell.isFormula && cell.type !== "str" && cell.value === "") this.withoutResult++
      return
    }
    this.length += text.length
    if (this.length > maxRow_chars) {
      throw new CommandFailure(`row ${this.number} of the sheet is too long: save the sheet as CSV UTF-8`)
    }
    if (String(Number(text)) === text) this.addKind(cell.column, cell.type === "n")
    while (cells.length < cell.column) cells.push("")
    cells[cell.column] = text
  }

  private addKind(column: number, isNumber: boolean): void {
    while (this.kinds.length <= column) this.kinds.push({ number: false, numericText: false })
    const kind = this.kinds[column] as { number: boolean; numericText: boolean }
    if (isNumber) kind.number = true
    else kind.numericText = true
  }

  private textOf(): string {
    const { cell, references } = this
    const { style, type, value } = cell
    if (type === "inlineStr") return this.text.value
    if (value === "") return ""
    if (type === "s") {
      const text = references.texts[Number(value)]
      if (text === undefined) throw damaged(`row ${this.number} has a text that is missing`)
      return text
    }
    if (type === "b") return isTrue(value) ? "TRUE" : "FALSE"
    if (type !== "n") return unescaped(value)
    const number = Number(value)
    if (!Number.isFinite(number)) return value
    return (references.formats[style] ?? String)(number)
  }
}

/** `B7` is 1. */
const columnOf = (reference: string): number => {
  let column = 0
  for (let at = 0; at < reference.length && at < 4; at++) {
    const letter = reference.charCodeAt(at) & 0xdf
    if (letter < 65 || letter > 90) break
    column = 26 * column + letter - 64
  }
  return column - 1
}
