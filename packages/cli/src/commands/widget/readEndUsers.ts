/** Reads the end users of a file, and reports its bad rows on standard error. */

import { BadRowList } from "@postcode/server/directory/BadRowFile"
import { reportBadRows } from "@postcode/server/directory/BadRowReport"
import { type InputBytes, openInput } from "@postcode/server/directory/InputBytes"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { say, standardErrorDrained } from "@postcode/server/process/Output"
import { counted, makeProgress, type Progress } from "@postcode/server/process/Progress"
import { CsvInput, noRows } from "../../csv/CsvInput.ts"
import { EndUserRows, type EndUsersOfFile, type FoundEndUser, isEndUserHeader } from "./EndUserRows.ts"

/** What a file holds. */
export interface ReadEndUsers extends EndUsersOfFile {
  /** The file in messages. */
  readonly name: string
}

/** Which file, and what becomes of its bad rows. */
export interface EndUserFile {
  readonly file: string
  /** Of a workbook. */
  readonly sheet: string | undefined
  readonly skipBadRows: boolean
  /** Where to write line and reason of each. */
  readonly badRows: string | undefined
}

/** Reads and checks all rows. Fails if one is bad, unless bad rows are to be skipped. */
export const readEndUsers = async (
  { badRows, file, sheet, skipBadRows }: EndUserFile,
  signal: AbortSignal
): Promise<ReadEndUsers> => {
  const input = await openInput(file, { sheet, onNote: (note) => say(`${file}: ${note}`) })
  const { name } = input
  const list = badRows === undefined ? undefined : new BadRowList(badRows)
  const progress = makeProgress({ doing: `checking ${name}`, what: "rows" })
  const report = reportBadRows({ file: { name } }, progress)
  try {
    const onBadRow = (line: number, reason: string) => {
      report.add("file", line, reason)
      list?.add(line, reason)
    }
    const read = await readRows(input, onBadRow, progress, signal)
    report.sayReasons()
    if (read.badRows > 0 && !skipBadRows) throw new CommandFailure(`${name} was not imported: ${report.summary()}`)
    if (read.badRows > 0) await sayExcluded(name, read.excluded, report.summary(), signal)
    return { ...read, name }
  } finally {
    progress.clear()
    list?.close()
  }
}

const readRows = async (
  { chunks, name, share }: InputBytes,
  onBadRow: (line: number, reason: string) => void,
  progress: Progress,
  signal: AbortSignal
): Promise<EndUsersOfFile> => {
  const rows = new EndUserRows(onBadRow)
  const csv = new CsvInput(rows, { isHeader: isEndUserHeader, onNote: (note) => progress.say(`${name}: ${note}`) })
  try {
    for await (const chunk of chunks) {
      csv.write(chunk)
      progress.update(rows.rows, share())
      await standardErrorDrained(signal)
      signal.throwIfAborted()
    }
    csv.end()
    const read = rows.finish()
    if (rows.rows === 0) throw noRows()
    // Like messages of bad rows, it does not repeat what is in the file.
    const note = rows.footer.note(false)
    if (note !== undefined) progress.say(`${name}: ${note}`)
    progress.finish(rows.rows)
    return read
  } catch (error) {
    throw error instanceof CommandFailure ? new CommandFailure(`${name}: ${error.message}`, error.exitCode) : error
  }
}

const maxExcluded = 20

const sayExcluded = async (
  name: string,
  excluded: ReadonlyArray<FoundEndUser>,
  badRows: string,
  signal: AbortSignal
): Promise<void> => {
  for (const { line } of excluded.slice(0, maxExcluded)) {
    say(`${name}:${line}: the end user is left out: a bad row is theirs, or may be`)
    await standardErrorDrained(signal)
  }
  if (excluded.length > maxExcluded) say(`${name}: and ${counted(excluded.length - maxExcluded, "more end user")}`)
  const endUsers = counted(excluded.length, "end user")
  say(`${badRows} left out${excluded.length === 0 ? "" : `, and with them ${endUsers}`}`)
}
