/** The libraries of others that the console's files hold, as folders; their licences go where the files go. */
import { realpathSync } from "node:fs"
import { dirname, join } from "node:path"

// Builds run in the folder of their package, and each finds this one from there.
const installed = join("..", "console", "node_modules")
const signals = realpathSync(join(installed, "@preact", "signals"))

export const librariesBuiltIn: ReadonlyArray<string> = [
  realpathSync(join(installed, "preact")),
  signals,
  realpathSync(join(dirname(signals), "signals-core"))
]
