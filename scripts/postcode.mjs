// npm start and npm run postcode: the command from the sources, in the folder of the caller.
import { join, relative } from "node:path"
import { become } from "./child.mjs"
import { node } from "./node.mjs"
import { setUp } from "./setUp.mjs"
import { runAsProgram } from "./terminal.mjs"
import { root, withDependencies } from "./workspace.mjs"

/** npm runs every script in the workspace's root and passes the caller's folder in a variable. */
const callersFolder = () => {
  const here = process.cwd()
  return relative(root, here) === "" ? (process.env.INIT_CWD ?? here) : here
}

await runAsProgram(import.meta.url, async (args) => {
  // The bundle of the command contains all packages that it uses.
  await setUp(withDependencies("@postcode/cli").slice(0, 1), "command")
  await become(node(), [join(root, "packages", "cli", "dist", "main.js"), ...args], { cwd: callersFolder() })
})
