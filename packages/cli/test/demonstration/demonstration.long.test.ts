/** The page of the demonstration: failures, settings, the frame, accessibility, and other names and hosts. */
import { request } from "node:http"
import { startService } from "@postcode/drills/StartCommand"
import { describe, expect, it } from "vitest"
import { axe, violations } from "../../../widget/test/Axe.ts"
import { listen } from "../../../widget/test/Listening.ts"
import { expectText, pickBySearch, type Route, simulateFailure, useDemonstration } from "./DemonstrationPage.ts"

describe("the demonstration page", () => {
  const { open, service } = useDemonstration()

  it.each(["Bala", "Chidi"])("%s has no saved postcodes, and picks one by search", async (name) => {
    const page = await open()
    await page.getByRole("button", { name: new RegExp(`^${name}`) }).click()
    await expectText(page, "#where [part=status]", /No saved postcodes/)
    await pickBySearch(page)
  })

  it("follows its settings for language, direction, appearance and depth", async () => {
    const page = await open()
    await page.getByLabel("Language").selectOption("fr")
    await page.locator("#where").getByRole("button", { name: "Utiliser ma position" }).waitFor()
    await page.getByLabel("Language").selectOption("en")
    await page.getByLabel("Direction").selectOption("rtl")
    expect(await page.evaluate("getComputedStyle(document.querySelector('#where')).direction")).toBe("rtl")
    await page.getByLabel("Appearance").selectOption("dark")
    expect(await page.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("dark")
    await page.getByLabel("Ask until").selectOption("unit")
    await page.getByRole("button", { name: /^Amaka/ }).click()
    await page.getByRole("option", { name: /Home/ }).click()
    await expectText(page, "#log", /"lga": "Ikeja"/)
    await page.getByLabel("Ask until").selectOption("lga")
    await expectText(page, "#markup", /until="lga"/)
  })

  const failures = [
    ["401 invalid_api_key", /401 invalid_api_key: search and typing still work/],
    ["402 insufficient_credits", /402 insufficient_credits: search/],
    ["403 origin_not_allowed", /403 origin_not_allowed: search/],
    ["429 rate_limit_exceeded", /429 rate_limit_exceeded: search/],
    ["503 service_unavailable", /503 service_unavailable: search/]
  ] as const
  it.each(failures)("%s is a real answer of the service, and a search still works after it", async (name, said) => {
    const page = await open()
    const [code = ""] = name.split(" ")
    const answered = page.waitForResponse((response) => response.url().endsWith("/v1/widget/session"))
    await simulateFailure(page, name)
    expect((await answered).status()).toBe(Number(code))
    await expectText(page, "#scene", said)
    await expectText(page, "#log", new RegExp(`"status": ${code}`))
    await pickBySearch(page)
  })

  it("the button to start again after a failure uses a working key", async () => {
    const page = await open()
    await simulateFailure(page, "402")
    await expectText(page, "#scene", /402/)
    await page.getByRole("button", { name: "Start again" }).click()
    await page.locator("#scene").waitFor({ state: "hidden" })
    await page.getByRole("button", { name: /^Amaka/ }).click()
    await page.getByRole("option", { name: /Shop/ }).waitFor()
  })

  it.each(["Bala", "403 origin_not_allowed", "Start again"])(
    "a choice of %s while a failure is prepared replaces the failure",
    async (name) => {
      const page = await open()
      let hold = (_: Route): void => {}
      const held = new Promise<Route>((resolve) => {
        hold = resolve
      })
      await page.route(/q=LA$/, (route) => hold(route))
      let sessions = 0
      page.on("request", (request) => {
        if (request.url().endsWith("/v1/widget/session")) sessions++
      })
      await simulateFailure(page, "429")
      if (name.startsWith("403")) await simulateFailure(page, name)
      else await page.getByRole("button", { name }).click()
      const isChoice = name !== "Start again"
      await expect.poll(() => sessions).toBe(isChoice ? 1 : 0)
      const answered = page.waitForResponse(/q=LA$/)
      await (await held).continue()
      await answered
      // An answer that comes behind that one finds the page done with it.
      await page.evaluate("fetch('/demo/settings.json').then((response) => response.text())")
      expect(sessions).toBe(isChoice ? 1 : 0)
      const pressed = await page.locator("[aria-pressed=true]").allTextContents()
      expect(pressed).toEqual(isChoice ? [expect.stringMatching(`^${name}`)] : [])
    }
  )

  it("shows the hosted page in a frame, and the messages that it posts", async () => {
    const page = await open()
    await page.locator("#frame").scrollIntoViewIfNeeded()
    const frame = page.frameLocator("#frame")
    await frame.getByRole("combobox").fill("la11b03pd01")
    await frame.getByRole("combobox").press("Enter")
    await expectText(page, "#log", /Message from the embedded widget: select\s*\{\s*"version": 1,\s*"type": "select"/)
    const message = page.locator("#log li").filter({ hasText: "Message from the embedded widget: ready" })
    expect(await message.locator("pre").isVisible()).toBe(false)
    await message.getByText("Message from the embedded widget: ready").click()
    expect(await message.locator("pre").isVisible()).toBe(true)
  })

  it("its frame may use the location, follows the settings, and adds no entry to the browser's history", async () => {
    const page = await open({ permissions: ["geolocation"], geolocation: { latitude: 6.6, longitude: 3.3 } })
    const steps = await page.evaluate("history.length")
    await page.locator("#frame").scrollIntoViewIfNeeded()
    const frame = page.frameLocator("#frame")
    await frame.getByRole("button", { name: "Use a saved postcode" }).waitFor()
    for (const [language, name] of [
      ["fr", "Utiliser un code enregistré"],
      ["en", "Use a saved postcode"]
    ] as const) {
      await page.getByLabel("Language").selectOption(language)
      await frame.getByRole("button", { name, exact: true }).waitFor()
    }
    expect(await page.evaluate("history.length")).toBe(steps)
    await frame.getByRole("button", { name: "Use my location" }).click()
    await expect
      .poll(() => frame.getByRole("status").textContent())
      .toMatch(/^The nearest postcode|^1 suggestion|No postcode within/)
  })

  it("sends a working example of each endpoint, and shows its command and its credits", async () => {
    const page = await open()
    const endpoint = page.locator("#endpoint")
    const names = await endpoint.locator("option").allTextContents()
    const { paths } = (await (await fetch(`${service().url}/v1/openapi.json`)).json()) as { readonly paths: object }
    const described = Object.keys(paths).filter((path) => /^\/v1\/(?:assembly|lookup|reference|search)\b/.test(path))
    expect(names.map((name) => name.split(/[ :]/)[1]).toSorted()).toEqual(described.toSorted())
    for (const name of names) {
      await endpoint.selectOption(name)
      await page.getByRole("button", { name: "Send request" }).click()
      await expectText(page, "#answer-status", /^200 \d+ ms/)
      await expectText(page, "#answer", /^\{\s*"data": [[{]/)
    }
    await endpoint.selectOption(names.find((name) => name.startsWith("GET /v1/lookup")) ?? "")
    await page.getByLabel("level", { exact: true }).fill("2")
    await expectText(page, "#curl", /^curl 'http:.*\/v1\/lookup\?code=LA-11-B03-PD-01&level=2'.*x-api-key: svc_test_/s)
    await page.getByRole("button", { name: "Send request" }).click()
    await expectText(page, "#answer-status", /x-credits-charged: \d+ · x-credits-remaining: \d+/)
  })

  it("has a map whose states and LGAs are chosen by keyboard, and a table that does the same", async () => {
    const page = await open()
    await expectText(page, "#map-chosen", /^Nigeria: [\d,]+ units in 37 states/)
    const map = page.locator("#map")
    await map.locator("[tabindex='0']").focus()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    await expectText(page, "#map-chosen", /^Adamawa: [\d,]+ units in 21 local government areas/)
    await page.keyboard.press("Enter")
    await expectText(page, "#map-chosen", /^Demsa, AD-01: [\d,]+ units, [\d.]+ % of all/)
    await page.getByRole("button", { name: "Start again" }).click()
    expect(await map.locator("[aria-pressed=true]").count()).toBe(1)
    await map.locator("[aria-pressed=true]").focus()
    await page.keyboard.press("Escape")
    await expectText(page, "#map-chosen", /^Nigeria/)
    await page.locator("#map-rows").getByRole("button", { name: "Lagos" }).click()
    await expectText(page, "#map-chosen", /^Lagos/)
    const counts = await page.locator("#map-rows .number").allTextContents()
    const sum = counts.reduce((total, count) => total + Number(count.replaceAll(",", "")), 0)
    await expectText(page, "#map-chosen", new RegExp(`^Lagos: ${sum.toLocaleString("en")} units`))
  })

  it.each([360, 1280])("has no layout that moves while it loads, %s pixels wide", async (width) => {
    const page = await open({ viewport: { width, height: 800 } })
    await expectText(page, "#map-chosen", /^Nigeria/)
    await expectText(page, "#answer-status", /^200/)
    const shift = await page.evaluate(`new Promise((resolve) => {
      let sum = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += entry.hadRecentInput ? 0 : entry.value
      }).observe({ type: "layout-shift", buffered: true })
      requestAnimationFrame(() => setTimeout(() => resolve(sum)))
    })`)
    expect(shift).toBe(0)
  })

  it.each(["light", "dark"] as const)("is accessible, before and after a failure: %s", async (colorScheme) => {
    const page = await open({ colorScheme, viewport: { width: 360, height: 740 }, bypassCSP: true })
    await page.evaluate(axe)
    expect(await violations(page)).toEqual([])
    await simulateFailure(page, "402")
    await expectText(page, "#log", /"status": 402/)
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360)
  })

  it("works on a host name that its keys list, and links to such a name from any other", async () => {
    const { port } = new URL(service().url)
    const page = await open({}, `http://localhost:${port}`)
    expect(await page.locator("#elsewhere").isVisible()).toBe(false)
    await page.getByRole("button", { name: /^Amaka/ }).click()
    await page.getByRole("option", { name: /Home/ }).waitFor()
    const stranger = await open({}, `http://demonstration.localhost:${port}`)
    await stranger.locator("#elsewhere").getByRole("link").click()
    await stranger.waitForURL(`http://localhost:${port}/`)
  })

  it("works behind a proxy with another host name if the name is configured", async () => {
    const target = { url: "" }
    const front = await listen((req, res) => {
      const { headers, method, url } = req
      req.pipe(
        request(`${target.url}${url}`, { headers, method }, (answer) => {
          res.writeHead(answer.statusCode ?? 0, answer.headers)
          answer.pipe(res)
        })
      )
    })
    const told = await startService(["--gateway-url", front.url])
    try {
      target.url = told.url
      expect(told.stderr()).toContain(`Open ${front.url} in a browser`)
      const page = await open({}, front.url)
      expect(await page.locator("#elsewhere").isVisible()).toBe(false)
      await page.getByRole("button", { name: /^Amaka/ }).click()
      await page.getByRole("option", { name: /Home/ }).waitFor()
    } finally {
      await Promise.all([front.close(), told.stop()])
    }
  })

  it("with separate hosts on all addresses, finds the widget's endpoints through every worker", async () => {
    await using apart = await startService(["--platform-port", "0", "--host", "0.0.0.0"])
    const [address] = /(?<=Open )\S+/.exec(apart.stderr()) ?? []
    expect(address).toBe(apart.url.replace("0.0.0.0", "localhost"))
    const page = await open({}, address)
    await page.getByRole("button", { name: /^Amaka/ }).click()
    await page.getByRole("option", { name: /Home/ }).waitFor()
    await simulateFailure(page, "503")
    await expectText(page, "#scene", /503 service_unavailable/)
    await pickBySearch(page)
    const [platform] = /(?<=widget +)http\S+/.exec(apart.stderr()) ?? []
    expect((await fetch(`${platform}/`)).status).toBe(404)
  })
})
