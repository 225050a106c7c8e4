/** The hosted page in a real browser: its options, frames of pages, files, and what axe says of it. */
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { embedFiles } from "../../src/embed/files.ts"
import { axe, violations } from "../Axe.ts"
import { appViews } from "./AppViews.ts"
import { eventually, identify, problem, ready, status, told, useEmbed } from "./EmbedPage.ts"

const documentation = new URL("../../../../docs/embed.md", import.meta.url)

const { address, named, newPage, pick, selection, site } = useEmbed()

describe("options", () => {
  const wrong = [
    ["publishable-key=svc_live_0123456789abcdefghijklmnopqrstuvwxyzAB", "publishable-key: expected a publishable key"],
    ["publishable-key=", "publishable-key: expected a publishable key"],
    ["until=street", "until: expected one of state, lga, district, area, unit"],
    ["lang=de", "lang: expected one of en, fr, ha, ig, yo"],
    ["discover=yes", "discover: expected one of true"],
    ["theme=blue", "theme: expected one of light, dark"],
    ["value=LA", "value: expected a postcode"],
    ["label=", "label: expected 1 to 100 characters"],
    ["label=%20", "label: expected 1 to 100 characters"],
    ["label=a%0Ab", "label: expected 1 to 100 characters"],
    [`label=${"x".repeat(101)}`, "label: expected 1 to 100 characters"],
    ["lang=-fr", "lang: expected one of en, fr, ha, ig, yo"],
    ["lang=fr&lang=fr", "lang: expected once"],
    ["parent=https://shop.example", "parent: expected in a frame only"],
    ["parent=https://shop.example/", "parent: expected the origin"],
    ["parent=*", "parent: expected the origin"],
    ["gateway=https://evil.example", "gateway: there is no such option, only publishable-key, label, lang"],
    [`${"x".repeat(100)}=1`, "an option: there is no such option"],
    ["<img src=x>", "an option: there is no such option"]
  ] as const

  it("that are invalid are refused, and page and app get the valid values", async () => {
    const page = await newPage()
    await page.addInitScript(appViews[2]!.install)
    for (const [fragment, message] of wrong) {
      await page.goto("about:blank")
      await page.goto(`${site().service}/v1/widget/embed#${fragment}`)
      await eventually(() => page.getByRole("main").textContent()).toContain(message)
      expect((await told(page)).scriptMessageHandler).toEqual([problem("invalid_option", 0, message)])
      expect(await page.locator("postcode-picker").count()).toBe(0)
    }
    expect(site().answers).toEqual([])
  })

  it("discover opens the map, with the operator's streets in a frame of the service", async () => {
    const { newKey, point, service } = site()
    const key = await newKey([service])
    const page = await newPage({ permissions: ["geolocation"], geolocation: { ...point, accuracy: 20 } })
    await page.goto(address({ "publishable-key": key, discover: "true" }))
    await page.getByRole("button", { name: "Use my location" }).click()
    await page.getByRole("application").waitFor()
    await page.locator("iframe[part=streets].shown").waitFor({ timeout: 30_000 })
    expect(await page.locator("iframe[part=streets]").getAttribute("src")).toBe(`${service}/v1/widget/map`)
    await page.getByRole("button", { name: "Use this postcode" }).click()
    await eventually(() => page.getByRole("combobox").inputValue()).toBe(site().postcode.replaceAll("-", " "))
  })

  it("in the query are refused, because servers log it", async () => {
    const page = await newPage()
    await page.goto(`${site().service}/v1/widget/embed?lang=fr`)
    await eventually(() => page.getByRole("main").textContent()).toContain("after a #")
  })

  it("set language, label, theme, depth and value", async () => {
    const page = await newPage({ colorScheme: "light" })
    await page.addInitScript(appViews[4]!.install)
    await page.goto(address({ lang: "fr", label: "Où livrer ?", theme: "dark", until: "lga", value: "la 11" }))
    const combobox = page.getByRole("combobox", { name: "Où livrer ?" })
    expect(await combobox.inputValue()).toBe("LA 11")
    expect(await page.title()).toBe("Où livrer ?")
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      "rgb(19, 20, 23)"
    )
    expect(await page.locator("html").getAttribute("lang")).toBe("fr")
    expect(await status(page).textContent()).toContain("Saisissez")
    await combobox.fill("la 12")
    await combobox.press("Enter")
    await eventually(async () => (await told(page)).reactNative?.length).toBe(2)
    expect(JSON.parse(String((await told(page)).reactNative?.[1]))).toMatchObject({ selection: { postcode: "LA12" } })
  })

  it("that are missing follow the device's language and theme", async () => {
    const page = await newPage({ locale: "yo-NG", colorScheme: "dark" })
    await page.goto(address({}))
    await page.getByRole("combobox").waitFor()
    expect(await page.locator("html").getAttribute("lang")).toBe("yo")
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      "rgb(19, 20, 23)"
    )
  })

  it("accept a language with a region", async () => {
    const page = await newPage()
    await page.goto(address({ lang: "fr-CA" }))
    await page.getByRole("combobox", { name: "Code postal" }).waitFor()
    expect(await page.locator("html").getAttribute("lang")).toBe("fr")
  })

  it("that an app changes apply, even if the document stays the same", async () => {
    const page = await newPage()
    await page.goto(address({ label: "Home" }))
    await page.getByRole("combobox", { name: "Home" }).waitFor()
    await page.goto(address({ label: "Office" }))
    await page.getByRole("combobox", { name: "Office" }).waitFor()
  })
})

