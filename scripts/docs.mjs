// npm run docs: the documentation's site, built, or with `-- dev` served while you write it.
import { join } from "node:path"
import { become, tool, withTools } from "./child.mjs"
import { node } from "./node.mjs"
import { runAsProgram } from "./terminal.mjs"
import { root } from "./workspace.mjs"

await runAsProgram(import.meta.url, async ([command = "build", ...args]) => {
  const folder = join(root, "site")
  // Disables telemetry and update checks.
  const env = { ...withTools(), ASTRO_TELEMETRY_DISABLED: "1", ASTRO_DISABLE_UPDATE_CHECK: "true" }
  await become(node(), [tool("astro", "astro", folder), command, ...args], { cwd: folder, env })
})
