// A copy of the workspace that a test may break: sources and configuration copied, what is installed linked.
import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join, relative } from "node:path"
import { packages, root } from "../../scripts/workspace.mjs"

export type Source = { readonly file: string; readonly source: string }
export type Ended = { readonly code: number; readonly output: string }

const shared = [
  ".gitignore",
  "biome.json",
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "tsconfig.base.json"
]

/** Makes a copy to which `sources` are added, and answers its folder. It belongs to the caller, who removes it. */
export const makeCopy = async (sources: ReadonlyArray<Source>): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), "workspace-"))
  for (const name of shared) await cp(join(root, name), join(copy, name))
  for (const name of ["config", "scripts", "vectors"]) await cp(join(root, name), join(copy, name), { recursive: true })
  await symlink(join(root, "node_modules"), join(copy, "node_modules"))
  for (const one of packages().values()) await copyPackage(relative(root, one.folder), copy)
  for (const source of sources) await addSource(copy, source)
  return copy
}

/** Writes one more file into a copy, or another text into one that is there. */
export const addSource = async (copy: string, { file, source }: Source): Promise<void> => {
  await mkdir(dirname(join(copy, file)), { recursive: true })
  await writeFile(join(copy, file), source)
}

/** Runs Node in a folder to its end. `output` is what it wrote to standard output. */
export const runNode = (args: ReadonlyArray<string>, cwd: string): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [...args], { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
      resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 1, output: stdout })
    })
  })

const copyPackage = async (folder: string, copy: string) => {
  const wanted = (path: string) => !["node_modules", "dist", "test"].includes(basename(path))
  await cp(join(root, folder), join(copy, folder), { recursive: true, filter: wanted })
  await symlink(join(root, folder, "node_modules"), join(copy, folder, "node_modules"))
}
