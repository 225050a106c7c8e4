/** The same page for every picker, and the time in a real browser until its field is usable. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { launchBrowser } from "../../packages/widget/test/Browser.ts"
import { firstScript, type Script } from "./bundleSubject.ts"

export type Browser = Awaited<ReturnType<typeof launchBrowser>>

export interface PickerPage {
  /** Loads the page as a new visitor. Returns milliseconds from the request of its script to the first usable field. */
  readonly firstUse_ms: () => Promise<number>
  readonly close: () => void
}

export const servePicker = async (browser: Browser, scripts: ReadonlyArray<Script>): Promise<PickerPage> => {
  const byPath = new Map(scripts.map(({ gzipped, name }) => [`/${name}`, gzipped]))
  const server = createServer((req, res) => {
    const script = byPath.get(req.url ?? "")
    // Requests to other hosts are blocked.
    res.setHeader("content-security-policy", "connect-src 'self'; script-src 'self' 'unsafe-inline'; font-src 'none'")
    res.setHeader("content-type", script === undefined ? "text/html; charset=utf-8" : "text/javascript; charset=utf-8")
    if (script !== undefined) res.setHeader("content-encoding", "gzip")
    res.end(script ?? html)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    firstUse_ms: () => firstUse(browser, url),
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

/** The timeout of a page. */
const timeout_ms = 30_000

/** `firstUse` requests the picker's script, and resolves with the milliseconds until a field is usable. */
const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Picker</title><script>
const elements = (root) =>
  [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot ? elements(element.shadowRoot) : [])])
const isUsable = (element) => {
  if (element.localName !== "input" || element.disabled || element.readOnly) return false
  if (element.getBoundingClientRect().width === 0) return false
  element.focus()
  return element.matches(":focus")
}
const firstUse = () => new Promise((resolve, reject) => {
  const script = document.createElement("script")
  script.type = "module"
  script.src = "/${firstScript}"
  const start_ms = performance.now()
  const look = () => {
    const isThere = elements(document).some(isUsable)
    const time_ms = performance.now() - start_ms
    if (isThere) resolve(time_ms)
    else if (time_ms > ${timeout_ms}) reject(new Error("there is no field that can be typed into"))
    else requestAnimationFrame(look)
  }
  script.onload = look
  script.onerror = () => reject(new Error("the script does not load"))
  document.head.append(script)
})
</script></head><body><h1>Delivery</h1><div id="field"></div></body></html>`

const firstUse = async (browser: Browser, url: string): Promise<number> => {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(url)
    return await page.evaluate<number>("firstUse()")
  } finally {
    await context.close()
  }
}
