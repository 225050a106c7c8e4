/**
 * Where the logs of a thread go: standard error. Whoever reads that may fall behind, or stop. Node then keeps what was
 * written in memory, so beyond a bound lines are dropped and counted rather than kept, and nothing waits for the reader.
 */
import type { Writable } from "node:stream"
import { host } from "../../Host.ts"

/** How much may wait for the reader, in bytes of UTF-8, roughly: some 20,000 lines. */
const mostWaiting = 4 * 1024 * 1024

/** A way out for lines, with a bound on what waits in it. */
export class LogOutput {
  /** How many lines were dropped so far. */
  dropped = 0
  private unsaid = 0
  private readonly stream: () => Writable

  constructor(stream: () => Writable) {
    this.stream = stream
  }

  /** Writes whole lines, or drops all of them. The first lines behind a gap are told how many are missing. */
  write(lines: string, count: number): void {
    const stream = this.stream()
    if (stream.writableLength > mostWaiting) {
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
    message: `${lines} lines of the log are missing: nobody read standard error`
  })}\n`

/** The logs of this thread. */
export const logOutput = new LogOutput(() => host().stderr)
