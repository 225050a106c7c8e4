// Declarations of a package that is installed alone: those that they import from neighbours go into the package.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { packages, readJson } from "./workspace.mjs"

/**
 * Copies the declarations of neighbours that a package's own ones import into `dist/<neighbour>`, and imports them from
 * there. Code needs none of this: its bundle holds what it uses.
 *
 * @param {string} folder of the package, built and declared
 */
export const ownDeclarations = (folder) => {
  const dist = join(folder, "dist")
  // The workspace keeps none of it: without this file, the compiler writes the declarations anew.
  rmSync(join(dist, ".tsbuildinfo"), { force: true })
  for (const file of readdirSync(dist, { encoding: "utf8", recursive: true })) {
    if (file.endsWith(".d.ts")) rewrite(join(dist, file), dist)
  }
}

/**
 * @param {string} file a declaration
 * @param {string} dist where it and its neighbours' copies are
 */
const rewrite = (file, dist) => {
  const text = readFileSync(file, "utf8")
  const own = text.replace(neighbour, (_, /** @type {string} */ name, /** @type {string} */ entry) => {
    const path = relative(dirname(file), copy(declarationOf(name, entry), name, dist))
      .split(sep)
      .join("/")
    return `"${path.startsWith(".") ? path : `./${path}`}"`.replace(/\.d\.ts"$/, '.js"')
  })
  if (own !== text) writeFileSync(file, own)
}

/** `"@postcode/core/Selection"` in an import or export; comments name packages, too. */
const neighbour = /(?<=^(?:import|export) .*from )"(@postcode\/[\w-]+)(\/[\w-]+)?"/gm

/**
 * @param {string} name
 * @param {string} [entry] such as `/Selection`
 */
const declarationOf = (name, entry = "") => {
  const folder = packages().get(name)?.folder ?? ""
  const { types } = readJson(join(folder, "package.json")).exports[`.${entry}`] ?? {}
  if (types === undefined) throw new Error(`${name} has no entry ${entry}`)
  return join(folder, types)
}

/**
 * Copies a declaration of a neighbour and those that it imports, and answers where it is.
 *
 * @param {string} file
 * @param {string} name of the neighbour
 * @param {string} dist
 * @returns {string}
 */
const copy = (file, name, dist) => {
  const source = join(packages().get(name)?.folder ?? "", "dist")
  const target = join(dist, basename(name), relative(source, file))
  if (existsSync(target)) return target
  // Its map names sources that are published with the neighbour.
  const text = readFileSync(file, "utf8").replace(/^\/\/# sourceMappingURL=.*$/m, "")
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
  for (const [, path = ""] of text.matchAll(/^(?:import|export) .*from "([^"]+)"/gm)) {
    if (!path.startsWith(".")) throw new Error(`${file} imports ${path}, which is not installed with the package`)
    copy(resolve(dirname(file), path.replace(/\.[jt]s$/, ".d.ts")), name, dist)
  }
  return target
}
