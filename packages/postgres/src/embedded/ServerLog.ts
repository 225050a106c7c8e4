/** What an embedded server reports, in a file of its folder. */
import { open, rename, stat } from "node:fs/promises"

/** Opens the log for a server that starts. A long log is kept once, under another name. */
export const openLog = async (path: string) => {
  const size = await sizeOf(path)
  if (size > longestLog_bytes) await rename(path, `${path}.1`)
  return { file: await open(path, "a", 0o600), from: size > longestLog_bytes ? 0 : size }
}

const longestLog_bytes = 10_000_000

/**
 * The reasons in the log after a position: the last fatal message with its hint, or the last lines. A message of
 * PostgreSQL is one line, which begins with the time and the severity.
 */
export const reasonsIn = async (path: string, from: number): Promise<string> => {
  const length = Math.min((await sizeOf(path)) - from, longestReason_bytes)
  if (length <= 0) return "it reported nothing"
  await using file = await open(path, "r")
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, (await sizeOf(path)) - length)
  const lines = buffer.toString("utf8").split("\n").filter(Boolean)
  const messages = lines.flatMap((line) => {
    const [, severity, text] = /\b(PANIC|FATAL|HINT|DETAIL): +(.*)/.exec(line) ?? []
    if (severity === undefined || text === undefined || isRefusal.test(text)) return []
    return [{ severity, text }]
  })
  const last = messages.findLastIndex(({ severity }) => severity === "PANIC" || severity === "FATAL")
  if (last < 0) return lines.slice(-3).join("; ")
  const details = messages.slice(last + 1, last + 3)
  return [messages[last], ...details].map((message) => message?.text).join("; ")
}

/** A connection that was refused or ended says nothing of why the server did. */
const isRefusal = /^the database system is|^terminating connection|^sorry, too many clients/

const longestReason_bytes = 20_000

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0
  )