describe("in a frame", () => {
  const frameOf = (page: Page) => page.frameLocator("#frame")
  const heard = (page: Page) => page.evaluate(() => (window as unknown as { heard: ReadonlyArray<unknown> }).heard)
  const messages = async (page: Page) => {
    const all = (await heard(page)) as ReadonlyArray<{ readonly origin: string; readonly data: unknown }>
    expect(new Set(all.map(({ origin }) => origin))).toEqual(new Set(all.length === 0 ? [] : [site().service]))
    return all.map(({ data }) => data)
  }

  /** A page with the frame that keeps what it hears, and answers as the documentation says, or never. */
  const openFrame = async (
    at: string,
    source: string,
    { answers = true, attributes = "", prepare = async (_: Page) => {} } = {}
  ): Promise<Page> => {
    site().html = `<iframe id="frame" title="Postcode" width="360" height="480" ${attributes}></iframe><script>
      const frame = document.querySelector("iframe")
      window.heard = []
      addEventListener("message", ({ data, origin, source }) => {
        if (source !== frame.contentWindow) return
        heard.push({ data, origin })
        if (${answers} && data.type === "ready") source.postMessage({ version: 1, type: "start" }, origin)
      })
      frame.src = ${JSON.stringify(source)}
    </script>`
    const page = await newPage()
    await prepare(page)
    await page.goto(at)
    return page
  }

  it("posts each message once to the page around it, and none to an app", async () => {
    const prepare = async (page: Page) => {
      for (const { install } of appViews.slice(1)) await page.addInitScript(install)
    }
    const page = await openFrame(site().shop, address({ parent: site().shop }), { prepare })
    await pick(frameOf(page))
    await eventually(() => messages(page)).toEqual([ready, selection()])
    const frame = page.frames()[1]
    expect(Object.values((await frame?.evaluate(() => window.told)) ?? {}).flat()).toEqual([])
  })

  it("works with the example of the documentation", async () => {
    const [, listing = ""] = /```html\n([\s\S]*?)\n```/.exec(readFileSync(documentation, "utf8")) ?? []
    site().html = listing
      .replace("https://gateway.example", site().service)
      .replace("svc_pk_…", await site().newKey([site().shop]))
    const page = await newPage()
    const logged: Array<string> = []
    page.on("console", (message) => logged.push(message.text()))
    await page.goto(site().shop)
    const frame = page.frameLocator("#postcode")
    await identify(frame)
    await eventually(() => status(frame).textContent()).toBe("No saved postcodes. Please search.")
    await pick(frame)
    await eventually(() => logged).toEqual([site().postcode])
  })

  it("uses the key for the origin of the page around it", async () => {
    const key = await site().newKey([site().shop])
    const page = await openFrame(site().shop, address({ parent: site().shop, "publishable-key": key }))
    await identify(frameOf(page))
    await eventually(() => status(frameOf(page)).textContent()).toBe("No saved postcodes. Please search.")
    await pick(frameOf(page))
    await eventually(() => messages(page)).toEqual([ready, named()])
    const expected = ["widget.session 200", "widget.bookmarks 200", "widget.selected 200"]
    await eventually(() => site().answers).toEqual(expect.arrayContaining(expected))
  })

  it("of another site, the key is refused, even if it lists the page's own origin", async () => {
    const key = await site().newKey([site().shop, site().service])
    const page = await openFrame(site().evil, address({ parent: site().evil, "publishable-key": key }))
    await identify(frameOf(page))
    const refusal = problem("origin_not_allowed", 403, `not allowed on the origin ${site().evil}`)
    await eventually(() => messages(page)).toEqual([ready, refusal])
    await pick(frameOf(page))
    await eventually(() => messages(page)).toEqual([ready, refusal, selection()])
    expect(site().answers.filter((answer) => / 200$/.test(answer) && !answer.startsWith("search."))).toEqual([])
  })

  it("of a site that claims to be another one, the page shows, requests and sends nothing", async () => {
    const key = await site().newKey([site().shop])
    const source = address({ parent: site().shop, "publishable-key": key })
    const page = await openFrame(site().evil, source, { prepare: (page) => page.clock.install() })
    const frame = page.frames()[1]
    await frame?.waitForLoadState("networkidle")
    await page.evaluate((origin) => {
      const frame = document.querySelector("iframe")?.contentWindow
      for (const target of [origin, "*"]) frame?.postMessage({ version: 1, type: "start" }, target)
    }, site().service)
    await page.clock.runFor(5_000)
    await expect.poll(() => status(frameOf(page)).textContent()).toContain(`Waiting for an answer from ${site().shop}`)
    expect(await frameOf(page).locator("postcode-picker").count()).toBe(0)
    expect(await heard(page)).toEqual([])
    expect(site().answers).toEqual([])
  })

  it("starts only for the right message of the page around it, not for another window or message", async () => {
    const page = await openFrame(site().shop, address({ parent: site().shop }), { answers: false })
    await eventually(() => messages(page)).toEqual([ready])
    const popup = page.waitForEvent("popup")
    await page.evaluate(() => void open(location.href))
    await (await popup).evaluate((target) => {
      const frames = (window.opener as Window).frames
      frames[0]?.postMessage({ version: 1, type: "start" }, target)
    }, site().service)
    const say = (data: unknown) =>
      page.evaluate(
        ([data, target]) => document.querySelector("iframe")?.contentWindow?.postMessage(data, String(target)),
        [data, site().service]
      )
    for (const data of ["start", null, 1, { type: "start" }, { version: 2, type: "start" }, { version: 1 }]) {
      await say(data)
    }
    await page.frames()[1]?.evaluate(() => window.postMessage({ version: 1, type: "start" }, "*"))
    expect(await frameOf(page).locator("postcode-picker").count()).toBe(0)
    await say({ version: 1, type: "start" })
    await frameOf(page).getByRole("combobox").waitFor()
    await say({ version: 1, type: "start" })
    await pick(frameOf(page))
    await eventually(() => messages(page)).toEqual([ready, selection()])
  })

  it("without the option parent, the page shows the error; with it, the page around it gets other errors", async () => {
    const nobody = await openFrame(site().shop, address({}))
    await eventually(() => frameOf(nobody).getByRole("main").textContent()).toContain("parent: in a frame")
    expect(await heard(nobody)).toEqual([])
    const page = await openFrame(site().shop, address({ parent: site().shop, theme: "blue" }))
    await eventually(() => messages(page)).toEqual([problem("invalid_option", 0, "theme: expected one of")])
  })

  it("without an origin, the page reports what the sandbox has to allow", async () => {
    const attributes = 'sandbox="allow-scripts"'
    const page = await openFrame(site().shop, address({ parent: site().shop }), { attributes })
    await eventually(() => status(frameOf(page)).textContent()).toContain("sandbox: a frame of this page needs")
    const said = problem("invalid_option", 0, "allow-same-origin")
    expect(await heard(page)).toEqual([{ origin: "null", data: said }])
    expect(site().answers).toEqual([])
  })

  it("if one origin is both hosts, sessions and selections work as on one host", async () => {
    const key = await site().newKey([site().shop])
    const options = { parent: site().shop, "publishable-key": key }
    const page = await openFrame(site().shop, address(options, site().joined))
    await identify(frameOf(page))
    await eventually(() => status(frameOf(page)).textContent()).toBe("No saved postcodes. Please search.")
    await pick(frameOf(page))
    await eventually(async () => (await heard(page)) as ReadonlyArray<unknown>).toContainEqual({
      origin: site().joined,
      data: named()
    })
  })

  it("on a separate host, no key is sent to the other host, because the page cannot prove its origin there", async () => {
    const key = await site().newKey([site().shop, site().platform])
    const options = { parent: site().shop, "publishable-key": key }
    site().html = ""
    const page = await openFrame(site().shop, address(options, site().platform))
    await identify(frameOf(page))
    await eventually(() => status(frameOf(page)).textContent()).toBe("No saved postcodes. Please search.")
    await pick(frameOf(page))
    await eventually(() => heard(page)).toHaveLength(2)
    await eventually(() => site().answers).toContain("widget.selected 200")
    expect(site().answers.filter((answer) => answer.startsWith("lookup."))).toEqual([])
  })

  it("the header with the page's origin is refused from another origin", async () => {
    const key = await site().newKey([site().shop])
    site().html = ""
    const page = await newPage()
    await page.goto(site().evil)
    expect(await pretend(page, site().service, key)).toBe("403")
    await page.goto(site().evil.replace("127.0.0.1", "localhost"))
    expect(await pretend(page, site().reflecting, key)).toBe("403")
    expect(site().answers).toEqual(["widget.session 403", "widget.session 403"])
  })

  /** Starts a session in the name of the shop. */
  const pretend = (page: Page, service: string, key: string): Promise<string> =>
    page.evaluate(
      ([service, key, shop]) =>
        fetch(`${service}/v1/widget/session`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": key, "x-embedding-origin": shop },
          body: JSON.stringify({ identifier: "ada@example.com" })
        }).then(
          ({ status }) => String(status),
          () => "blocked"
        ),
      [service, key, site().shop] as const
    )
})

