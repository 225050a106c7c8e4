/** The picker in pages of the kind that shops have: what the page does to it, to its list, and to its requests. */
import type { Locator, Page } from "playwright-core"
import { beforeEach, describe, expect, it } from "vitest"
import { useAddresses } from "./AddressPage.ts"
import { phone } from "./Hands.ts"
import {
  combobox,
  eventually,
  heard,
  options,
  saved,
  seen,
  settled,
  status,
  usePickers,
  valueIn
} from "./PickerPage.ts"
import { pickerHtml } from "./TestSite.ts"

const pickers = usePickers()
const { open, service, site } = pickers

const picker = (page: Page): Locator => page.locator("postcode-picker").first()

/** Keeps the events of pickers with the value at that time. */
const record = (page: Page) =>
  page.evaluate(() => {
    const told: Array<string> = []
    Object.assign(window, { told })
    for (const name of ["input", "postcode-select", "change"]) {
      addEventListener(name, ({ target }) => {
        const { id, localName, value } = target as HTMLInputElement
        if (localName === "postcode-picker") told.push(`${name} ${value}`)
        else told.push(`${name} #${id}`)
      })
    }
  })
const told = (page: Page) => page.evaluate(() => (window as unknown as { told: Array<string> }).told.splice(0))

/** Writes the value back at each `input`, as controlled components do. */
const echo = (page: Page) =>
  picker(page).evaluate((node) => {
    const field = node as HTMLInputElement
    field.addEventListener("input", () => {
      field.value = `${field.value}`
    })
    field.addEventListener("postcode-select", (event) => {
      field.value = (event as CustomEvent).detail.postcode
    })
  })

const code = "LA-12-A03-BG-07"

describe("a page that writes the value back", () => {
  it("takes no event, no character and no confirmation", async () => {
    site().body = `<form>${pickerHtml(site(), 'fill="state:#state"', "none")}<input id="state"></form>`
    const page = await open()
    await record(page)
    await echo(page)
    const box = combobox(page).and(page.locator("[part=input]"))
    await box.pressSequentially("la12a03bg07")
    await page.keyboard.press("Enter")
    await eventually(() => heard(page)).toMatchObject([{ formatted: code }])
    await eventually(() => page.locator("#state").inputValue()).toBe("Lagos")
    await seen(page.locator("[part=place]")).toMatch(/, Lagos$/)
    expect((await told(page)).filter((event) => !event.includes("#")).slice(-3)).toEqual([
      `input ${code}`,
      `postcode-select ${code}`,
      `change ${code}`
    ])
    await page.getByRole("button", { name: "Change" }).click()
    await page.keyboard.press("End")
    await page.keyboard.press("Backspace")
    expect(await box.inputValue()).toBe("LA 12 A03 BG 0")
  })

  it("wipes no text by setting the value that the picker has", async () => {
    site().body = pickerHtml(site(), "", "none")
    const page = await open()
    await combobox(page).fill("ikej")
    await picker(page).evaluate((node) => {
      const field = node as HTMLInputElement
      for (const value of [field.value, "", null, undefined]) Object.assign(field, { value })
    })
    expect(await combobox(page).inputValue()).toBe("ikej")
    await eventually(() => options(page).count()).toBe(1)
  })
})

describe("a change of the value by the user", () => {
  it("is reported by input and then change, as by <select>", async () => {
    site().body = pickerHtml(site(), 'until="lga"', "none")
    const page = await open()
    await record(page)
    await combobox(page).fill("ikej")
    await options(page).first().click()
    await eventually(() => told(page)).toEqual(["input ", "input LA-11", "postcode-select LA-11", "change LA-11"])
    await page.getByRole("button", { name: "Change" }).click()
    await combobox(page).fill("la 12")
    await page.keyboard.press("Enter")
    await eventually(() => heard(page)).toHaveLength(2)
    expect(await told(page)).toEqual(["input LA-12", "postcode-select LA-12", "change LA-12"])
  })

  it("is reported if a place of the list takes the selection's place", async () => {
    site().body = pickerHtml(site(), `value="${code}"`, "none")
    const page = await open()
    await record(page)
    await page.getByRole("button", { name: "Change" }).click()
    await combobox(page).fill("")
    await options(page).first().click()
    expect(await told(page)).toEqual(["input "])
  })
})

