/**
 * Reads end users from CSV rows. A row is one bookmark, or no bookmark if postcode and label are empty. A row that
 * shares an identifier with the previous one belongs to the same end user; the rows of an end user are consecutive.
 *
 * A bad row excludes the whole end user: saving the other rows would delete the bookmark of the bad one. Every end user
 * with an identifier of a bad row is excluded. A row without readable identifiers may belong to the end user before or
 * after it; both are excluded.
 *
 * No message repeats the content of a bad row.
 */
import { BookmarkLabel } from "@postcode/api"
import { type CsvHandlers, type CsvRow, cellText, cellValue, FooterLines, foldName } from "@postcode/core/Csv"
import { parse } from "@postcode/core/Postcode"
import { endUserLimits } from "@postcode/gateway/InputLimits"
import { normalizeIdentifier } from "@postcode/gateway/widget/endUsers/EndUserIdentifier"
import type { Bookmark } from "@postcode/gateway/widget/endUsers/EndUsers"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { grouped } from "@postcode/server/process/Progress"
import { Redacted, Result, Schema } from "effect"
import { fieldsOf, linesNotUtf8 } from "../../csv/ByteText.ts"
import { otherFieldCount, withoutSurplus } from "../../csv/fieldCount.ts"
import { rejectOtherFormats } from "../../csv/rejectOtherFormats.ts"

/** A complete end user. */
export interface FoundEndUser {
  /** Normalized. */
  readonly identifiers: ReadonlyArray<string>
  readonly bookmarks: ReadonlyArray<Bookmark>
  /** The line of the first row. */
  readonly line: number
}

/** What a file holds. */
export interface EndUsersOfFile {
  /** Without the excluded end users. */
  readonly endUsers: ReadonlyArray<FoundEndUser>
  /** End users excluded because of bad rows. */
  readonly excluded: ReadonlyArray<FoundEndUser>
  readonly badRows: number
}

/** All end users are in memory until the last row is read, because any row can exclude any of them. */
const defaultMaxRows = 2_000_000

/** Groups rows into end users. */
export class EndUserRows implements CsvHandlers {
  /** The number of rows after the header. */
  rows = 0
  readonly footer = new FooterLines()
  private readonly onBadRow: (line: number, reason: string) => void
  private readonly maxRows: number
  private readonly endUsers: Array<FoundEndUser> = []
  private badRows = 0
  private readonly seen = new Set<string>()
  /** The identifiers of end users to exclude. */
  private readonly inDoubt = new Set<string>()
  private columns: Columns | undefined
  private current: { identifiers: Set<string>; bookmarks: Array<Bookmark>; line: number } | undefined
  /** The identifiers of the last row with readable ones, good or bad. */
  private before: ReadonlySet<string> = new Set()
  /** Whether the previous row has no readable identifiers. */
  private isBehindUnknown = false

  constructor(onBadRow: (line: number, reason: string) => void, maxRows = defaultMaxRows) {
    this.onBadRow = onBadRow
    this.maxRows = maxRows
  }

  /** Ends the input. */
  finish(): EndUsersOfFile {
    if (this.columns === undefined) throw headerMissing
    this.complete()
    const { badRows, endUsers, inDoubt } = this
    const isExcluded = ({ identifiers }: FoundEndUser) => identifiers.some((identifier) => inDoubt.has(identifier))
    return badRows === 0
      ? { endUsers, excluded: [], badRows }
      : { endUsers: endUsers.filter((one) => !isExcluded(one)), excluded: endUsers.filter(isExcluded), badRows }
  }

  onRow(given: CsvRow): void {
    if (this.columns === undefined) {
      this.columns = readHeader(given)
      return
    }
    const row = withoutSurplus(given, this.columns.count)
    // Spreadsheets append rows of only commas. They count as blank lines.
    if (isBlank(row)) return
    const { count: width, identifier: key } = this.columns
    const read = readRow(row, this.columns)
    const isFooter =
      Result.isFailure(read) &&
      this.footer.take({ fields: fieldsOf(row), line: row.line }, { width, key, rows: this.rows })
    if (isFooter) return
    this.count()
    const reason = Result.isFailure(read) ? read.failure : this.take(read.success, row.line)
    if (reason !== undefined) this.refuse(row, reason, rowIdentifiers(fieldsOf(row)[this.columns.identifier]))
  }

  onMalformed(row: CsvRow, reason: string): void {
    if (this.columns === undefined) throw new CommandFailure(`line ${row.line} cannot be read: ${reason}`)
    this.count()
    // The last field is unterminated, so it may be a part of an identifier.
    this.refuse(row, reason, rowIdentifiers(fieldsOf(row).slice(0, -1)[this.columns.identifier]))
  }

  onBlankLine(): void {
    this.footer.blankLine(this.rows)
  }

  private count(): void {
    this.rows++
    if (this.rows > this.maxRows) throw tooManyRows(this.maxRows)
  }