describe("the page's files", () => {
  it("have a strict policy, and are revalidated at each visit", async () => {
    const page = await fetch(`${site().service}/v1/widget/embed`)
    const policy = page.headers.get("content-security-policy")
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]{44}'; style-src 'sha256-[\w+/=]{44}'; img-src data:; connect-src 'self';/
    )
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
    expect(policy).not.toContain("unsafe")
    expect(page.headers.get("cache-control")).toBe("no-cache")
    expect(page.headers.get("etag")).not.toBe(null)
    expect(page.headers.get("x-content-type-options")).toBe("nosniff")
    expect(page.headers.get("referrer-policy")).toBe("same-origin")
    expect((await page.text()).match(/<\/?(?:script|style)\b/g)).toEqual(["<style", "</style", "<script", "</script"])
  })

  it("allow the gateway in the policy if it is another origin, and refuse an invalid origin", async () => {
    const page = await fetch(`${site().platform}/v1/widget/embed`)
    expect(page.headers.get("content-security-policy")).toContain(`connect-src 'self' ${site().service};`)
    const wrong = [
      ...["gateway.example", "https://gateway.example/", "https://a.example; script-src *", "data:", "ftp://a.example"],
      ...[
        'https://a"onload=b',
        "https://a;sandbox",
        "https://a,b",
        "https://a'b",
        "https://*.example",
        "http://[::1]:80"
      ]
    ]
    for (const gateway of wrong) {
      await expect(embedFiles({ gateway })).rejects.toThrow(
        "gateway: expected an origin such as https://gateway.example"
      )
    }
  })
})

