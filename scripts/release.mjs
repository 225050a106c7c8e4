// npm run release -- FOLDER: publishes the tarballs that npm does not have yet, each after the packages that it depends on.
import { basename, join, resolve } from "node:path"
import { npm, run } from "./child.mjs"
import { runAsProgram, SetUpError, say } from "./terminal.mjs"
import { packages, readJson, withDependencies } from "./workspace.mjs"

/**
 * npm refuses a package that names no repository, as it comes with a proof of where it was made.
 *
 * @param {string} folder where `pack` put them
 * @returns {Promise<number>} the exit code of the first one that npm does not take, else 0
 */
const release = async (folder) => {
  for (const manifest of inOrder()) {
    const { name, version } = manifest
    if (await isPublished(name, version)) {
      say(`npm has ${name} ${version} already.`)
      continue
    }
    const file = join(folder, tarballOf(manifest))
    const { code } = await run(...npm("npm", ["publish", file, "--access=public", "--provenance"]), { show: true })
    if (code !== 0) return code
  }
  return 0
}

/**
 * The file name of a packed package.
 *
 * @param {{ name: string, version: string }} manifest
 */
export const tarballOf = ({ name, version }) => `postcode-${basename(name)}-${version}.tgz`

/** The manifests of the published packages, each after its dependencies: it has more of them than any of those. */
export const inOrder = () =>
  [...packages().values()]
    .map(({ folder, name }) => ({ ...readJson(join(folder, "package.json")), height: withDependencies(name).length }))
    .filter((manifest) => !manifest.private)
    .sort((one, other) => one.height - other.height)

/**
 * @param {string} name
 * @param {string} version
 */
const isPublished = async (name, version) => {
  const { code, output } = await run(...npm("npm", ["view", `${name}@${version}`, "version", "--loglevel=error"]))
  if (code === 0) return output.trim() !== ""
  if (output.includes("E404")) return false
  throw new SetUpError(output.trimEnd())
}

await runAsProgram(import.meta.url, async ([folder]) => {
  if (folder === undefined) throw new SetUpError("Name the folder of the tarballs: npm run release -- FOLDER")
  return await release(resolve(process.env.INIT_CWD ?? "", folder))
})