const isSeen = (locator: Locator) =>
  locator.evaluate((node) => {
    const { height, left, top, width } = node.getBoundingClientRect()
    const root = node.getRootNode() as ShadowRoot
    const [x, y] = [left + width / 2, top + height / 2]
    const isInside = y > 0 && y < (visualViewport?.height ?? 0)
    return isInside && node.contains(root.elementFromPoint(x, y))
  })

/** The options that a person sees without scrolling. */
const seenOptions = async (page: Page): Promise<number> => {
  await eventually(() => options(page).count()).toBeGreaterThan(4)
  let seen = 0
  for (const option of await options(page).all()) if (await isSeen(option)) seen++
  return seen
}

describe("the list is seen", () => {
  const places: Readonly<Record<string, readonly [before: string, after: string]>> = {
    "in a card that hides what overflows": ['<div id="card">', "</div>"],
    "in a modal dialog": ["<dialog>", "<p>Close</p></dialog>"],
    "at the window's lower edge": ['<div id="gap"></div>', ""],
    "above a fixed bar": ['<div id="gap"></div>', '<div id="bar">Buy</div>'],
    "in a moved box with a stacking context below another one": ['<div id="moved">', '</div><div id="over"></div>']
  }
  const css = `#card { overflow: hidden; block-size: 130px; inline-size: 340px } dialog { inline-size: 340px }
    #gap { block-size: 560px } #bar { position: fixed; inset: auto 0 0; z-index: 9999; block-size: 60px; background: red }
    #moved { transform: translateX(3px); position: relative; z-index: 0 } body { min-block-size: 100vh; margin: 8px }
    #over { position: relative; z-index: 5; background: pink; block-size: 400px }`

  it.for(Object.entries(places))("%s", async ([, [before, after]]) => {
    site().body = `${before}${pickerHtml(site(), "", "none")}${after}`
    for (const context of [{ viewport: { width: 1000, height: 720 } }, phone]) {
      const page = await open(context)
      await page.evaluate((css) => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(css)
        document.adoptedStyleSheets.push(sheet)
        document.querySelector("dialog")?.showModal()
      }, css)
      await combobox(page).click()
      expect(await seenOptions(page)).toBeGreaterThanOrEqual(4)
      const [field, list] = [combobox(page), page.getByRole("listbox")]
      const [a, b] = [(await field.boundingBox())!, (await list.boundingBox())!]
      const gap = b.y > a.y ? b.y - a.y - a.height : a.y - b.y - b.height
      expect(gap).toBeGreaterThanOrEqual(0)
      expect(gap).toBeLessThanOrEqual(60)
      await options(page).nth(1).click()
      await eventually(() => combobox(page).inputValue()).not.toBe("")
    }
  })
})

describe("a root font of 62.5 %", () => {
  it("leaves text of 16 px in the field, and 44 px to touch", async () => {
    const page = await open(phone)
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync("html { font-size: 62.5% } body { font-size: 1.6rem }")
      document.adoptedStyleSheets.push(sheet)
    })
    await combobox(page).click()
    await eventually(() => options(page).count()).toBeGreaterThan(4)
    const size = (locator: Locator) => locator.evaluate((node) => Number.parseFloat(getComputedStyle(node).fontSize))
    expect(await size(combobox(page))).toBeGreaterThanOrEqual(16)
    expect(await size(options(page).first())).toBeGreaterThanOrEqual(16)
    for (const target of [combobox(page), options(page).first(), page.getByRole("button").first()]) {
      expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    }
  })
})

