// Publishes tarballs to npm: those that it does not have yet, each behind the packages that it depends on.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { npm, run } from "./child.mjs"
import { SetUpError, say } from "./messages.mjs"
import { repositoryVariable } from "./publishedManifest.mjs"
import { withDependencies } from "./workspace.mjs"

/** @typedef {{ file: string, name: string, version: string, repository?: { url: string } }} Tarball */

/**
 * @param {string} folder where `pack` put them
 * @returns {Promise<number>} the exit code of the first one that npm does not take, else 0
 */
export const release = async (folder) => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".tgz"))
  /** @type {Array<Tarball>} */
  const tarballs = []
  for (const name of files) tarballs.push(await read(join(folder, name)))
  const homeless = tarballs.filter(({ repository }) => repository === undefined)
  if (homeless.length > 0) throw new SetUpError(refusal(homeless))
  for (const { file, name, version } of inOrder(tarballs)) {
    if (await isPublished(name, version)) {
      say(`npm has ${name} ${version} already.`)
      continue
    }
    const { code } = await run(...npm("npm", ["publish", file, "--access=public", "--provenance"]), { show: true })
    if (code !== 0) return code
  }
  return 0
}

/**
 * A package stands on more packages than any of those does.
 *
 * @param {ReadonlyArray<Tarball>} tarballs
 */
const inOrder = (tarballs) => {
  const height = (/** @type {Tarball} */ { name }) => withDependencies(name).length
  return [...tarballs].sort((one, other) => height(one) - height(other))
}

/** @param {ReadonlyArray<Tarball>} homeless */
const refusal = (homeless) =>
  `No repository is named by ${homeless.map(({ name }) => name).join(", ")}. npm takes a proof of where a release comes ` +
  `from only for packages that name it: set ${repositoryVariable} to the repository's page, and pack again.`

/**
 * @param {string} file
 * @returns {Promise<Tarball>}
 */
const read = async (file) => {
  const { code, output } = await run("tar", ["-xzOf", file, "package/package.json"])
  if (code !== 0) throw new SetUpError(`${file} is no package:\n${output.trimEnd()}`)
  return { ...JSON.parse(output), file }
}

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
