/** Loaded before a service under test: its clock goes on by as many seconds as lines on its standard input say. */
import { isMainThread } from "node:worker_threads"

if (isMainThread) {
  const now_ms = Date.now
  let ahead_ms = 0
  Date.now = () => now_ms() + ahead_ms
  process.stdin.on("data", (lines) => {
    for (const seconds of String(lines).trim().split("\n")) ahead_ms += Number(seconds) * 1000
  })
  // A service that is told to end does not wait for more of it.
  process.stdin.unref()
}