describe("the room that it takes", () => {
  /** How far its lower edge is below the last thing in it that a person sees, in pixels. */
  const strip = (page: Page) =>
    picker(page).evaluate((host) => {
      const nodes = [...(host.shadowRoot?.querySelectorAll<HTMLElement>("input, button, p, span, li") ?? [])]
      const isSeen = (node: HTMLElement) =>
        node.checkVisibility() && !node.textContent?.match(/^$/) && getComputedStyle(node).clipPath === "none"
      const seen = nodes.filter((node) => isSeen(node) || (node.localName === "input" && node.checkVisibility()))
      const lowest = Math.max(...seen.map((node) => node.getBoundingClientRect().bottom))
      return host.getBoundingClientRect().bottom - lowest
    })

  it("ends with what is seen, before and after a selection", async () => {
    site().body = `<form>${pickerHtml(site(), "", "none")}</form>`
    const page = await open(phone)
    expect(await strip(page)).toBeLessThanOrEqual(4)
    await combobox(page).fill("la12a03bg07")
    await page.keyboard.press("Enter")
    await seen(page.locator("[part=place]")).toMatch(/Lagos/)
    expect(await strip(page)).toBeLessThanOrEqual(4)
    await picker(page).evaluate((node) => Object.assign(node, { value: "LA-12-A03-BG-08" }))
    expect(await strip(page)).toBeLessThanOrEqual(4)
    await page.getByRole("button", { name: "Change" }).tap()
    await page.getByRole("button", { name: "My address is not listed" }).tap()
    await page.getByLabel("Landmark nearby").waitFor()
    // The form has a border and a padding.
    expect(await strip(page)).toBeLessThanOrEqual(16)
  })

  it("has the width of the field that it replaces, also of its list", async () => {
    site().body = `<div id="column"><input id="native">${pickerHtml(site(), "", "none")}</div>`
    const page = await open({ viewport: { width: 1280, height: 720 } })
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync("#column { inline-size: 700px } #native { inline-size: 100%; box-sizing: border-box }")
      document.adoptedStyleSheets.push(sheet)
    })
    await combobox(page).click()
    await eventually(() => options(page).count()).toBeGreaterThan(0)
    const boxes = [page.locator("#native"), combobox(page), page.locator("[part=drop]")].map((node) =>
      node.boundingBox()
    )
    const [native, field, list] = await Promise.all(boxes)
    for (const other of [field, list]) expect([other?.x, other?.width]).toEqual([native?.x, native?.width])
    expect((list?.y ?? 0) - (field?.y ?? 0) - (field?.height ?? 0)).toBeLessThanOrEqual(4)
  })
})

/** WCAG's contrast of a node's text with its background, or with that of the page. */
const contrast = (locator: Locator) =>
  locator.evaluate((node) => {
    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!
    const luminance = (colour: string) => {
      context.fillStyle = colour
      context.fillRect(0, 0, 1, 1)
      const [r = 0, g = 0, b = 0] = [...context.getImageData(0, 0, 1, 1).data].map((value) =>
        value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4
      )
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const { backgroundColor, color } = getComputedStyle(node)
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches
    const around = isDark ? "#121212" : "#fff"
    const behind = backgroundColor === "rgba(0, 0, 0, 0)" ? around : backgroundColor
    const [a = 0, b = 0] = [luminance(color), luminance(behind)].sort((a, b) => b - a)
    return (a + 0.05) / (b + 0.05)
  })

describe("an accent of the page", () => {
  it.for(["#0a6b3d", "#ffcc00", "#d0021b", "#7aa7ff"])(
    "%s is readable as fill and as text, light and dark",
    async (accent) => {
      site().body = `<form>${pickerHtml(site(), "", "none")}</form>`
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await open({ colorScheme })
        await picker(page).evaluate(
          (node, accent) => (node as HTMLElement).style.setProperty("--pc-accent", accent),
          accent
        )
        await page.getByRole("button", { name: "My address is not listed" }).click()
        for (const button of ["Use this address", "Search instead"]) {
          expect(await contrast(page.getByRole("button", { name: button }))).toBeGreaterThanOrEqual(4.5)
        }
      }
    }
  )
})

describe("requests with the headers of a tracing library", () => {
  it("find suggestions", async () => {
    const page = await open()
    await page.evaluate(() => {
      const { fetch } = window
      window.fetch = (url, init) => {
        const headers = new Headers(init?.headers)
        headers.set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        headers.set("baggage", "shop=1")
        return fetch(url, { ...init, headers })
      }
    })
    await combobox(page).fill("ikeja")
    await eventually(() => options(page).count()).toBeGreaterThan(0)
    expect(await heard(page)).toEqual([])
  })
})

