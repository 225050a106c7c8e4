/** Which browser the tests of pages use. */
import { fileURLToPath } from "node:url"
import { describe, expect, it, vi } from "vitest"
import { launchBrowser } from "./Browser.ts"
import { packagedBrowser } from "./PackagedBrowser.ts"

describe("the browser", () => {
  it("is the configured one; if it does not start, tests fail with the command that installs one", async () => {
    vi.stubEnv("POSTCODE_CHROMIUM", "/nowhere/chromium")
    const failure = await launchBrowser().catch((error: unknown) => String(error))
    expect(failure).toMatch(/This command installs one: (sudo apt-get|brew) install /)
    expect(failure).toContain("/nowhere/chromium")
  })

  it("is the first one that starts, with libraries from npm for the one from npm", async () => {
    const onlyTalks = fileURLToPath(new URL("../../../scripts/child.mjs", import.meta.url))
    const missing = ["/nowhere/chromium", onlyTalks].map((executablePath) => () => ({ executablePath }))
    await using browser = await launchBrowser([...missing, packagedBrowser])
    const page = await browser.newPage()
    expect(await page.evaluate("navigator.userAgent")).toContain("HeadlessChrome")
  })
})
