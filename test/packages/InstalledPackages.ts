/** The published packages as others get them: packed, and installed by npm in an empty folder outside the workspace. */
import { readFileSync } from "node:fs"
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run, withTools } from "../../scripts/child.mjs"
import { packages, readJson, root } from "../../scripts/workspace.mjs"
import { examplesIn } from "../markdown/MarkdownExamples.ts"
import { commandsOf } from "../markdown/ShellCommands.ts"

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
  /** Installs one package in an empty folder. */
  readonly alone: (name: string) => Promise<AlonePackage>
  readonly remove: () => Promise<void>
}

export interface AlonePackage {
  /** Where npm installed it. */
  readonly folder: string
  /** Everything that npm installed, by its folder: `node_modules/@postcode/client`. */
  readonly installed: ReadonlyArray<string>
}

export const publishedNames = [...packages().values()]
  .filter(({ folder }) => (readJson(join(folder, "package.json")) as Manifest).private !== true)
  .map(({ name }) => name)

/** What the packages ask their users to bring, in the versions that the workspace has. */
const peers = ["@effect/vitest", "@types/node", "@types/pg", "@types/react", "react", "vitest"]

/**
 * Packs all packages and installs them together, by the commands of docs/getting-started.md. They belong to the caller. A
 * release that was packed already, into the folder that `POSTCODE_TARBALLS` names, is installed as it is.
 */
export const installPackages = async (): Promise<InstalledPackages> => {
  const place = await mkdtemp(join(tmpdir(), "installed-"))
  const [tarballs, folder, checkout] = [join(place, "packed"), join(place, "shop"), join(place, "checkout")]
  await mkdir(checkout)
  const [packing = "", ...others] = documentedCommands()
  const released = process.env.POSTCODE_TARBALLS
  if (released !== undefined) await symlink(released, tarballs)
  const pack = packing.replace("npm run pack --", `"${process.execPath}" "${packer}"`)
  if (released === undefined) await runIn(checkout, pack)
  await runIn(checkout, `${others.join("\n")} ${peers.map((name) => `${name}@${versionOf(name)}`).join(" ")}`)
  const all = await Promise.all(publishedNames.map((name) => findInstalled(name, folder, tarballs)))
  const of = (name: string): Installed => {
    const found = all.find(({ manifest }) => manifest.name === name)
    if (found === undefined) throw new Error(`${name} is not published`)
    return found
  }
  return {
    folder,
    all,
    of,
    alone: (name) => installAlone(join(place, "alone", name), of(name).tarball),
    remove: () => rm(place, { recursive: true, force: true })
  }
}

const installAlone = async (folder: string, tarball: string): Promise<AlonePackage> => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "package.json"), `{ "type": "module" }`)
  await runIn(folder, `npm install "${tarball}"`)
  const { packages: installed } = readJson(join(folder, "node_modules", ".package-lock.json"))
  return { folder, installed: Object.keys(installed) }
}

/** The first one packs, the last one installs. */
const documentedCommands = (): ReadonlyArray<string> => {
  const examples = examplesIn(readFileSync(join(root, "docs/getting-started.md"), "utf8"))
  const found = examples.find(({ code }) => code.startsWith("npm run pack -- "))
  if (found === undefined)
    throw new Error("docs/getting-started.md does not say how the packages are packed and installed")
  return commandsOf(found.code)
}

/** Runs what would run in a checkout in a folder that stands for one, so that nothing comes to lie beside the real one. */
const runIn = async (checkout: string, commands: string): Promise<void> => {
  const { code, output } = await run("sh", ["-e", "-c", commands], {
    cwd: checkout,
    // npm sets it where the tests run, and the packer reads its folder relative to it.
    env: { ...withTools(), ...npmFlags, INIT_CWD: checkout }
  })
  if (code !== 0) throw new Error(output)
}

const packer = join(root, "scripts", "pack.mjs")

/** Faster, and silent unless something is wrong. */
const npmFlags = {
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_ignore_scripts: "true",
  npm_config_prefer_offline: "true",
  npm_config_loglevel: "error"
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
