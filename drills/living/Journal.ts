/** What was answered to batches, a line each, in a file that outlives the process that sends them. */
import { appendFileSync, readFileSync, truncateSync } from "node:fs"

export interface JournalEntry {
  readonly lane: number
  readonly number: number
  /** Of the answer; undefined if the batch was refused for its fault. */
  readonly applied?: {
    readonly version: string
    readonly applied: number
    readonly unchanged: number
    readonly repeated: boolean
  }
  readonly attempts: number
  /** Milliseconds since 1970. */
  readonly sent_ms: number
  readonly answered_ms: number
}

export const appendEntry = (path: string, entry: JournalEntry): void =>
  appendFileSync(path, `${JSON.stringify(entry)}\n`)

/** The entries. A last line that was only written in part is removed. */
export const readJournal = (path: string): ReadonlyArray<JournalEntry> => {
  const text = readFileSync(path, { encoding: "utf8", flag: "a+" })
  const end = text.lastIndexOf("\n") + 1
  if (end < text.length) truncateSync(path, Buffer.byteLength(text.slice(0, end)))
  return text
    .slice(0, end)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
}

/** The time, comparable between processes. */
export const now_ms = (): number => performance.timeOrigin + performance.now()
