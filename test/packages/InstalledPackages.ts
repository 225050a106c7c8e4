/** The published packages as others get them: packed, and installed by npm in an empty folder outside the workspace. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { allPackages, build, outdated } from "../../scripts/build.mjs"
import { run } from "../../scripts/child.mjs"
import { pack } from "../../scripts/pack.mjs"
import { packages, readJson, root } from "../../scripts/workspace.mjs"

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>> | null>>
}

export interface Installed {
  readonly manifest: Manifest
  readonly tarball: string
  /** Where npm put it. */
  readonly folder: string
  /** What can be imported of it: `@postcode/core/Postcode` … */
  readonly entries: ReadonlyArray<string>
}

export interface InstalledPackages {
  /** Where programs that use them can stand. */
  readonly folder: string
  readonly all: ReadonlyArray<Installed>
  readonly of: (name: string) => Installed
  readonly remove: () => Promise<void>
}

export const publishedNames = [...packages().values()]
  .filter(({ folder }) => (readJson(join(folder, "package.json")) as Manifest).private !== true)
  .map(({ name }) => name)

/** What the packages ask their users to bring, in the versions that the workspace has. */
const peers = ["@effect/vitest", "@types/node", "@types/pg", "@types/react", "vitest"]

/**
 * Packs all packages and installs them together. They belong to the caller. A release that was packed already, into the
 * folder that `POSTCODE_TARBALLS` names, is installed as it is.
 */
export const installPackages = async (): Promise<InstalledPackages> => {
  const place = await mkdtemp(join(tmpdir(), "installed-"))
  const tarballs = process.env.POSTCODE_TARBALLS ?? (await packed(join(place, "tarballs")))
  const folder = join(place, "user")
  await mkdir(folder)
  await writeFile(join(folder, "package.json"), `{ "private": true, "type": "module" }`)
  const files = (await readdir(tarballs)).filter((name) => name.endsWith(".tgz")).map((name) => join(tarballs, name))
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--loglevel=error"]
  const wanted = [...files, ...peers.map((name) => `${name}@${versionOf(name)}`)]
  const { code, output } = await run("npm", ["install", ...flags, ...wanted], { cwd: folder })
  if (code !== 0) throw new Error(output)
  const all = await Promise.all(publishedNames.map((name) => findInstalled(name, folder, tarballs)))
  return {
    folder,
    all,
    of: (name) => {
      const found = all.find(({ manifest }) => manifest.name === name)
      if (found === undefined) throw new Error(`${name} is not published`)
      return found
    },
    remove: () => rm(place, { recursive: true, force: true })
  }
}

const packed = async (folder: string): Promise<string> => {
  const stale = outdated(allPackages())
  if (stale.length > 0) await build(stale)
  await pack(folder)
  return folder
}

const findInstalled = async (name: string, user: string, tarballs: string): Promise<Installed> => {
  const folder = join(user, "node_modules", name)
  const manifest: Manifest = readJson(join(folder, "package.json"))
  const tarball = join(tarballs, `${name.slice(1).replace("/", "-")}-${manifest.version}.tgz`)
  return { manifest, tarball, folder, entries: await entriesOf(manifest, join(folder, "dist")) }
}

const versionOf = (name: string): string => {
  const manifests = [root, ...[...packages().values()].map(({ folder }) => folder)].map((folder) =>
    readJson(join(folder, "package.json"))
  )
  return manifests.map(({ devDependencies = {} }) => devDependencies[name]).find((version) => version !== undefined)
}

/** A pattern stands for each built module that it matches and that no other pattern closes. */
const entriesOf = async ({ exports = {}, name }: Manifest, dist: string): Promise<ReadonlyArray<string>> => {
  const names = Object.keys(exports)
  const closed = names.filter((entry) => exports[entry] === null).map((entry) => entry.slice("./".length, -"*".length))
  const modules = (await readdir(dist, { recursive: true }))
    .filter((file) => file.endsWith(".js") && !closed.some((start) => file.startsWith(start)))
    .map((file) => `${name}/${file.slice(0, -".js".length)}`)
  return names.flatMap((entry) => {
    if (exports[entry] === null) return []
    return entry === "./*" ? modules : [`${name}${entry.slice(1)}`]
  })
}
