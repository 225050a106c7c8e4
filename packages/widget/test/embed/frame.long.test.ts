import { describe, expect, it } from "vitest"
import { appViews } from "./AppViews.ts"
import { eventually, identify, problem, ready, status, told, useEmbed } from "./EmbedPage.ts"

const { address, complaints, named, newPage, pick, selection, site } = useEmbed()

describe("in the view of an app", () => {
  it.each(appViews)(
    "the page posts each message once to the existing interface: $name",
    async ({ install, name, takes }) => {
      const page = await newPage()
      await page.addInitScript(install)
      await page.goto(address({}))
      await pick(page)
      await eventually(async () => (await told(page))[name]?.length).toBe(2)
      const messages = (await told(page))[name] ?? []
      expect(messages.map((message) => typeof message)).toEqual([takes, takes])
      expect(messages.map((message) => (takes === "string" ? JSON.parse(String(message)) : message))).toEqual([
        ready,
        selection()
      ])
    }
  )

  it("the page posts to every existing interface, even if one of them throws", async () => {
    const page = await newPage()
    const [, ...others] = appViews
    for (const { install } of others) await page.addInitScript(install)
    await page.addInitScript(() => {
      const { ReactNativeWebView } = window as unknown as {
        ReactNativeWebView: { postMessage: (text: string) => void }
      }
      const { postMessage } = ReactNativeWebView
      ReactNativeWebView.postMessage = (text) => {
        postMessage(text)
        throw new Error("the app is going away")
      }
    })
    await page.goto(address({}))
    await pick(page)
    await eventually(async () => (await told(page)).scriptMessageHandler?.length).toBe(2)
    expect(Object.values(await told(page)).map((messages) => messages.length)).toEqual(others.map(() => 2))
    expect(complaints.splice(0)).toEqual(["Error: the app is going away", "Error: the app is going away"])
  })

  it("messages that are posted to the window have no effect", async () => {
    const page = await newPage()
    await page.addInitScript(appViews[0]!.install)
    await page.goto(address({}))
    await page.evaluate(() => window.postMessage({ version: 1, type: "start" }, "*"))
    await pick(page)
    await eventually(async () => (await told(page)).javascriptInterface?.length).toBe(2)
  })

  it("a key must list the page's own origin, because an app has none; otherwise the app gets an error", async () => {
    const page = await newPage()
    await page.addInitScript(appViews[4]!.install)
    await page.goto(address({ "publishable-key": await site().newKey([site().shop]) }))
    await identify(page)
    await eventually(async () => (await told(page)).reactNative?.length).toBe(2)
    expect(JSON.parse(String((await told(page)).reactNative?.[1]))).toEqual(
      problem("origin_not_allowed", 403, `not allowed on the origin ${site().service}`)
    )
    await pick(page)
    await eventually(async () => (await told(page)).reactNative?.length).toBe(3)
  })

  it("a session is started, a selection is recorded and has names, and the key is used for nothing else", async () => {
    const page = await newPage()
    await page.addInitScript(appViews[2]!.install)
    await page.goto(address({ "publishable-key": await site().newKey([site().service]) }))
    await identify(page)
    await eventually(() => status(page).textContent()).toBe("No saved postcodes. Please search.")
    await pick(page)
    await expect.poll(async () => (await told(page)).scriptMessageHandler?.[1]).toEqual(named())
    const expected = ["widget.session 200", "widget.bookmarks 200", "widget.selected 200"]
    await eventually(() => site().answers).toEqual(expect.arrayContaining(expected))
    expect(site().answers.filter((answer) => answer.startsWith("lookup."))).toEqual([])
  })

  it("a page on a host of its own finds the gateway on the other one", async () => {
    const page = await newPage()
    await page.addInitScript(appViews[4]!.install)
    const options = { "publishable-key": await site().newKey([site().platform]) }
    await page.goto(address(options, site().platform))
    await identify(page)
    await eventually(() => status(page).textContent()).toBe("No saved postcodes. Please search.")
    await page.getByRole("combobox").fill("la")
    await page.getByRole("option").first().waitFor()
    await pick(page)
    await eventually(async () => (await told(page)).reactNative?.length).toBe(2)
    expect(JSON.parse(String((await told(page)).reactNative?.[1]))).toEqual(named())
  })
})
