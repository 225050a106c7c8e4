/** Lines that reports add to their rows: totals, counts, who made the report and when, pages, notices. */

/** Where a row is in its file. */
export interface FooterPlace {
  /** The number of columns. */
  readonly width: number
  /** The column without which a row is none; undefined if any text may be a row, such as an address. */
  readonly key: number | undefined
  /** The number of rows before it. */
  readonly rows: number
}

const maxListed = 5
const maxShown = 60

export class FooterLines {
  private readonly lines: Array<number> = []
  private readonly texts: Array<string> = []
  private count = 0
  /** The number of rows before the last of the lines, and before the last blank line. */
  private rowsBefore = -1
  private rowsBeforeBlank = -1

  /** A blank line, which may begin a footer. */
  blankLine(rows: number): void {
    this.rowsBeforeBlank = rows
  }

  /** Takes a row that cannot be read otherwise, if it is such a line. Returns whether it is. */
  take(row: { readonly fields: ReadonlyArray<string>; readonly line: number }, place: FooterPlace): boolean {
    const text = this.textIn(row.fields, place)
    if (text === undefined) return false
    this.count++
    this.rowsBefore = place.rows
    if (this.lines.length < maxListed) {
      this.lines.push(row.line)
      this.texts.push(text.replace(/\s+/g, " ").slice(0, maxShown))
    }
    return true
  }

  /**
   * What the user should know of the lines; undefined if there are none.
   *
   * @param showsTexts whether it has their texts
   */
  note(showsTexts = true): string | undefined {
    const { count, lines, texts } = this
    if (count === 0) return undefined
    const more = count > lines.length ? ` and ${count - lines.length} more` : ""
    const shown = showsTexts ? `: ${texts.map((text) => `"${text}"`).join(", ")}` : ""
    return count === 1
      ? `line ${lines[0]} is no row but a total or a footer${shown}`
      : `lines ${lines.join(", ")}${more} are no rows but totals or a footer${shown}`
  }

  private textIn(fields: ReadonlyArray<string>, { key, rows, width }: FooterPlace): string | undefined {
    if (fields.length > width) return undefined
    const [at = -1, ...others] = fields.flatMap((field, index) => (field.trim() === "" ? [] : [index]))
    const text = fields[at]?.trim() ?? ""
    if (text === "") return undefined
    if (key !== undefined && others.includes(key) && !isNumberOrDate(fields[key] as string)) return undefined
    const isTotal = total.test(text) || (key !== undefined && others.length > 0 && groupTotal.test(text))
    if (isTotal && others.every((other) => isAmount(fields[other] as string))) return text
    if (others.length <= 1 && remarks.some((remark) => remark.test(text))) return text
    // Names of the report and of its owner have no usual words. A code without the rest of its row is no such name.
    if (width === 1 || fields.length > 1 || (key === undefined && this.rowsBefore !== rows)) return undefined
    if (/\d/.test(text) && (key === undefined || key === at)) return undefined
    const isInFooter = this.rowsBefore === rows || (this.rowsBeforeBlank === rows && /\p{L}\s+\p{L}/u.test(text))
    return isInFooter ? text : undefined
  }
}

/** Perhaps with a number of rows. */
const total =
  /^(?:sub|grand)?[\s-]?totals?(?: (?:rows|records|units|count))?\s*[:=]?\s*(?:[\d.,]+|\([\d.,]+ \p{L}+\))?$/iu
/** An address may end like this: `Opposite Total`. */
const groupTotal = /^(?:.{1,60}\s(?:sub)?totals?|sub-?totals? .{1,60})$/i

const remarks: ReadonlyArray<RegExp> = [
  /^(?:number of )?(?:rows?|records?|record count|row count|count)\s*[:=]\s*[\d.,]+$/i,
  /^\(?[\d.,]+ (?:rows?|records?)(?: (?:affected|selected|returned|exported|found|total|in set\b.*))?\.?\)?$/i,
  /^(?:report |file |list )?(?:generated|exported|printed|created|produced|prepared|downloaded|extracted) (?:by|on|at|from|with)\b/i,
  /^(?:report|export|print|run) (?:date|time|generated)\b/i,
  /^(?:copyright\b|\(c\)|©|all rights reserved|confidential\b)/i,
  /^page \d+(?: of \d+)?$/i,
  /^\W*end of (?:report|file|data|list|export)\W*$/i,
  /^applied filters\b/i,
  /^elapsed:/i,
  /^(?:(?:sql|mysql|sqlite|duckdb)>|\w{1,63}=[#>])\s*(?:spool|quit|exit|\\q|\.quit|$)/i
]

/** A number, perhaps with a currency. Six digits may be a postal code. */
const isAmount = (text: string): boolean =>
  /^[-+(]?\P{L}{0,3}\s?\d[\d.,\s]*\)?\s?%?$/u.test(text.trim()) && !/^\d{6}$/.test(text.trim())

const isNumberOrDate = (text: string): boolean =>
  isAmount(text) || /^\d{1,4}([-./])\d{1,2}\1\d{2,4}(?:[ T]\d{1,2}:\d{2}.*)?$/.test(text.trim())
