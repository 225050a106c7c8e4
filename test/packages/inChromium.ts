/** The installed packages, bundled for web pages and used in a real browser. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { sharedBrowser } from "../../packages/widget/test/Browser.ts"
import { listen } from "../../packages/widget/test/Listening.ts"
import { bundleExample, examplesOf, expectAnswers, type Place } from "./PackageExamples.ts"

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof sharedBrowser>>["newPage"]>>

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

    it.for(["@postcode/core", "@postcode/client"])(
      "the examples in the README of %s have the documented results",
      (name) => {
        const examples = examplesOf(place().installed.of(name)).filter(({ language }) => language === "ts")
        return expectAnswers(examples, async ({ code }) => (await opened(await bundleExample(code, place()))).shown)
      }
    )

    it("the example in the README of @postcode/widget is a working form field", async () => {
      const readme = await readFile(join(place().installed.of("@postcode/widget").folder, "README.md"), "utf8")
      const [, code = ""] = /^```js\n([\s\S]*?)^```$/m.exec(readme) ?? []
      expect(await opened(await bundleExample(code, place()))).toMatchObject({ shown: "", fields: ["postcode-picker"] })
    })

    /**
     * A page that takes the widget's script from another server, by its hash, under a policy that allows nothing else.
     *
     * @param script as the other server sends it
     */
    const withScript = async (script: string, act: (page: Page, requests: ReadonlyArray<string>) => Promise<void>) => {
      const { installed, service } = place()
      const dist = join(installed.of("@postcode/widget").folder, "dist")
      const integrity = JSON.parse(await readFile(join(dist, "integrity.json"), "utf8"))["postcode-widget.js"]
      const requests: Array<string> = []
      const cdn = await listen(({ url = "" }, response) => {
        requests.push(url)
        response.writeHead(200, { "content-type": "text/javascript", "access-control-allow-origin": "*" }).end(script)
      })
      const policy =
        `default-src 'none'; script-src '${integrity}'; connect-src ${service.url}; img-src data:; ` +
        "require-trusted-types-for 'script'; trusted-types 'none'"
      const site = await listen((_, response) => {
        response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy })
        response.end(`<!doctype html><html lang="fr"><head><link rel="icon" href="data:,">
<script src="${cdn.url}/postcode-widget.js" integrity="${integrity}" crossorigin="anonymous" defer></script></head>
<body><form><postcode-picker name="postcode" gateway="${service.url}"></postcode-picker></form></body></html>`)
      })
      const page = await browser.newPage()
      try {
        await page.goto(site.url)
        await act(page, requests)
      } finally {
        await Promise.all([page.close(), site.close(), cdn.close()])
      }
    }

    const builtScript = () =>
      readFile(join(place().installed.of("@postcode/widget").folder, "dist", "postcode-widget.js"), "utf8")

    it("one script tag with the hash is the whole picker, also in another language", async () => {
      await withScript(await builtScript(), async (page, requests) => {
        await page.getByRole("combobox").fill("la 11 b03 pd 01")
        await page.keyboard.press("Enter")
        await page.getByRole("button", { name: "Modifier" }).waitFor()
        expect(await page.evaluate("new FormData(document.forms[0]).get('postcode')")).toBe("LA-11-B03-PD-01")
        expect(requests).toEqual(["/postcode-widget.js"])
      })
    })

    it("a script with another hash does not run", async () => {
      await withScript(`${await builtScript()} `, async (page, requests) => {
        await expect.poll(() => requests.length).toBe(1)
        await page.waitForLoadState("load")
        expect(await page.evaluate("customElements.get('postcode-picker') === undefined")).toBe(true)
      })
    })

    it.for(["define", "bundle"])("importing @postcode/widget/%s defines the element", async (entry) => {
      const program = await bundleExample(`import "@postcode/widget/${entry}"`, place())
      expect(await opened(program)).toMatchObject({ shown: "", isDefined: true })
    })
  })
}
