/** Preloaded into a measured program: writes its peak memory in bytes to file descriptor 3 at its end. */
import { writeSync } from "node:fs"

process.on("exit", () => {
  writeSync(3, String(process.resourceUsage().maxRSS * 1024))
})