  /** Adds a row, or returns its error. */
  private take({ bookmark, identifiers }: Row, line: number): string | undefined {
    const { current } = this
    const isSame = current !== undefined && identifiers.some((identifier) => current.identifiers.has(identifier))
    const endUser = isSame ? current : { identifiers: new Set<string>(), bookmarks: [], line }
    const fresh = identifiers.filter((identifier) => !endUser.identifiers.has(identifier))
    if (fresh.some((identifier) => this.seen.has(identifier))) return notConsecutive
    const all = [...endUser.identifiers, ...fresh]
    if (all.length > endUserLimits.identifiers) return tooManyIdentifiers
    if (all.filter(isNin).length > 1) return secondNin
    if (bookmark !== undefined && endUser.bookmarks.length === endUserLimits.bookmarks) return tooManyBookmarks
    if (!isSame) this.complete()
    this.current = endUser
    for (const identifier of fresh) {
      this.seen.add(identifier)
      endUser.identifiers.add(identifier)
    }
    if (bookmark !== undefined) endUser.bookmarks.push(bookmark)
    this.passUnknown(identifiers)
    this.before = endUser.identifiers
    return undefined
  }

  private refuse({ line }: CsvRow, reason: string, whose: RowIdentifiers): void {
    this.badRows++
    this.onBadRow(line, reason)
    const { before } = this
    const isSame = whose.identifiers.some((identifier) => before.has(identifier))
    this.doubt(whose.identifiers)
    if (whose.identifiers.length > 0) {
      this.passUnknown(whose.identifiers)
      this.before = new Set(isSame ? [...before, ...whose.identifiers] : whose.identifiers)
    }
    if (whose.isKnown || isSame) return
    this.doubt(before)
    this.isBehindUnknown = true
  }

  /** Excludes the end user after a bad row, which may own that row. */
  private passUnknown(identifiers: ReadonlyArray<string>): void {
    if (this.isBehindUnknown) this.doubt(identifiers)
    this.isBehindUnknown = false
  }

  private doubt(identifiers: Iterable<string>): void {
    for (const identifier of identifiers) this.inDoubt.add(identifier)
  }

  private complete(): void {
    const { current } = this
    this.current = undefined
    if (current === undefined) return
    this.endUsers.push({ ...current, identifiers: [...current.identifiers] })
  }
}

const columnNames = ["identifier", "postcode", "label"] as const

/** The index of each column, and the number of columns including ignored ones. */
type Columns = Readonly<Record<(typeof columnNames)[number], number>> & { readonly count: number }

interface Row {
  readonly identifiers: ReadonlyArray<string>
  readonly bookmark: Bookmark | undefined
}

/** Whether a row names all columns. */
export const isEndUserHeader = (fields: ReadonlyArray<string>): boolean => {
  const names = fields.map(foldName)
  return columnNames.every((name) => names.includes(name))
}

const readHeader = (row: CsvRow): Columns => {
  const names = fieldsOf(row).map(foldName)
  rejectOtherFormats(row)
  const [identifier, postcode, label] = columnNames.map((name) => {
    if (names.filter((other) => other === name).length > 1) throw new CommandFailure(`two columns are called ${name}`)
    return names.indexOf(name)
  }) as [number, number, number]
  if (Math.min(identifier, postcode, label) < 0) throw headerMissing
  return { identifier, postcode, label, count: names.length }
}

const readRow = (row: CsvRow, columns: Columns): Result.Result<Row, string> => {
  if (linesNotUtf8(row).length > 0) return Result.fail("the row is not UTF-8")
  const fields = fieldsOf(row)
  if (fields.length !== columns.count) return Result.fail(otherFieldCount(fields.length, columns.count))
  const field = (name: (typeof columnNames)[number]) => fields[columns[name]] as string
  const identifiers = readIdentifiers(cellText(field("identifier")))
  if (Result.isFailure(identifiers)) return Result.fail(identifiers.failure)
  const bookmark = readBookmark(cellValue(field("postcode")), cellText(field("label")))
  return Result.map(bookmark, (bookmark) => ({ identifiers: identifiers.success, bookmark }))
}

/** The identifiers of a bad row, as far as they are readable. */
interface RowIdentifiers {
  readonly identifiers: ReadonlyArray<string>
  /** Whether these are all of the row's identifiers. */
  readonly isKnown: boolean
}

const rowIdentifiers = (field = ""): RowIdentifiers => {
  const texts = field.trim().split(/\s+/)
  const identifiers = texts.flatMap((text) => {
    const read = normalizeIdentifier(Redacted.make(text), "identifier")
    return Result.isSuccess(read) ? [Redacted.value(read.success)] : []
  })
  return { identifiers, isKnown: identifiers.length === texts.length }
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

const isNin = (identifier: string): boolean => !identifier.includes("@")

const isBlank = (row: CsvRow): boolean =>
  /^[ \t,"]*$/.test(row.text) && fieldsOf(row).every((field) => field.trim() === "")

const headerMissing = new CommandFailure(
  `the first row has to name the columns ${columnNames.join(", ")}, in any order; other columns are ignored`
)

const tooManyRows = (maxRows: number) =>
  new CommandFailure(
    `it has more than ${grouped(maxRows)} rows: divide it, each part with the header and whole end users`
  )

const notConsecutive = "identifier: an end user further up has it: all rows of one end user have to follow each other"
const tooManyIdentifiers = `identifier: an end user has at most ${endUserLimits.identifiers}`
const secondNin = "identifier: a person has one NIN, and this is a second one of the same end user"
const tooManyBookmarks = `an end user has at most ${endUserLimits.bookmarks} bookmarks, and this is one more`
