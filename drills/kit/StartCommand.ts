/** Starts the built command as a process of its own, as a shell would. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { requireBuilt } from "../../test/RequireBuilt.ts"
import { smallDirectory, temporaryFolder, writeFiles } from "./TemporaryFolder.ts"

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** Added to an environment without any variable of the command. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array
  readonly cwd?: string
}

/** Runs the command in a process of its own to its end. */
export const runProcess = async (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Ended> => {
  const child = start(args, options)
  child.stdin.on("error", () => {
    // A command that ends without reading its input leaves a broken pipe behind.
  })
  child.stdin.end(options.stdin ?? "")
  return await ended(child)
}

/** Starts the command without waiting for it. */
export const start = (args: ReadonlyArray<string>, { cwd, env }: RunOptions = {}): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [builtCommand(), ...args], { cwd, env: { ...processEnvironment(), ...env } })

/** Runs the command with its standard output going into a file or a device. */
export const runInto = async (output: string, args: ReadonlyArray<string>): Promise<Ended> => {
  const redirect = ["-c", 'exec "$@" > "$0"', output, process.execPath, builtCommand(), ...args]
  return await ended(spawn("sh", redirect, { env: processEnvironment() }))
}

/** Waits for the end of a process, with all that it wrote from now on. */
export const ended = async (child: ChildProcessWithoutNullStreams): Promise<Ended> => {
  const code = new Promise<number | null>((resolve) => child.once("close", resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, stdout, stderr }
}

/** Ends with the scope that uses it, if not before. */
export interface Service extends AsyncDisposable {
  readonly url: string
  /** All that it wrote to standard error so far. */
  readonly stderr: () => string
  /** What its first screen says of something, up to the next space: `live key`, `metrics`. */
  readonly shown: (name: string) => string
  readonly process: ChildProcessWithoutNullStreams
  /** Sends a signal and answers the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Starts `postcode serve` on a free port and waits until it answers. */
export const startService = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Promise<Service> => {
  const child = start(["serve", "--port", "0", ...args], { env })
  let stderr = ""
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve))
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr += chunk
      const ready = /^ready (\S+)\n/m.exec(stderr)
      if (ready !== null) resolve(ready[1] as string)
    })
    child.once("close", (code) => reject(new Error(`the service ended with ${code} before it was ready:\n${stderr}`)))
  })
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal)
    return closed
  }
  return {
    url,
    stderr: () => stderr,
    shown: (name) => {
      const [, value] = new RegExp(`^ {2}${name} +(\\S+)`, "m").exec(stderr) ?? []
      if (value === undefined) throw new Error(`the first screen has no ${name}:\n${stderr}`)
      return value
    },
    process: child,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop())
  }
}

/** The same on the smallest directory, which is read by the time that the service answers. */
export const serveSmallDirectory = async (
  args: ReadonlyArray<string> = [],
  env: Readonly<Record<string, string>> = {}
): Promise<Service> => {
  await using folder = await temporaryFolder()
  await writeFiles(folder.path, smallDirectory)
  return await startService(["--directory", folder.path, ...args], env)
}

/** The file of the built command. */
export const builtCommand = (): string => {
  requireBuilt(["@postcode/cli"])
  return fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url))
}

/** Keeps what Node compiled, which is most of the time of a start. */
const compileCache = join(tmpdir(), "postcode-cli-compile-cache")

/** The environment of a process of the command. */
export const processEnvironment = () => ({ ...bareEnvironment(), NODE_COMPILE_CACHE: compileCache })

/** Where the built command keeps the demonstration, for all tests. */
const cacheFolder = join(tmpdir(), "postcode-cli-cache")

/** The environment of this process without what would set the command up, such as profiles, or make it behave as under npm. */
export const bareEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      ...process.env,
      XDG_CONFIG_HOME: "/nowhere/of-the-tests",
      XDG_CACHE_HOME: cacheFolder
    }).filter(([name]) => !/^(DATABASE_URL|POSTCODE_|npm_|INIT_CWD|FORCE_COLOR|NODE_OPTIONS|VITEST)/.test(name))
  ) as Record<string, string>
