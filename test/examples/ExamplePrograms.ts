/** The examples as programs, started the way their READMEs say. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../../scripts/workspace.mjs"
import { requireBuilt } from "../RequireBuilt.ts"

export const examples = join(root, "examples")

/**
 * Starts an example.
 *
 * @param args behind `npm start --`
 */
export const startExample = (
  name: string,
  { args = [], env = {} }: { readonly args?: ReadonlyArray<string>; readonly env?: NodeJS.ProcessEnv } = {}
): ChildProcessWithoutNullStreams => {
  requireBuilt()
  return spawn(process.execPath, ["main.ts", ...args], {
    cwd: join(examples, name),
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...env }
  })
}

/** The address that a server prints once it listens. */
export const listening = async (program: ChildProcessWithoutNullStreams): Promise<string> => {
  let errors = ""
  program.stderr.setEncoding("utf8").on("data", (chunk) => {
    errors += chunk
  })
  let output = ""
  for await (const chunk of program.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    output += chunk
    const url = /^listening on (\S+)\n/.exec(output)?.[1]
    if (url !== undefined) return url
  }
  throw new Error(`The example ended before it listened.\n${errors}`)
}

/** What a program writes until it ends, and how it ends. */
export const ended = async (program: ChildProcessWithoutNullStreams, input = "") => {
  let stdout = ""
  let stderr = ""
  program.stdout.setEncoding("utf8").on("data", (chunk) => {
    stdout += chunk
  })
  program.stderr.setEncoding("utf8").on("data", (chunk) => {
    stderr += chunk
  })
  program.stdin.end(input)
  const [code] = await once(program, "close")
  return { code: code as number | null, stdout, stderr }
}

/** Tells a program to stop, and answers its exit code. */
export const stopped = async (program: ChildProcessWithoutNullStreams): Promise<number | null> => {
  const exit = once(program, "exit")
  program.kill("SIGTERM")
  const [code] = await exit
  return code as number | null
}

// All load the same modules: the first to do so leaves them compiled.
const compiled = mkdtempSync(join(tmpdir(), "examples-"))
process.once("exit", () => rmSync(compiled, { recursive: true, force: true }))