describe("as a form control", () => {
  it("readonly keeps the value, opens no list, and takes part in the form without validation", async () => {
    site().body = `<form>${pickerHtml(site(), `name="p" readonly required value="${code}"`, "none")}</form>`
    const page = await open()
    await combobox(page).click()
    await page.keyboard.type("x")
    await page.keyboard.press("Backspace")
    await page.keyboard.press("ArrowDown")
    await settled(page)
    expect(await options(page).count()).toBe(0)
    expect(await valueIn(page)).toBe(code)
    expect(await combobox(page).getAttribute("readonly")).not.toBeNull()
    expect(await page.getByRole("button").filter({ visible: true }).count()).toBe(0)
    await picker(page).evaluate((node) => Object.assign(node, { readOnly: false }))
    await page.getByRole("button", { name: "Change" }).click()
    await page.keyboard.press("Delete")
    expect(await valueIn(page)).toBe("")
  })

  it("Enter submits its form, but not while the list has an active option or a selection is to be confirmed", async () => {
    site().body = `<form>${pickerHtml(site(), 'name="p"', "none")}<button>Order</button></form>`
    const page = await open()
    await page.evaluate(() => {
      const sent: Array<string> = []
      Object.assign(window, { sent })
      document.querySelector("form")?.addEventListener("submit", (event) => {
        event.preventDefault()
        sent.push(String(new FormData(event.target as HTMLFormElement).get("p")))
      })
    })
    const sent = () => page.evaluate(() => (window as unknown as { sent: Array<string> }).sent.splice(0))
    await combobox(page).fill("la12a03bg07")
    await page.keyboard.press("Enter")
    expect(await sent()).toEqual([])
    await page.keyboard.press("Enter")
    // What submits is loaded at the first focus.
    await eventually(sent).toEqual([code])
  })

  it("takes placeholder, autocomplete, description, focus and a custom validity of the page", async () => {
    site().body = `<p id="help">Ask the guard</p><form>${pickerHtml(
      site(),
      'placeholder="e.g. Ikeja" autocomplete="shipping postal-code" aria-describedby="help" autofocus',
      "none"
    )}</form>`
    const page = await open()
    await eventually(() => page.evaluate(() => document.activeElement?.localName)).toBe("postcode-picker")
    expect(await combobox(page).getAttribute("placeholder")).toBe("e.g. Ikeja")
    expect(await combobox(page).getAttribute("autocomplete")).toBe("shipping postal-code")
    const described = combobox(page).evaluate((node) =>
      node.ariaDescribedByElements?.map((element) => element.textContent).join(" ")
    )
    expect(await described).toContain("Ask the guard")
    const isValid = (message: string) =>
      picker(page).evaluate((node, message) => {
        const field = node as HTMLInputElement
        field.setCustomValidity(message)
        return [field.validity.customError, field.validationMessage, field.form?.checkValidity()]
      }, message)
    expect(await isValid("We do not deliver there")).toEqual([true, "We do not deliver there", false])
    expect(await isValid("")).toEqual([false, "", true])
  })

  it("resets the text styles that it would inherit from the page", async () => {
    const page = await open()
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(
        "body { text-transform: uppercase; letter-spacing: 4px; text-align: center; line-height: 0; white-space: nowrap;" +
          " word-spacing: 9px; text-indent: 40px; font-style: italic; cursor: none; user-select: none }"
      )
      document.adoptedStyleSheets.push(sheet)
    })
    await combobox(page).fill("ikeja")
    const styles = (locator: Locator) =>
      locator.evaluate((node) => {
        const { cursor, letterSpacing, textAlign, textIndent, textTransform, wordSpacing } = getComputedStyle(node)
        return [textTransform, letterSpacing, wordSpacing, textIndent, textAlign, cursor]
      })
    expect((await styles(options(page).first())).slice(0, 5)).toEqual(["none", "normal", "0px", "0px", "start"])
    expect(await styles(status(page))).toEqual(["none", "normal", "0px", "0px", "start", "auto"])
  })

  it("confirms a pasted code with its LGA and state, also after going back to the page", async () => {
    const [postcode] = service().postcodes
    site().body = `<form>${pickerHtml(site(), 'name="p"', "none")}</form>`
    const page = await open()
    await combobox(page).fill(postcode)
    await page.keyboard.press("Enter")
    const place = page.locator("[part=place]")
    await seen(place).toMatch(/^.+, .+$/)
    const before = await place.textContent()
    await page.goto(`${site().origin}/?elsewhere`)
    await page.goBack()
    await seen(page.locator("[part=place]")).toBe(before)
  })
})

describe("the problem of a request", () => {
  it("says its message as JSON", async () => {
    const page = await open()
    const json = page.evaluate(
      () =>
        new Promise((resolve) =>
          addEventListener("postcode-problem", (event) =>
            resolve(JSON.parse(JSON.stringify((event as CustomEvent).detail)))
          )
        )
    )
    await page.route(/autocomplete/, (route) => route.fulfill({ status: 500, body: "{}" }))
    await combobox(page).fill("ikeja")
    expect(await json).toEqual({ status: 500, code: "unexpected_answer", message: expect.any(String) })
  })
})

