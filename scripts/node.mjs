// Which Node runs the workspace: the one the installation brought along, else the running one if it is new enough.
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { SetUpError } from "./messages.mjs"
import { root } from "./workspace.mjs"

const oldest = /** @type {const} */ ([22, 19])
const bundled = join(root, "node_modules", ".bin", "node")

/** The bundled Node where it is installed, else the running one. */
export const node = () => (existsSync(bundled) ? bundled : process.execPath)

/** Asks the chosen Node for its version, so that one that is too old, or cannot run here, is named as the reason. */
export const checkNode = () => {
  const { stdout } = spawnSync(node(), ["-p", "process.versions.node"], { encoding: "utf8" })
  const version = (stdout ?? "").trim()
  const [major = 0, minor = 0] = version.split(".").map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return
  const place = `${process.platform}-${process.arch}`
  const reason = existsSync(bundled)
    ? `The Node that comes with the dependencies (node_modules/.bin/node) ${version ? `is ${version}` : "does not run here"}.`
    : `The dependencies bring no Node for ${place}, and this one is ${process.versions.node}.`
  throw new SetUpError(
    `Node ${oldest.join(".")} or later is needed. ${reason}\nInstall a newer Node and run this again.`
  )
}
