// The examples, each run as a program the way its README says, but on the sources, so that nothing has to be built.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readJson, root } from "../scripts/workspace.mjs"

const examples = join(root, "examples")

it("every example is started by npm start and is tested here", () => {
  const names = readdirSync(examples)
  expect(names.map((name) => readJson(join(examples, name, "package.json")).scripts.start)).toEqual(
    names.map(() => "node main.ts")
  )
  // offline-search has a test file of its own.
  expect(names).toEqual(["embed-express", "embed-node-http", "offline-search", "offline-validation"])
})

describe("offline-validation", () => {
  it("prints the renderings of each postcode and exits 0", async () => {
    const { code, stdout } = await validate("la 12 a03 bg 07\nFC02B11XY40\n")
    expect({ code, lines: stdout.split("\n") }).toEqual({
      code: 0,
      lines: [
        "LA-12-A03-BG-07 | LA 12 A03 BG 07 | LA12A03BG07 | district LA-12-A03",
        "FC-02-B11-XY-40 | FC 02 B11 XY 40 | FC02B11XY40 | district FC-02-B11",
        ""
      ]
    })
  })

  it("says what is wrong with a malformed one and exits 1", async () => {
    const { code, stdout } = await validate("LA-1X-A03-BG-07\n")
    expect({ code, stdout }).toEqual({ code: 1, stdout: "malformed: lga: expected 2 digits at position 3\n" })
  })
})

describe.for(["embed-node-http", "embed-express"])("%s", (name) => {
  it("serves the app and the gateway on one port, and ends by itself at SIGTERM", async () => {
    const program = start(name, { PORT: "0" })
    try {
      const url = await listening(program)
      const app = await fetch(`${url}/`)
      expect(await app.text()).toMatch(/^This is the app\. The gateway is under \/v1/)

      const completed = await fetch(`${url}/v1/search/autocomplete?q=LA&limit=1`)
      expect(await completed.json()).toEqual({
        data: { segment: "lga", suggestions: [{ code: "01", label: "Agege" }] }
      })

      const segments = { state: "la", lga: "12", district: "a03", area: "bg", unit: "07" }
      const headers = { "content-type": "application/json" }
      const body = JSON.stringify(segments)
      const assembled = await fetch(`${url}/v1/assembly/assemble`, { method: "POST", headers, body })
      expect(await assembled.json()).toEqual({
        data: { postcode: "LA-12-A03-BG-07", display: "LA 12 A03 BG 07", compact: "LA12A03BG07" }
      })

      const missing = await fetch(`${url}/v1/nothing`)
      expect(missing.status).toBe(404)
      expect(await missing.json()).toMatchObject({ error: { code: "not_found" } })

      program.kill("SIGTERM")
      const [code] = await once(program, "exit")
      expect(code).toBe(0)
    } finally {
      program.kill("SIGKILL")
    }
  })
})

const start = (name: string, env: Readonly<Record<string, string>> = {}): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, ["--conditions=@postcode/source", "main.ts"], {
    cwd: join(examples, name),
    env: { ...process.env, ...env }
  })

const validate = async (lines: string) => {
  const program = start("offline-validation")
  let stdout = ""
  program.stdout.setEncoding("utf8").on("data", (chunk) => {
    stdout += chunk
  })
  program.stdin.end(lines)
  const [code] = await once(program, "close")
  return { code, stdout }
}

/** The address that a server prints once it listens. */
const listening = async (program: ChildProcessWithoutNullStreams): Promise<string> => {
  let output = ""
  for await (const chunk of program.stdout.setEncoding("utf8")) {
    output += chunk
    const url = /^listening on (\S+)\n/.exec(output)?.[1]
    if (url !== undefined) return url
  }
  throw new Error("The example ended before it listened.")
}