describe("two pickers of a page", () => {
  const addresses = useAddresses(pickers)
  beforeEach(() => addresses.useKey({}))

  it("share one session of a visitor with ten re-rendered successors: one credit in the ledger", async () => {
    site().body = pickerHtml(site(), 'label="Shipping"') + pickerHtml(site(), 'label="Billing"')
    const page = await open()
    for (const label of ["Shipping", "Billing"]) {
      await page.getByRole("combobox", { name: label }).fill("12 Allen Avenue, Ikeja")
      await eventually(() => options(page).filter({ hasText: "12 Allen" }).count()).toBe(1)
      await page.keyboard.press("Escape")
    }
    for (let time = 0; time < 10; time++) {
      await page.evaluate(() => {
        const [first] = document.querySelectorAll("postcode-picker")
        first?.replaceWith(first.cloneNode())
      })
      await page.getByRole("combobox", { name: "Shipping" }).fill("12 Allen Avenue, Ikeja")
      await eventually(() => options(page).filter({ hasText: "12 Allen" }).count()).toBe(1)
      await page.keyboard.press("Escape")
    }
    expect(service().answers.filter((answer) => answer === "widget.session 200")).toHaveLength(1)
    expect(service().answers.filter((answer) => answer === "widget.address 200")).toHaveLength(12)
    expect(await service().charges(site().key)).toEqual([-1])
  })
})

