/**
 * End users from the rows of a CSV file. A row is a bookmark, or nobody's bookmark where postcode and label are empty. A row
 * that shares an identifier with the one before is of the same end user; all of one's rows follow each other.
 *
 * What is said of a bad row never holds what stands in it.
 */
import { isUtf8 } from "node:buffer"
import { BookmarkLabel, endUserLimits } from "@postcode/api"
import { normalizeIdentifier } from "@postcode/core/EndUserIdentifier"
import { parse } from "@postcode/core/Postcode"
import type { Bookmark } from "@postcode/core/ports/EndUsers"
import { Redacted, Result, Schema } from "effect"
import { CommandFailure } from "../ExitCode.ts"
import type { CsvRow, RowHandlers } from "../offline/CsvRows.ts"
import { refuseForeign } from "../offline/refuseForeign.ts"
import { fieldsOf } from "../offline/ValidationReport.ts"
import { SeenIdentifiers } from "./SeenIdentifiers.ts"

export interface FoundEndUser {
  /** Normalized. */
  readonly identifiers: ReadonlyArray<string>
  readonly bookmarks: ReadonlyArray<Bookmark>
  /** Where the first row starts. */
  readonly line: number
}

export class EndUserRows implements RowHandlers {
  /** How many rows there were behind the header. */
  rows = 0
  private readonly onBadRow: (line: number, reason: string) => void
  private readonly seen = new SeenIdentifiers()
  private columns: Columns | undefined
  private current: { identifiers: Set<string>; bookmarks: Array<Bookmark>; line: number } | undefined
  private whole: Array<FoundEndUser> = []

  constructor(onBadRow: (line: number, reason: string) => void) {
    this.onBadRow = onBadRow
  }

  /** Those of whom all rows were read since this was called before. */
  takeWhole(): ReadonlyArray<FoundEndUser> {
    const { whole } = this
    this.whole = []
    return whole
  }

  /** Says that no more comes. */
  finish(): void {
    if (this.columns === undefined) throw headerMissing
    this.complete()
  }

  onRow(row: CsvRow): void {
    if (this.columns === undefined) {
      this.columns = readHeader(row)
      return
    }
    this.rows++
    const read = readRow(row, this.columns)
    const reason = Result.isFailure(read) ? read.failure : this.take(read.success, row.line)
    if (reason !== undefined) this.onBadRow(row.line, reason)
  }

  onFault({ line }: CsvRow, reason: string): void {
    if (this.columns === undefined) throw new CommandFailure(`line ${line} cannot be read: ${reason}`)
    this.rows++
    this.onBadRow(line, reason)
  }

  onByteOrderMark(): void {
    // It is no part of the header.
  }

  onBlankLine(): void {
    // It is no row.
  }

  onNotUtf8(): void {
    // The row itself is refused.
  }

  /** Takes a row over, or says why it cannot be. */
  private take({ bookmark, identifiers }: Row, line: number): string | undefined {
    const { current } = this
    const isSame = current !== undefined && identifiers.some((identifier) => current.identifiers.has(identifier))
    const fresh = isSame ? identifiers.filter((identifier) => !current.identifiers.has(identifier)) : identifiers
    if (fresh.some((identifier) => this.seen.has(identifier))) return notTogether
    if (isSame && current.identifiers.size + fresh.length > endUserLimits.identifiers) return tooManyIdentifiers
    if (isSame && bookmark !== undefined && current.bookmarks.length === endUserLimits.bookmarks)
      return tooManyBookmarks
    if (!isSame) this.complete()
    const endUser = isSame ? current : { identifiers: new Set<string>(), bookmarks: [], line }
    this.current = endUser
    for (const identifier of fresh) {
      this.seen.add(identifier)
      endUser.identifiers.add(identifier)
    }
    if (bookmark !== undefined) endUser.bookmarks.push(bookmark)
    return undefined
  }

  private complete(): void {
    if (this.current !== undefined) this.whole.push({ ...this.current, identifiers: [...this.current.identifiers] })
    this.current = undefined
  }
}

const columnNames = ["identifier", "postcode", "label"] as const

/** The place of each column, and how many there are with those that are left aside. */
type Columns = Readonly<Record<(typeof columnNames)[number], number>> & { readonly count: number }

interface Row {
  readonly identifiers: ReadonlyArray<string>
  readonly bookmark: Bookmark | undefined
}

const readHeader = (row: CsvRow): Columns => {
  const names = fieldsOf(row).map((name) => name.trim().toLowerCase())
  refuseForeign(row.text, names)
  const [identifier, postcode, label] = columnNames.map((name) => {
    if (names.filter((other) => other === name).length > 1) throw new CommandFailure(`two columns are called ${name}`)
    return names.indexOf(name)
  }) as [number, number, number]
  if (Math.min(identifier, postcode, label) < 0) throw headerMissing
  return { identifier, postcode, label, count: names.length }
}

const readRow = (row: CsvRow, columns: Columns): Result.Result<Row, string> => {
  if (beyondAscii.test(row.text) && !isUtf8(Buffer.from(row.text, "latin1"))) return Result.fail("the row is not UTF-8")
  const fields = fieldsOf(row)
  if (fields.length !== columns.count) return Result.fail(otherCount(fields.length, columns.count))
  const field = (name: (typeof columnNames)[number]) => fields[columns[name]] as string
  const identifiers = readIdentifiers(field("identifier"))
  if (Result.isFailure(identifiers)) return Result.fail(identifiers.failure)
  const bookmark = readBookmark(field("postcode"), field("label"))
  return Result.map(bookmark, (bookmark) => ({ identifiers: identifiers.success, bookmark }))
}

const readIdentifiers = (field: string): Result.Result<ReadonlyArray<string>, string> => {
  const texts = field.trim().split(/\s+/)
  if (texts.length > endUserLimits.identifiers) return Result.fail(tooManyIdentifiers)
  const read = Result.all(texts.map((text) => normalizeIdentifier(Redacted.make(text), "identifier")))
  return Result.mapBoth(read, {
    onFailure: ({ message }) => message,
    onSuccess: (normalized) => [...new Set(normalized.map(Redacted.value))]
  })
}

const readBookmark = (code: string, label: string): Result.Result<Bookmark | undefined, string> => {
  if (code.trim() === "" && label.trim() === "") return Result.succeed(undefined)
  const parsed = parse(code)
  if (!parsed.ok) return Result.fail(`postcode: ${parsed.error.message}`)
  const read = decodeLabel(label)
  if (read._tag === "Some") return Result.succeed({ postcode: parsed.postcode, label: read.value })
  return Result.fail("label: expected 1 to 100 characters without control characters and API keys")
}

const decodeLabel = Schema.decodeOption(BookmarkLabel)

const beyondAscii = /[\u0080-\u00ff]/

const headerMissing = new CommandFailure(
  `the first row has to name the columns ${columnNames.join(", ")}, in any order; others are left aside`
)

const notTogether = "identifier: an end user further up has it: all rows of one end user have to follow each other"
const tooManyIdentifiers = `identifier: an end user has at most ${endUserLimits.identifiers}`
const tooManyBookmarks = `an end user has at most ${endUserLimits.bookmarks} bookmarks, and this is one more`

const otherCount = (count: number, expected: number): string =>
  `the row has ${count === 1 ? "1 field" : `${count} fields`} where ${expected} are expected` +
  (count > expected ? ": perhaps one holds a comma and no quotes around" : "")
