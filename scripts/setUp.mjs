// Installs, with the pinned pnpm, what has changed since the last time, generates the types of the client and bundles
// packages, one process at a time.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { build, generate, isGenerated, outdated } from "./bundles.mjs"
import { npm, run, withoutTools } from "./child.mjs"
import { withLock } from "./lock.mjs"
import { checkNode, node } from "./node.mjs"
import { runAsProgram, SetUpError, say, secondsSince } from "./terminal.mjs"
import { fingerprint, packages, root } from "./workspace.mjs"

export const pnpm = "pnpm@12.21.0"
const stamp = join(root, "node_modules", ".installed-from")

/**
 * How much is installed: everything, or what it takes to build the command and run it. The second is a part of the first.
 *
 * @typedef {"everything" | "command"} Extent
 */

/**
 * Installs and builds what is out of date.
 *
 * @param {ReadonlyArray<import("./workspace.mjs").Package>} wanted the packages whose bundles are needed
 * @param {Extent} [extent]
 */
export const setUp = async (wanted, extent = "everything") => {
  const isComplete = () => extent === "command" || isGenerated()
  if (isInstalled(extent) && isComplete() && outdated(wanted).length === 0) return
  const onWait = () => say("Waiting for another set-up in this folder …")
  await withLock(join(root, ".setup-lock"), onWait, async () => {
    if (!isInstalled(extent)) await install(extent)
    if (!isComplete()) await generate()
    const stale = outdated(wanted)
    if (stale.length > 0) await build(stale)
  })
}

/**
 * Whether what is installed is what the lockfile and the package.json files ask for.
 *
 * @param {Extent} extent
 */
const isInstalled = (extent) => {
  const found = readStamp()
  return found === stampFor(lists(), "everything") || found === stampFor(lists(), extent)
}

/**
 * Installs exactly the lockfile, then makes sure that there is a Node to run with. Where everything was installed before,
 * everything is again.
 *
 * @param {Extent} wanted
 */
const install = async (wanted) => {
  say(`Installing the dependencies with ${pnpm} …`)
  const since = performance.now()
  const from = lists()
  const found = readStamp()
  const extent = found === undefined || found.endsWith(" command") ? wanted : "everything"
  const options = [
    "--frozen-lockfile",
    "--reporter=append-only",
    "--use-stderr",
    "--config.confirm-modules-purge=false"
  ]
  const part = extent === "command" ? ["--prod", "--filter=@postcode/cli..."] : []
  const command = npm("npx", ["--yes", pnpm, "install", ...options, ...part])
  const { code } = await run(...command, { env: withoutTools(), show: true }).catch((error) => {
    throw new SetUpError(`npx could not be started (${error.message}). It comes with npm, which must be on the PATH.`)
  })
  if (code !== 0) throw new SetUpError(failure(code))
  say(`Installed in ${secondsSince(since)}.`)
  checkNode()
  writeFileSync(stamp, stampFor(from, extent))
}

const readStamp = () => (existsSync(stamp) ? readFileSync(stamp, "utf8") : undefined)

/** @param {number} code */
const failure = (code) =>
  `The dependencies could not be installed: "npx ${pnpm} install --frozen-lockfile" ended with exit code ${code}; ` +
  "its own words are above. A first installation needs the network. After an edit to a package.json, bring " +
  `pnpm-lock.yaml up to date with "npx ${pnpm} install".`

/**
 * The Node that came along is part of the stamp: a plain "npm install" here would remove it and leave the rest.
 *
 * @param {string} from
 * @param {Extent} extent
 */
const stampFor = (from, extent) => `${from} ${relative(root, node())} ${extent}`

/** Everything that says what to install, and where. */
const lists = () => {
  const files = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"].map((name) => join(root, name))
  const manifests = [...packages().values()].map(({ folder }) => join(folder, "package.json"))
  return `${process.platform}-${process.arch} ${fingerprint([...files, ...manifests])}`
}

await runAsProgram(import.meta.url, () => setUp([]))
