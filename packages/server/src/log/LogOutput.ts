/**
 * The log output of a process: standard error. If its reader stalls, Node would buffer without limit; so lines beyond a
 * limit are dropped and counted, and nothing waits for the reader.
 */
import type { Writable } from "node:stream"
import { host } from "../process/Host.ts"

/** Maximum buffered output in bytes of UTF-8, approximately: some 20,000 lines. */
const maxBuffered_bytes = 4 * 1024 * 1024

/** A bounded output for lines. */
export class LogOutput {
  /** The number of dropped lines. */
  dropped = 0
  private unsaid = 0
  private readonly stream: () => Writable

  constructor(stream: () => Writable) {
    this.stream = stream
  }

  /** Writes all lines or drops all of them. After a gap, the number of missing lines is written first. */
  write(lines: string, count: number): void {
    const stream = this.stream()
    if (stream.writableLength > maxBuffered_bytes) {
      this.dropped += count
      this.unsaid += count
      return
    }
    if (this.unsaid > 0) stream.write(gapLine(this.unsaid))
    this.unsaid = 0
    stream.write(lines)
  }
}

const gapLine = (lines: number): string =>
  `${JSON.stringify({
    at: new Date().toISOString(),
    level: "warn",
    message: `${lines === 1 ? "1 line of the log is" : `${lines} lines of the log are`} missing: no process read standard error`
  })}\n`

/** The log output of this process. */
export const logOutput = new LogOutput(() => host().stderr)