describe("while builds of the service change", () => {
  it("the page is one file, and needs no chunk or language of its build", async () => {
    expect((await embedFiles()).map(({ path }) => path)).toEqual(["/v1/widget/embed"])
    const page = await newPage()
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(address({ lang: "ha", "publishable-key": await site().newKey([site().shop]) }))
    await page.getByRole("button", { name: "Yi amfani da lambar da aka adana" }).click()
    await page.getByLabel("NIN ko imel").fill("ada@example.com")
    await page.keyboard.press("Enter")
    await eventually(() => site().answers).toEqual(["widget.session 403"])
    await page.getByRole("combobox").fill(site().postcode)
    await page.getByRole("option").first().waitFor()
    expect(asked.filter((path) => !path.startsWith("/v1/search/"))).toEqual(["/v1/widget/embed", "/v1/widget/session"])
  })

  it("a page whose script does not load reports that after four seconds, and not earlier", async () => {
    const page = await newPage()
    await page.route("**/embed", async (route) => {
      const response = await route.fetch()
      const [body = ""] = (await response.text()).split("<script")
      await route.fulfill({ response, body })
    })
    // The while does not pass by itself.
    const devtools = await page.context().newCDPSession(page)
    await devtools.send("Animation.enable")
    await devtools.send("Animation.setPlaybackRate", { playbackRate: 0 })
    await page.goto(address({}))
    const message = page.getByText("The postcode field is loading")
    expect(await message.isVisible()).toBe(false)
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish()
    })
    expect(await message.isVisible()).toBe(true)
    expect(await status(page).textContent()).toContain("please try again later")
  })
})

describe("to the user", () => {
  it("the list of suggestions stays above the on-screen keyboard", async () => {
    const page = await newPage({ viewport: { width: 360, height: 380 } })
    await page.goto(address({}))
    await page.getByRole("combobox").fill("la")
    await page.getByRole("option").first().waitFor()
    const list = await page.getByRole("listbox").boundingBox()
    expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(380)
  })
})

it.each(["light", "dark"] as const)("the page is accessible: %s", async (colorScheme) => {
  const page = await newPage({ colorScheme, viewport: { width: 360, height: 640 }, bypassCSP: true })
  await page.goto(address({ "publishable-key": await site().newKey([]) }))
  await page.getByRole("combobox").waitFor()
  await page.addScriptTag({ content: axe })
  expect(await violations(page)).toEqual([])
  await page.getByRole("combobox").fill("l")
  await page.getByRole("option").first().waitFor()
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

it("an error in place of the picker is announced, and the page is accessible", async () => {
  const page = await newPage({ bypassCSP: true })
  await page.goto(address({ lang: "fr", theme: "blue" }))
  await eventually(() => status(page).textContent()).toContain("theme: expected one of")
  await page.addScriptTag({ content: axe })
  expect(await violations(page)).toEqual([])
})
