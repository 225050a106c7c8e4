// npm run bench, drill and reference: a program of the workspace, with the Node that the installation brings. In one process,
// since a shell remembers where it found "node", and would run the program with the one from before the installation.
import { allPackages } from "./bundles.mjs"
import { become } from "./child.mjs"
import { node } from "./node.mjs"
import { setUp } from "./setUp.mjs"
import { runAsProgram } from "./terminal.mjs"

await runAsProgram(import.meta.url, async (args) => {
  await setUp(allPackages())
  await become(node(), args)
})
