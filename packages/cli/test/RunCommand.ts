/** Runs the real command as a process of its own, from the sources, as a shell would. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"

const command = ["--conditions=@postcode/source", fileURLToPath(new URL("../src/main.ts", import.meta.url))]

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** Added to an environment without any variable of the command. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly cwd?: string
}

/** Runs the command to its end. */
export const run = async (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Ended> => {
  const child = start(args, options)
  child.stdin.on("error", () => {
    // A command that ends without reading its input leaves a broken pipe behind.
  })
  child.stdin.end(options.stdin ?? "")
  return await ended(child)
}

/** Starts the command without waiting for it. */
export const start = (args: ReadonlyArray<string>, { cwd, env }: RunOptions = {}): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [...command, ...args], { cwd, env: { ...bareEnvironment(), ...env } })

/** Runs the command with its standard output going into a file or a device. */
export const runInto = async (output: string, args: ReadonlyArray<string>): Promise<Ended> => {
  const redirect = ["-c", 'exec "$@" > "$0"', output, process.execPath, ...command, ...args]
  return await ended(spawn("sh", redirect, { env: bareEnvironment() }))
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

/** A folder of its own, gone once the test that asked for it is over. */
export const temporaryFolder = async (): Promise<AsyncDisposable & { readonly path: string }> => {
  const path = await mkdtemp(join(tmpdir(), "postcode-cli-"))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Writes files into a folder, which is made if it is not there. */
export const writeFiles = async (path: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> => {
  await mkdir(path, { recursive: true })
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content)
}

/** The smallest directory there is: one unit in Ikeja. */
export const smallDirectory = {
  "places.csv": "code,name,zone\nLA,Lagos,South West\nLA-12,Ikeja,\n",
  "units.csv": [
    "postcode,lat,lon,status,locality_name,recent_address,building_use_status,building_type,building_owner,delivery_point",
    'LA-12-A03-BG-07,6.6,3.35,active,Alausa,"1 Bank Road, Alausa",residential,,,true\n'
  ].join("\n")
}

/** Keeps what Node compiled: loading some hundred source files is most of the time that these tests take. */
export const compileCache = join(tmpdir(), "postcode-cli-compile-cache")

const bareEnvironment = (): Record<string, string> => {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(DATABASE_URL|POSTCODE_|npm_|INIT_CWD|FORCE_COLOR|NODE_OPTIONS|VITEST)/.test(name)
  )
  // Making the console of its sources, at each start, would take as long as loading all others.
  return {
    ...Object.fromEntries(inherited),
    POSTCODE_NO_CONSOLE: "true",
    NODE_COMPILE_CACHE: compileCache
  } as Record<string, string>
}
