/** Pages that a server without a DOM renders, and that React takes over in the browser. */
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { combobox, eventually, usePickers, valueIn } from "../picker/PickerPage.ts"
import { bundleReact } from "./bundleApp.ts"

const { open, service, site } = usePickers()

/** What a process of Node prints. */
const printed = async (program: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "postcode-server-"))
  const file = join(folder, "server.cjs")
  await writeFile(file, program)
  const { stdout } = await promisify(execFile)(process.execPath, [file])
  await rm(folder, { recursive: true })
  return stdout.trim()
}

const imports = `
import { createElement } from "react"
import { ServerCheckout } from "./serverCheckout.ts"
`

const takeOver = {
  "17": (app: string) => `import { hydrate } from "react-dom"
hydrate(${app}, document.getElementById("app"))`,
  "18": (app: string) => `import { hydrateRoot } from "react-dom/client"
hydrateRoot(document.getElementById("app"), ${app}, { onRecoverableError: (error) => console.error(String(error)) })`
}

describe.for(["17", "18", "19"] as const)("on a server, React %s", (version) => {
  it("renders the element with its attributes; the browser takes it over without a complaint, and it works", async () => {
    const settings = {
      gateway: service().gateway,
      platform: service().platform,
      publishableKey: site().key.secret
    }
    const app = `createElement(ServerCheckout, ${JSON.stringify(settings)})`
    const render = `${imports}import { renderToString } from "react-dom/server"\nconsole.log(renderToString(${app}))`
    const html = await printed(await bundleReact(version, render, "node"))
    const [, attributes = ""] =
      /^<form[^>]*><postcode-picker ([^>]*)><\/postcode-picker><output id="picked">none</.exec(html) ?? []
    const found = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])
    expect(Object.fromEntries(found)).toEqual({
      autocomplete: "postal-code",
      class: "field",
      gateway: settings.gateway,
      name: "postcode",
      platform: settings.platform,
      "publishable-key": settings.publishableKey,
      required: expect.stringMatching(/^(true)?$/),
      value: "LA-11"
    })
    site().app = await bundleReact(version, imports + takeOver[version === "17" ? "17" : "18"](app), "browser")
    site().body = `<div id="app">${html}</div>`
    const page = await open()
    await eventually(() => combobox(page).inputValue()).toBe("LA-11")
    const [postcode] = service().postcodes
    await combobox(page).fill(postcode)
    await page.keyboard.press("Enter")
    await eventually(() => page.locator("#picked").textContent()).toBe(postcode)
    expect(await valueIn(page)).toBe(postcode)
  })
})
