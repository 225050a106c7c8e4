/**
 * The page that shows the interface, in a real browser: its policy lets it run its own scripts alone, and these
 * suffice.
 */

import { serveSmallDirectory } from "@postcode/drills/StartCommand"
import { expect, it } from "vitest"
import { sharedBrowser } from "../../../widget/test/Browser.ts"

it("the API reference shows the interface, runs only its own scripts, and violates no policy", async () => {
  await using service = await serveSmallDirectory()
  await using context = await (await sharedBrowser()).newContext()
  const page = await context.newPage()
  const refused: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error") refused.push(message.text())
  })
  page.on("pageerror", (error) => refused.push(error.message))
  const response = await page.goto(`${service.url}/v1/docs`)
  const policy = (await response?.headerValue("content-security-policy")) ?? ""
  expect(policy).toMatch(/script-src 'sha256-[^;]+' 'sha256-[^;]+';/)
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  await page.getByText("The national postcode system over HTTP").first().waitFor()
  await page.getByText("/v1/search/reverse").first().waitFor()
  expect(refused).toEqual([])
  await page.evaluate(`
    const script = document.createElement("script")
    script.textContent = "document.title = 'taken over'"
    document.body.append(script)
  `)
  expect(await page.title()).not.toBe("taken over")
  expect(refused.join()).toContain("Content Security Policy")
})
