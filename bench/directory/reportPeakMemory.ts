/** Loaded before a program that is measured: says at its end, on file descriptor 3, how many bytes it had at most. */
import { writeSync } from "node:fs"

process.on("exit", () => {
  writeSync(3, String(process.resourceUsage().maxRSS * 1024))
})
