// The scripts behind "npm start", "npm test" and "npm run …", as processes: what they print where, and how they end.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { npm } from "../../scripts/child.mjs"
import { root } from "../../scripts/workspace.mjs"

const child = join(root, "scripts", "child.mjs")

describe("a program that a script runs", () => {
  const become = (program: string, args: ReadonlyArray<string> = []) =>
    run([
      "--input-type=module",
      "--eval",
      `const { become } = await import(${JSON.stringify(child)})
      const args = ["--eval", ${JSON.stringify(program)}, "--", ...${JSON.stringify(args)}]
      await become(process.execPath, args, { cwd: ${JSON.stringify(join(root, "test"))}, env: process.env })`
    ])

  it("has its exit code passed to the caller", async () => {
    expect((await ended(become("process.exit(5)"))).code).toBe(5)
  })

  it("gets its arguments unchanged and has standard output to itself", async () => {
    const { stdout, stderr } = await ended(become("console.log(process.argv.slice(1).join('|'))", ["a b", "$HOME", ""]))
    expect({ stdout, stderr }).toEqual({ stdout: "a b|$HOME|\n", stderr: "" })
  })

  it("starts in the given folder", async () => {
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

describe("npm start", () => {
  it.for([
    { from: "a supervisor, which npm alone gets", stop: (npm: ChildProcess) => npm.kill("SIGTERM") },
    { from: "a terminal, which every process gets", stop: (npm: ChildProcess) => process.kill(-npm.pid!, "SIGINT") }
  ])("ends the service at a signal from $from", async ({ stop }) => {
    // Detached, as a process group of its own, which a terminal makes of each command.
    const npm = spawn("npm", ["start", "--", "--port", "0"], {
      cwd: root,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"]
    })
    npm.stdout.resume()
    let url = ""
    let said = ""
    for await (const chunk of npm.stderr.setEncoding("utf8")) {
      said += chunk
      if (url !== "") continue
      url = /^ready (\S+)$/m.exec(said)?.[1] ?? ""
      if (url === "") continue
      expect((await fetch(`${url}/v1/health/live`)).status).toBe(200)
      stop(npm)
    }
    // The stream has ended, so no process holds it any more.
    await expect(fetch(`${url}/v1/health/live`)).rejects.toThrow("fetch failed")
  })

  it("has the exit code of the service", async () => {
    const npm = spawn("npm", ["start", "--", "--port", "none"], { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
    expect((await ended(npm)).code).toBe(2)
  })
})

it("on Windows, npm and npx are started by their scripts, without a shell", () => {
  vi.stubEnv("npm_execpath", join("npm", "bin", "npm-cli.js"))
  vi.stubEnv("npm_node_execpath", "node.exe")
  expect(npm("npx", ["--yes"], "win32")).toEqual(["node.exe", [join("npm", "bin", "npx-cli.js"), "--yes"]])
  expect(npm("npx", ["--yes"], "linux")).toEqual(["npx", ["--yes"]])
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
