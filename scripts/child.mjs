// Programs that the scripts start and wait for: with their output kept, or as if they had been called themselves.
import { spawn } from "node:child_process"
import { constants } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { readJson, root } from "./workspace.mjs"

/** @typedef {{ code: number, output: string }} Ended */
/** @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean }} RunOptions */

const forwarded = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])

/** The environment of everything that runs after the installation: its Node and its tools come first. */
export const withTools = () => ({
  ...process.env,
  PATH: [join(root, "node_modules", ".bin"), process.env.PATH ?? ""].join(delimiter)
})

/**
 * The environment of the installation itself, which must not run on the Node that it may replace, and which must say
 * why it fails even under "npm run -s".
 */
export const withoutTools = () => ({
  ...process.env,
  npm_config_loglevel: "error",
  PATH: (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== join(root, "node_modules", ".bin"))
    .join(delimiter)
})

/**
 * The script behind a tool's name, for Node to run.
 *
 * @param {string} dependency the package it comes in
 * @param {string} name
 * @param {string} user the folder of the package that depends on it
 */
export const tool = (dependency, name, user = root) => {
  const folder = join(user, "node_modules", dependency)
  return join(folder, readJson(join(folder, "package.json")).bin[name])
}

/**
 * How npm or npx is started. Windows has them as batch files, which only a shell could start, so Node runs their scripts,
 * which npm names to whatever it runs.
 *
 * @param {"npm" | "npx"} name
 * @param {ReadonlyArray<string>} args
 * @returns {[command: string, args: ReadonlyArray<string>]}
 */
export const npm = (name, args, platform = process.platform) => {
  const { npm_execpath, npm_node_execpath } = process.env
  if (platform !== "win32" || !npm_execpath || !npm_node_execpath) return [name, args]
  return [npm_node_execpath, [join(dirname(npm_execpath), `${name}-cli.js`), ...args]]
}

/**
 * Runs a program to its end. Its output is kept, both streams in one, unless `show` lets it through. A signal that arrives meanwhile ends the program, and then this script.
 *
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @param {RunOptions} [options]
 * @returns {Promise<Ended>}
 */
export const run = async (command, args, { cwd = root, env = withTools(), show = false } = {}) => {
  const child = spawn(command, [...args], { cwd, env, stdio: show ? "inherit" : ["ignore", "pipe", "pipe"] })
  const { code, output, interruption } = await waitFor(child)
  if (interruption) process.exit(exitCode(null, interruption))
  return { code, output }
}

/**
 * Does the work for each item, two at a time: as many as the smallest machines have cores.
 *
 * @template A
 * @param {ReadonlyArray<A>} items
 * @param {(item: A) => Promise<void>} work
 */
export const twoAtOnce = async (items, work) => {
  const queue = [...items]
  const workThrough = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next)
  }
  await Promise.all([workThrough(), workThrough()])
}

/**
 * Runs another program as if it had been called in place of this one: it has the terminal, gets every signal, and its
 * exit code is the one that the caller sees.
 *
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export const become = async (command, args, { cwd = root, env = withTools() } = {}) => {
  const { code } = await waitFor(spawn(command, [...args], { cwd, env, stdio: "inherit" }))
  process.exit(code)
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<Ended & { interruption: NodeJS.Signals | undefined }>}
 */
const waitFor = (child) =>
  new Promise((resolve, reject) => {
    /** @type {NodeJS.Signals | undefined} */
    let interruption
    const passOn = (/** @type {NodeJS.Signals} */ signal) => {
      interruption = signal
      // On Windows the console interrupts the child, too, and `kill` would not let it finish.
      if (process.platform !== "win32") child.kill(signal)
    }
    for (const signal of forwarded) process.on(signal, passOn)
    const watch = setInterval(() => {
      if (interruption === undefined && hasLostNpm()) passOn("SIGTERM")
    }, 200)
    /** @type {Array<Buffer>} */
    const chunks = []
    child.stdout?.on("data", (chunk) => chunks.push(chunk))
    child.stderr?.on("data", (chunk) => chunks.push(chunk))
    child.once("error", (error) => {
      clearInterval(watch)
      reject(error)
    })
    child.once("close", (code, signal) => {
      clearInterval(watch)
      for (const each of forwarded) process.off(each, passOn)
      resolve({ code: exitCode(code, signal), output: Buffer.concat(chunks).toString("utf8"), interruption })
    })
  })

/**
 * Whether the shell that npm starts this script by has ended. npm passes a signal to that shell alone, and most shells
 * end without passing it on.
 */
const hasLostNpm = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== parent

const parent = process.ppid

/**
 * What a shell would answer for a program that ended by itself or by a signal.
 *
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
const exitCode = (code, signal) => code ?? 128 + (signal ? constants.signals[signal] : 0)
