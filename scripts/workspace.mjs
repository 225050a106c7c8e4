// What the scripts know of the workspace: where it is, which packages it holds, and what their files add up to.
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

/** @typedef {{ name: string, folder: string, builds: boolean, uses: ReadonlyArray<string> }} Package */

export const root = fileURLToPath(new URL("..", import.meta.url))

/** @param {string} file */
export const readJson = (file) => JSON.parse(readFileSync(file, "utf8"))

/** @type {Map<string, Package> | undefined} */
let found

/**
 * Every package that pnpm-workspace.yaml names, by its name. `uses` are the workspace packages that its build depends on:
 * what only its tests import may depend on it in turn.
 *
 * @returns {Map<string, Package>}
 */
export const packages = () => {
  if (found) return found
  const manifests = workspaceFolders().map((folder) => ({ folder, json: readJson(join(folder, "package.json")) }))
  const inPackages = manifests.filter(({ folder }) => dirname(folder) === join(root, "packages"))
  const names = new Set(inPackages.map(({ json }) => json.name))
  found = new Map(
    manifests.map(({ folder, json }) => [
      json.name,
      {
        name: json.name,
        folder,
        builds: existsSync(join(folder, "tsup.config.ts")),
        uses: Object.keys(json.dependencies ?? {}).filter((name) => names.has(name))
      }
    ])
  )
  return found
}

/**
 * A package and every workspace package below it, each once.
 *
 * @param {string} name
 * @returns {ReadonlyArray<Package>}
 */
export const withDependencies = (name) => {
  /** @type {Map<string, Package>} */
  const seen = new Map()
  /** @param {string} next */
  const visit = (next) => {
    const one = packages().get(next)
    if (!one) throw new Error(`No package of this workspace is called ${next}.`)
    if (seen.has(next)) return
    seen.set(next, one)
    one.uses.forEach(visit)
  }
  visit(name)
  return [...seen.values()]
}

/**
 * Files below a folder that a build can depend on: no tests, nothing installed or built, nothing hidden, and not the
 * copies of their configurations that running builds keep for a moment.
 *
 * @param {string} folder
 * @returns {ReadonlyArray<string>}
 */
export const sourceFiles = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !/^(\..*|node_modules|dist|test|.*\.bundled_.*)$/.test(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? sourceFiles(path) : [path]
    })

/**
 * One hash of many files: their places in the workspace and their contents. A date alone changes nothing.
 *
 * @param {ReadonlyArray<string>} files
 */
export const fingerprint = (files) => {
  const hash = createHash("sha256")
  for (const file of [...files].sort()) {
    const content = readFileSync(file)
    hash.update(`${relative(root, file).split(sep).join("/")}\0${content.length}\0`).update(content)
  }
  return hash.digest("hex")
}

const workspaceFolders = () => {
  const lines = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8").split("\n")
  const from = lines.indexOf("packages:") + 1
  const end = lines.findIndex((line, index) => index >= from && !line.startsWith("  - "))
  return lines
    .slice(from, end === -1 ? lines.length : end)
    .map((line) => line.slice("  - ".length).trim())
    .flatMap((pattern) => (pattern.endsWith("/*") ? foldersIn(pattern.slice(0, -"/*".length)) : [join(root, pattern)]))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .sort()
}

/** @param {string} parent */
const foldersIn = (parent) =>
  existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => join(root, parent, name)) : []
