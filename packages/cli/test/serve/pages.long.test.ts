/** The console, and the widget's page for WebViews and frames, as `postcode serve` answers them. */
import { join } from "node:path"
import { serveSmallDirectory } from "@postcode/drills/StartCommand"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { expect, it } from "vitest"
import { expectConsole } from "./ConsoleFiles.ts"

const embed = "/v1/widget/embed"

it("the console and all its files are served on the gateway's host only", async () => {
  await using served = await serveSmallDirectory(["--platform-port", "0"])
  await expectConsole(served)
  expect(served.shown("console").split("#join=")[0]).toBe(`${served.url}/console/`)
  // The widget's page has to know where browsers find the gateway.
  expect(await statusOf(`${served.shown("widget")}${embed}`)).toBe(404)
})

it("with --no-console the console is not served, and the widget's page is served on the platform's host only", async () => {
  const gateway = ["--gateway-url", "https://gateway.example"]
  await using served = await serveSmallDirectory(["--no-console", "--platform-port", "0", ...gateway])
  expect(await statusOf(`${served.url}/console/`)).toBe(404)
  expect(await statusOf(`${served.url}${embed}`)).toBe(404)
  const page = await fetch(`${served.shown("widget")}${embed}`)
  expect(page.status).toBe(200)
  expect(page.headers.get("content-security-policy")).toContain("connect-src 'self' https://gateway.example;")
})

it("the address of the console is printed even if an operator exists, and the widget's page is served with all its files", async () => {
  await using folder = await temporaryFolder()
  await writeFiles(folder.path, { password: "harmattan over kano" })
  await using served = await serveSmallDirectory([], {
    POSTCODE_ADMIN_EMAIL: "ada@people.example",
    POSTCODE_ADMIN_PASSWORD_FILE: join(folder.path, "password")
  })
  expect(served.shown("console")).toBe(`${served.url}/console/`)
  const page = await fetch(`${served.url}${embed}`)
  expect(page.status).toBe(200)
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(await page.text()).toMatch(/<script type="module">.{10000,}<\/script>/s)
})

it("an error links to its guide, in this version of the service, and only where the guides are", async () => {
  await using served = await serveSmallDirectory(["--platform-port", "0"])
  const provoked: ReadonlyArray<readonly [code: string, path: string, init?: RequestInit]> = [
    ["invalid_parameter", "/v1/lookup?code=LA&level=9"],
    [
      "invalid_body",
      "/v1/assembly/assemble",
      { method: "POST", body: "{", headers: { "content-type": "application/json" } }
    ],
    ["auth_required", "/v1/reference/states"],
    ["invalid_api_key", "/v1/lookup?code=LA", { headers: { "x-api-key": "none" } }],
    ["invalid_token", "/v1/admin/organizations", { headers: { authorization: "Bearer none" } }],
    ["not_found", "/v1/nothing"],
    ["method_not_allowed", "/v1/lookup", { method: "DELETE" }],
    [
      "unsupported_media_type",
      "/v1/assembly/assemble",
      { method: "POST", body: "x", headers: { "content-type": "text/xml" } }
    ]
  ]
  for (const [code, path, init] of provoked) {
    const response = await fetch(served.url + path, init)
    const { error } = (await response.json()) as { error: { code: string } }
    expect(error.code, path).toBe(code)
    const [, guide = ""] = /^<([^>]+)>; rel="help"$/.exec(response.headers.get("link") ?? "") ?? []
    const page = await fetch(served.url + guide)
    expect(page.status, guide).toBe(200)
    expect(await page.text()).toContain(`<h1>${code}</h1>`)
  }
  expect((await fetch(`${served.shown("widget")}/v1/nothing`)).headers.get("link")).toBe(null)
  expect(await statusOf(`${served.shown("widget")}/docs/`)).toBe(404)
  await using bare = await serveSmallDirectory(["--no-console"])
  expect((await fetch(`${bare.url}/v1/nothing`)).headers.get("link")).toBe(null)
  expect(await statusOf(`${bare.url}/docs/`)).toBe(404)
})

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status
