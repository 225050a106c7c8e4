// What a published manifest has otherwise than the one in the workspace. pnpm asks for it when it packs, see pack.mjs.
import { basename } from "node:path"

/** @typedef {Readonly<Record<string, string>>} Texts */
/** @typedef {Readonly<Record<string, Texts | null>>} Exports */
/** @typedef {{ name: string, exports?: Exports, dependencies?: Texts, peerDependencies?: Texts, devDependencies?: Texts, scripts?: Texts }} Manifest */
/** @typedef {Manifest & { homepage?: string, bugs?: string, repository?: { type: string, url: string, directory: string } }} Published */

/**
 * The variable that names the repository's page, such as `https://github.com/owner/name`. No file does, so that who
 * releases a fork releases it under its own address.
 */
export const repositoryVariable = "REPOSITORY_URL"

/** Packages whose built files hold everything that they depend on. */
const bundles = ["@postcode/cli", "@postcode/console", "@postcode/widget"]

/**
 * - Sources are for the workspace: no condition leads to them.
 * - A bundle needs no package. What it is made of stays in the workspace's manifest, where the bill of materials comes from.
 * - `effect` is a peer: two of them in one process do not find each other's services.
 * - Scripts and tools stay here.
 *
 * @param {Manifest} manifest
 * @returns {Published}
 */
export const publishedManifest = ({
  dependencies = {},
  devDependencies,
  exports,
  peerDependencies,
  scripts,
  ...kept
}) => {
  const { effect, ...others } = bundles.includes(kept.name) ? {} : dependencies
  const peers = { ...peerDependencies, ...(effect === undefined ? {} : { effect: `^${effect}` }) }
  return {
    ...kept,
    ...origin(kept.name),
    ...(exports && { exports: withoutSources(exports) }),
    ...(Object.keys(others).length > 0 && { dependencies: others }),
    ...(Object.keys(peers).length > 0 && { peerDependencies: peers })
  }
}

export const hooks = { beforePacking: publishedManifest }

/** @param {Exports} exports */
const withoutSources = (exports) =>
  Object.fromEntries(
    Object.entries(exports).map(([entry, conditions]) => {
      const { "@postcode/source": _, ...published } = conditions ?? {}
      return [entry, conditions && published]
    })
  )

/**
 * Where the sources are. npm compares the repository with the one that a release comes from, and by its folder the
 * package's page there finds what the links of README.md lead to.
 *
 * @param {string} name
 */
const origin = (name) => {
  const url = process.env[repositoryVariable]
  if (!url) return {}
  const directory = `packages/${basename(name)}`
  return {
    homepage: `${url}/tree/HEAD/${directory}#readme`,
    bugs: `${url}/issues`,
    repository: { type: "git", url: `git+${url}.git`, directory }
  }
}
