/** Who somebody is stays between the picker and the platform: neither a page nor a log has it. */
import { createHash } from "node:crypto"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { combobox, eventually, heard, identify, options, usePickers } from "./PickerPage.ts"
import { knownIdentifier, knownNin } from "./TestSite.ts"

const { open, service, site, written } = usePickers()

const people = [
  ["a NIN", knownNin],
  ["an email address", knownIdentifier]
] as const

it.for(people)("%s, its token and the key are not in the page after it is left, or in any log", async ([, who]) => {
  const page = await open()
  const { key, token } = await identified(page, who)
  expect(tracesIn(await everythingIn(page), [who, token])).toEqual([])
  await options(page).first().click()
  await eventually(() => service().recorded(site().key)).toHaveLength(1)
  expect(tracesIn(await everythingIn(page), [who, token])).toEqual([])
  site().body = ""
  await page.goto(`${site().origin}/?elsewhere`)
  expect(tracesIn(await everythingIn(page), [who, token, key])).toEqual([])
  expect(service().log.join()).toContain("widget.session")
  expect(tracesIn([...written(), ...service().log].join("\n"), [who, token, key])).toEqual([])
})

it.for(people)(
  "%s, its token and the key are in no message about a failure, to the page or in a log",
  async ([, who]) => {
    const page = await open()
    const { key, token } = await identified(page, who)
    service().unavailable.add("selections")
    await options(page).first().click()
    await eventually(() => heard(page)).toHaveLength(2)
    await service().revoke(site().key)
    await combobox(page).fill("la12a03bg07")
    await page.keyboard.press("Enter")
    await eventually(() => heard(page)).toHaveLength(4)
    service().unavailable.add("directory")
    await combobox(page).fill("la")
    await eventually(() => heard(page)).toHaveLength(5)
    expect(service().answers).toContain("search.autocomplete 500")
    expect(service().log.join()).toContain("the directory broke")
    const words = [JSON.stringify(await heard(page)), await everythingIn(page), ...written(), ...service().log]
    expect(tracesIn(words.join("\n"), [who, token])).toEqual([])
    expect(tracesIn([...written(), ...service().log].join("\n"), [key])).toEqual([])
  }
)

it("a removed picker leaves neither identifier nor token in the page's memory", async () => {
  const page = await open()
  const { token } = await identified(page, knownNin)
  expect(tracesIn(await memoryOf(page), [knownNin, token])).not.toEqual([])
  // Browsers hold the field that was typed into last, for a few seconds even after there is another one.
  await page.locator("postcode-picker").evaluate((picker) => {
    const another = document.createElement("input")
    picker.replaceWith(another)
    another.focus()
  })
  await page.keyboard.type("on")
  const traces = async () => tracesIn(await memoryOf(page), [knownNin, token])
  await expect.poll(traces, { interval: 500 }).toEqual([])
})

/** With a session whose bookmarks are there. */
const identified = async (page: Page, who: string) => {
  const answer = page.waitForResponse((response) => response.url().endsWith("/session"))
  await identify(page, who)
  await eventually(() => options(page).count()).toBe(2)
  const { data } = (await (await answer).json()) as { readonly data: { readonly token: string } }
  return { token: data.token, key: site().key.secret }
}

/** All that a script of the page could find: nodes, values, storage, history, addresses. */
const everythingIn = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const nodesOf = (root: ParentNode): ReadonlyArray<unknown> =>
      [...root.querySelectorAll("*")].flatMap((node) => [
        [...node.attributes].map(({ value }) => value),
        [...node.childNodes].map((child) => child.nodeValue),
        "value" in node ? node.value : "",
        Object.entries(node),
        node.shadowRoot ? nodesOf(node.shadowRoot) : ""
      ])
    return JSON.stringify([
      nodesOf(document),
      { ...localStorage },
      { ...sessionStorage },
      await indexedDB.databases(),
      await caches.keys(),
      [history.state, location.href, document.cookie, document.title, window.name],
      performance.getEntries().map(({ name }) => name)
    ])
  })

/** What is alive in the page's memory. */
const memoryOf = async (page: Page): Promise<string> => {
  const session = await page.context().newCDPSession(page)
  const chunks: Array<string> = []
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => chunks.push(chunk))
  await session.send("HeapProfiler.collectGarbage")
  await session.send("HeapProfiler.takeHeapSnapshot")
  await session.detach()
  return chunks.join("")
}

/** The secrets that a text holds, in whichever form. */
const tracesIn = (text: string, secrets: ReadonlyArray<string>): ReadonlyArray<string> =>
  secrets.filter((secret) => formsOf(secret).some((form) => text.toLowerCase().includes(form.toLowerCase())))

/** Plain, as a part of an address, in base64 wherever it may start, and as a bare hash. */
const formsOf = (secret: string): ReadonlyArray<string> => {
  const hash = createHash("sha256").update(secret).digest()
  const base64 = ["", "x", "xx"].map((before) =>
    Buffer.from(before + secret)
      .toString("base64")
      .slice(4, -4)
  )
  return [secret, encodeURIComponent(secret), ...base64, hash.toString("hex"), hash.toString("base64")]
}
