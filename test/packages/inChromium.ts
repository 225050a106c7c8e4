/** The installed packages, bundled for web pages and used in a real browser. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { sharedBrowser } from "../../packages/widget/test/Browser.ts"
import { listen } from "../../packages/widget/test/Listening.ts"
import { bundleExample, examplesOf, expectAnswers, type Place } from "./PackageExamples.ts"

export const inChromium = (place: () => Place): void => {
  describe("bundled for Chromium", () => {
    let browser: Awaited<ReturnType<typeof sharedBrowser>>
    beforeAll(async () => {
      browser = await sharedBrowser()
    })

    /** What a page with a form says on its console while it runs a program, and the fields that the form has then. */
    const opened = async (program: string) => {
      const site = await listen(({ url }, response) => {
        const [type, text] = url === "/program.js" ? ["text/javascript", program] : ["text/html", "<form></form>"]
        response.writeHead(200, { "content-type": type }).end(text)
      })
      const page = await browser.newPage()
      try {
        const lines: Array<string> = []
        page.on("console", (message) => lines.push(message.text()))
        await page.goto(site.url)
        await page.evaluate("import('/program.js')")
        const fields = await page.evaluate("Array.from(document.forms[0].elements, (field) => field.localName)")
        const isDefined = await page.evaluate("customElements.get('postcode-picker') !== undefined")
        return { shown: lines.join("\n"), fields, isDefined }
      } finally {
        await Promise.all([page.close(), site.close()])
      }
    }

    it.for(["@postcode/core", "@postcode/client"])("the examples in the README of %s answer what it says", (name) => {
      const examples = examplesOf(place().installed.of(name)).filter(({ language }) => language === "ts")
      return expectAnswers(examples, async ({ code }) => (await opened(await bundleExample(code, place()))).shown)
    })

    it("the example in the README of @postcode/widget is a field of its form", async () => {
      const readme = await readFile(join(place().installed.of("@postcode/widget").folder, "README.md"), "utf8")
      const [, code = ""] = /^```js\n([\s\S]*?)^```$/m.exec(readme) ?? []
      expect(await opened(await bundleExample(code, place()))).toMatchObject({ shown: "", fields: ["postcode-picker"] })
    })

    it.for(["define", "bundle"])("importing @postcode/widget/%s defines the element", async (entry) => {
      const program = await bundleExample(`import "@postcode/widget/${entry}"`, place())
      expect(await opened(program)).toMatchObject({ shown: "", isDefined: true })
    })
  })
}
