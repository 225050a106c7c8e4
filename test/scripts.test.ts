// The scripts behind "npm start", "npm test" and "npm run …", as processes: what they print where, and how they end.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "../scripts/workspace.mjs"

const child = join(root, "scripts", "child.mjs")

/** The two ways in which a script ends as another program: Node 22.15 and later replace the process, older ones wait. */
const ways = [
  { way: "in place of the script", before: "" },
  { way: "beside the script, where Node cannot replace a process", before: "process.execve = undefined;" }
]

describe("a task", () => {
  it("that does not exist is named, with the list of those that do, and exits 2", async () => {
    const { code, stdout, stderr } = await ended(run([join(root, "scripts", "run.mjs"), "strat"]))
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(/no task called strat/)
    expect(stderr).toMatch(/npm start -- \[flags\]/)
  })
})

describe.for(ways)("a program that runs $way", ({ before }) => {
  const become = (program: string, args: ReadonlyArray<string> = []) =>
    run([
      "--input-type=module",
      "--eval",
      `${before}
      const { become } = await import(${JSON.stringify(child)})
      const args = ["--eval", ${JSON.stringify(program)}, "--", ...${JSON.stringify(args)}]
      await become(process.execPath, args, { cwd: ${JSON.stringify(join(root, "test"))}, env: process.env })`
    ])

  it("gives its exit code to the caller", async () => {
    expect((await ended(become("process.exit(5)"))).code).toBe(5)
  })

  it("gets its arguments as they are and owns standard output", async () => {
    const { stdout, stderr } = await ended(become("console.log(process.argv.slice(1).join('|'))", ["a b", "$HOME", ""]))
    expect({ stdout, stderr }).toEqual({ stdout: "a b|$HOME|\n", stderr: "" })
  })

  it("starts in the folder it was given", async () => {
    expect((await ended(become("console.log(process.cwd())"))).stdout.trim()).toBe(join(root, "test"))
  })

  it.for(["SIGINT", "SIGTERM"] as const)("gets %s and may finish its work", async (signal) => {
    const script = become(
      `process.once("${signal}", () => process.exit(42)); setInterval(() => {}, 1000); console.log("ready")`
    )
    const end = ended(script)
    await once(script.stdout!, "data")
    script.kill(signal)
    expect((await end).code).toBe(42)
  })
})

const run = (args: ReadonlyArray<string>) => spawn(process.execPath, [...args], { stdio: ["ignore", "pipe", "pipe"] })

const ended = async (script: ChildProcess) => {
  const output = { stdout: "", stderr: "" }
  script.stdout?.on("data", (chunk) => {
    output.stdout += chunk
  })
  script.stderr?.on("data", (chunk) => {
    output.stderr += chunk
  })
  const [code] = await once(script, "close")
  return { code, ...output }
}
