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

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status
