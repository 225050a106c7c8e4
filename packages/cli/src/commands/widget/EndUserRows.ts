/**
 * End users from the rows of a CSV file. A row is a bookmark, or nobody's bookmark where postcode and label are empty.
 * A row that shares an identifier with the one before is of the same end user; all of one's rows follow each other.
 *
 * A bad row is not the only one that is left out: to save an end user by the rest of the rows would delete what the bad
 * one says. So whoever has an identifier that stands in a bad row is left out as a whole. A row whose identifiers cannot
 * be read may be of the end user before it or of the one behind it; both are left out.
 *
 * What is said of a bad row never holds what stands in it.
 */
import { BookmarkLabel, endUserLimits } from "@postcode/api"
import type { CsvHandlers, CsvRow } from "@postcode/core/Csv"
import { normalizeIdentifier } from "@postcode/core/EndUserIdentifier"
import { parse } from "@postcode/core/Postcode"
import type { Bookmark } from "@postcode/core/widget/EndUsers"
import { Redacted, Result, Schema } from "effect"
import { fieldsOf, linesNotUtf8 } from "../../csv/ByteText.ts"
import { otherFieldCount } from "../../csv/fieldCount.ts"
import { refuseForeign } from "../../csv/refuseForeign.ts"
import { CommandFailure } from "../../ExitCode.ts"
import { SeenIdentifiers } from "./SeenIdentifiers.ts"

/** An end user, whole. */
export interface FoundEndUser {
  /** Normalized. */
  readonly identifiers: ReadonlyArray<string>
  readonly bookmarks: ReadonlyArray<Bookmark>
  /** Where the first row starts. */
  readonly line: number
}

/** Who is told of what is wrong, and who is left out. */
export interface EndUserRowsOptions {
  readonly onBadRow: (line: number, reason: string) => void
  /** Told of an end user who is left out because of a bad row; `line` is where the first row starts. */
  readonly onLeftOut: (line: number) => void
  /**
   * The identifiers of those who have to be left out; bad rows add to it. An end user may be whole before a bad row
   * comes, so who is left out is only sure when a file is read again with what was added when it was read first.
   */
  readonly inDoubt: SeenIdentifiers
}

/** Puts rows together to end users, one after the other. */
export class EndUserRows implements CsvHandlers {
  /** How many rows there were behind the header. */
  rows = 0
  private readonly options: EndUserRowsOptions
  private readonly seen = new SeenIdentifiers()
  private columns: Columns | undefined
  private current: { identifiers: Set<string>; bookmarks: Array<Bookmark>; line: number } | undefined
  private whole: Array<FoundEndUser> = []
  /** The identifiers of whoever the last row is of that could be read, good or bad. */
  private before: ReadonlySet<string> = new Set()
  /** Whether a row stands before the next one of which nobody knows whose it is. */
  private isBehindUnknown = false

  constructor(options: EndUserRowsOptions) {
    this.options = options
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
    // Spreadsheets write rows of commas alone behind the last one. They are blank lines.
    if (isBlank(row)) return
    this.rows++
    const read = readRow(row, this.columns)
    const reason = Result.isFailure(read) ? read.failure : this.take(read.success, row.line)
    if (reason !== undefined) this.refuse(row, reason, whoseRow(fieldsOf(row)[this.columns.identifier]))
  }

  onMalformed(row: CsvRow, reason: string): void {
    if (this.columns === undefined) throw new CommandFailure(`line ${row.line} cannot be read: ${reason}`)
    this.rows++
    // Where the last field ends is not known, so it may be a part of an identifier.
    this.refuse(row, reason, whoseRow(fieldsOf(row).slice(0, -1)[this.columns.identifier]))
  }

  /** Takes a row over, or says why it cannot be. */
  private take({ bookmark, identifiers }: Row, line: number): string | undefined {
    const { current } = this
    const isSame = current !== undefined && identifiers.some((identifier) => current.identifiers.has(identifier))
    const endUser = isSame ? current : { identifiers: new Set<string>(), bookmarks: [], line }
    const fresh = identifiers.filter((identifier) => !endUser.identifiers.has(identifier))
    if (fresh.some((identifier) => this.seen.has(identifier))) return notTogether
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

  private refuse({ line }: CsvRow, reason: string, whose: Whose): void {
    this.options.onBadRow(line, reason)
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

  /** Leaves out whoever comes behind a row that may be theirs. */
  private passUnknown(identifiers: ReadonlyArray<string>): void {
    if (this.isBehindUnknown) this.doubt(identifiers)
    this.isBehindUnknown = false
  }

  private doubt(identifiers: Iterable<string>): void {
    for (const identifier of identifiers) this.options.inDoubt.add(identifier)
  }

  private complete(): void {
    const { current } = this
    this.current = undefined
    if (current === undefined) return
    const { bookmarks, line } = current
    const identifiers = [...current.identifiers]
    if (identifiers.some((identifier) => this.options.inDoubt.has(identifier))) this.options.onLeftOut(line)
    else this.whole.push({ identifiers, bookmarks, line })
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
  if (linesNotUtf8(row).length > 0) return Result.fail("the row is not UTF-8")
  const fields = fieldsOf(row)
  if (fields.length !== columns.count) return Result.fail(otherFieldCount(fields.length, columns.count))
  const field = (name: (typeof columnNames)[number]) => fields[columns[name]] as string
  const identifiers = readIdentifiers(field("identifier"))
  if (Result.isFailure(identifiers)) return Result.fail(identifiers.failure)
  const bookmark = readBookmark(field("postcode"), field("label"))
  return Result.map(bookmark, (bookmark) => ({ identifiers: identifiers.success, bookmark }))
}

/** Whose a bad row is, as far as it can be read. */
interface Whose {
  readonly identifiers: ReadonlyArray<string>
  /** Whether they are all of the row's identifiers, so that it is nobody else's. */
  readonly isKnown: boolean
}

const whoseRow = (field = ""): Whose => {
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
  `the first row has to name the columns ${columnNames.join(", ")}, in any order; others are left aside`
)

const notTogether = "identifier: an end user further up has it: all rows of one end user have to follow each other"
const tooManyIdentifiers = `identifier: an end user has at most ${endUserLimits.identifiers}`
const secondNin = "identifier: a person has one NIN, and this is a second one of the same end user"
const tooManyBookmarks = `an end user has at most ${endUserLimits.bookmarks} bookmarks, and this is one more`
