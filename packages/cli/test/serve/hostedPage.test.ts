/** The widget's page for WebViews and frames, as `postcode serve` answers it. */
import { describe, expect, it } from "vitest"
import { serveSmallDirectory } from "../StartCommand.ts"

describe("the widget's page", () => {
  it("is there, with all that it needs", async () => {
    await using served = await serveSmallDirectory()
    const page = await fetch(`${served.url}/v1/widget/embed`)
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(await page.text()).toMatch(/<script type="module">.{10000,}<\/script>/s)
  })

  it("is on the platform's host alone, and there only if it is told where browsers find the gateway", async () => {
    await using untold = await serveSmallDirectory(["--platform-port", "0"])
    expect(await statusOf(`${untold.shown("widget")}/v1/widget/embed`)).toBe(404)
    await using told = await serveSmallDirectory(["--platform-port", "0", "--gateway-url", "https://gateway.example"])
    expect(await statusOf(`${told.url}/v1/widget/embed`)).toBe(404)
    const page = await fetch(`${told.shown("widget")}/v1/widget/embed`)
    expect(page.headers.get("content-security-policy")).toContain("connect-src 'self' https://gateway.example;")
  })
})

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status