describe("never in the way of an order:", () => {
  const addresses = useAddresses(pickers)
  const typed = "12 Allen Avenue, Ikeja"
  const useForm = (attributes = "required") => {
    site().body = `<form>${pickerHtml(site(), `name="postcode" ${attributes}`)}<button>Order</button></form>`
  }
  const useKey = async (scene: Parameters<typeof addresses.useKey>[0]) => {
    await addresses.useKey(scene)
    useForm()
  }
  /** What the form would send; undefined if it is not valid. */
  const order = (page: Page) =>
    page.locator("form").evaluate((node) => {
      const form = node as HTMLFormElement
      return form.checkValidity() ? Object.fromEntries(new FormData(form)) : undefined
    })

  it("an address that is not listed goes with the order, with its state and LGA", async () => {
    useForm()
    const page = await open(phone)
    await record(page)
    await combobox(page).fill(typed)
    await eventually(() => options(page).count()).toBeGreaterThan(0)
    await eventually(() => order(page)).toBeUndefined()
    await page.getByRole("button", { name: "My address is not listed" }).tap()
    await expect(page.getByLabel("House number and street").inputValue()).resolves.toBe(typed)
    await page.getByLabel("House number and street").fill("7 Hidden Close")
    await page.getByLabel("State").selectOption("Lagos")
    await page.getByLabel("Local government area").selectOption("Ikeja")
    await page.getByLabel("Landmark nearby").fill("behind the mosque")
    await told(page)
    await page.getByRole("button", { name: "Use this address" }).tap()
    const text = "7 Hidden Close (behind the mosque), Ikeja, Lagos"
    const sent = { "postcode-state": "Lagos", "postcode-lga": "Ikeja", "postcode-text": text }
    expect(await order(page)).toEqual({ postcode: "LA-11", "postcode-status": "unlisted", ...sent })
    expect(await combobox(page).inputValue()).toBe(text)
    expect(await page.getByRole("button", { name: "My address is not listed" }).count()).toBe(0)
    expect(await told(page)).toEqual(["input LA-11", "postcode-select LA-11", "change LA-11"])
    expect(await heard(page)).toMatchObject([{ formatted: "LA-11", level: 2, names: { state: "Lagos", lga: "Ikeja" } }])
    await page.getByRole("button", { name: "Change" }).tap()
    await combobox(page).fill("la12a03bg07")
    expect(await order(page)).toEqual({ postcode: code, "postcode-status": "selected" })
  })

  it.for([
    ["without credits", async () => useKey({ environment: "live" })],
    [
      "with a wrong key",
      async () => {
        await useKey({})
        site().body = site().body.replace(site().key.secret, `${site().key.secret.slice(0, -1)}x`)
      }
    ],
    ["with a key that finds no addresses", async () => useKey({ max_level: 1 })]
  ] as const)("%s a typed address leads to no unit without a name, and the order goes on", async ([name, prepare]) => {
    await prepare()
    const page = await open()
    await combobox(page).fill(typed)
    await eventually(() => options(page).allTextContents()).toEqual(["Ikeja, Lagos LA 11"])
    if (!name.endsWith("addresses")) {
      await eventually(() => order(page)).toMatchObject({ "postcode-status": "unavailable", "postcode-text": typed })
      expect(await page.getByRole("listbox").getAttribute("data-heading")).toContain("The form keeps what you typed")
      for (const text of ["14 Allen Avenue, Ikeja", typed]) {
        await combobox(page).fill(text)
        await settled(page)
      }
      expect(await heard(page)).toMatchObject([{ status: name === "without credits" ? 402 : 401 }])
      await eventually(() => options(page).count()).toBe(1)
    }
    await options(page).first().click()
    await eventually(() => order(page)).toMatchObject({
      postcode: "LA-11",
      "postcode-status": "partial",
      "postcode-state": "Lagos",
      "postcode-lga": "Ikeja",
      "postcode-text": typed
    })
    await settled(page)
    expect(await options(page).count()).toBe(0)
    expect(await combobox(page).inputValue()).toBe(typed)
    await seen(page.locator("[part=place]")).toBe("Ikeja, Lagos")
    await seen(status(page)).toContain("The form keeps what you typed")
    expect(await page.locator("[part=tick]").isVisible()).toBe(false)
    for (const way of ["Use my location", "My address is not listed", "Change"]) {
      expect(await page.getByRole("button", { name: way }).isVisible()).toBe(true)
    }
  })

  it("without a network the form keeps the text, the page hears of it once, and the unlisted way still opens", async () => {
    useForm()
    const page = await open()
    await combobox(page).focus()
    await settled(page)
    await page.context().setOffline(true)
    for (const text of [typed, "14 Allen Avenue", typed]) {
      await combobox(page).fill(text)
      await seen(status(page)).toMatch(/the form keeps it/)
      await eventually(() => order(page)).toEqual({
        postcode: "",
        "postcode-status": "unavailable",
        "postcode-text": text
      })
    }
    expect(await heard(page)).toEqual([{ status: 0, code: "offline" }])
    expect(await saved(page).count()).toBe(0)
    await page.getByRole("button", { name: "My address is not listed" }).click()
    await page.getByLabel("House number and street").fill("7 Hidden Close, Ikeja")
    await page.getByRole("button", { name: "Use this address" }).click()
    expect(await order(page)).toEqual({
      postcode: "",
      "postcode-status": "unlisted",
      "postcode-text": "7 Hidden Close, Ikeja"
    })
  })

  it("each part that could not be loaded without a network is loaded when there is one again", async () => {
    useForm()
    const page = await open({ permissions: ["geolocation"], geolocation: { ...service().point, accuracy: 20 } })
    await combobox(page).focus()
    await settled(page)
    await page.context().setOffline(true)
    const locate = page.getByRole("button", { name: "Use my location" })
    await locate.click()
    await seen(status(page)).toMatch(/No connection/)
    await combobox(page).fill(typed)
    await seen(status(page)).toMatch(/the form keeps it/)
    await page.context().setOffline(false)
    await combobox(page).fill(`${typed} `)
    await eventually(() => options(page).count()).toBeGreaterThan(0)
    await page.keyboard.press("Escape")
    await locate.click()
    await seen(status(page)).toMatch(/nearest postcode/)
  })

  it('only required="unit" refuses what is not a whole postcode, and offers no way around it', async () => {
    useForm('required="unit"')
    const page = await open()
    await combobox(page).focus()
    await settled(page)
    await page.context().setOffline(true)
    await combobox(page).fill(typed)
    await seen(status(page)).toMatch(/the form keeps it/)
    expect(await order(page)).toBeUndefined()
    expect(await page.getByRole("button", { name: "My address is not listed" }).count()).toBe(0)
    await combobox(page).fill("la12a03bg07")
    expect(await order(page)).toMatchObject({ postcode: code })
    await picker(page).evaluate((node) => Object.assign(node, { required: false }))
    await combobox(page).fill("12 Al")
    expect(await order(page)).toMatchObject({ postcode: "" })
  })
})
