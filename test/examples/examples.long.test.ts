// The examples, each run as a program the way its README says.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readJson } from "../../scripts/workspace.mjs"
import { ended, examples, listening, startExample, stopped } from "./ExamplePrograms.ts"

/** Apps with a gateway in them. */
const apps = ["embed-express", "embed-fastify", "embed-hono", "embed-next", "embed-node-http"]
const testedHere = [...apps, "offline-validation"]
/** Those with test files of their own. */
const testedElsewhere = [
  "clean-csv",
  "custom-store",
  "offline-search",
  "offline-worker",
  "top-up",
  "widget-html",
  "widget-react",
  "widget-svelte",
  "widget-vue"
]

/** For programs in other languages; with tests of their own. */
const plugins = ["woocommerce"]

it("every example is started by npm start and is tested here", () => {
  const entries = readdirSync(examples, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(folders).toEqual(expect.arrayContaining(plugins))
  const names = folders.filter((name) => !plugins.includes(name))
  expect(names.map((name) => readJson(join(examples, name, "package.json")).scripts.start)).toEqual(
    names.map(() => "node main.ts")
  )
  expect([...testedHere, ...testedElsewhere].sort()).toEqual(names)
})

describe("offline-validation", () => {
  it("prints the formats of each postcode and exits 0", async () => {
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

  it("reports what is wrong with a malformed one and exits 1", async () => {
    const { code, stdout } = await validate("LA-1X-A03-BG-07\n")
    expect({ code, stdout }).toEqual({ code: 1, stdout: "malformed: lga: expected 2 digits at position 3\n" })
  })
})

describe.for(apps)("%s", (name) => {
  it("serves the app and the gateway on one port, and ends by itself at SIGTERM", async () => {
    const program = startExample(name, { env: { PORT: "0" } })
    try {
      const url = await listening(program)
      const app = await fetch(`${url}/`)
      expect(await app.text()).toMatch(/^This is the app\. The gateway is under \/v1/)

      const completed = await fetch(`${url}/v1/search/autocomplete?q=LA&limit=1`)
      expect(await completed.json()).toEqual({
        data: { segment: "lga", suggestions: [{ code: "01", label: "Agege", prefix: "LA-01", within: "Lagos" }] }
      })

      const segments = { state: "la", lga: "12", district: "a03", area: "bg", unit: "07" }
      const headers = { "content-type": "application/json" }
      const body = JSON.stringify(segments)
      const assembled = await fetch(`${url}/v1/assembly/assemble`, { method: "POST", headers, body })
      expect(await assembled.json()).toEqual({
        data: { postcode: "LA-12-A03-BG-07", display: "LA 12 A03 BG 07", compact: "LA12A03BG07" }
      })

      const tooLarge = await fetch(`${url}/v1/assembly/assemble`, {
        method: "POST",
        headers,
        body: body.padEnd(65_537)
      })
      expect(tooLarge.status).toBe(413)
      const metered = await fetch(`${url}/v1/lookup?code=LA-12-A03-BG-07`, { method: "HEAD" })
      expect(metered.status).toBe(405)
      const preflight = await fetch(`${url}/v1/assembly/assemble`, { method: "OPTIONS", headers: asked })
      expect(preflight.headers.get("access-control-allow-headers")).toBe("*, Authorization")

      const missing = await fetch(`${url}/v1/nothing`)
      expect(missing.status).toBe(404)
      expect(await missing.json()).toMatchObject({ error: { code: "not_found" } })

      expect(await stopped(program)).toBe(0)
    } finally {
      program.kill("SIGKILL")
    }
  })
})

/** What a browser asks before it sends a request across origins. */
const asked = {
  origin: "https://shop.example",
  "access-control-request-method": "POST",
  "access-control-request-headers": "content-type"
}

const validate = async (lines: string) => {
  const { code, stdout } = await ended(startExample("offline-validation"), lines)
  return { code, stdout }
}
