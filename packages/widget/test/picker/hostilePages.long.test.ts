/** Situations in which fields of other services broke in pages of shops. */
import type { Locator, Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { phone } from "./Hands.ts"
import { combobox, eventually, heard, options, seen, settled, status, usePickers, valueIn } from "./PickerPage.ts"
import { pickerHtml } from "./TestSite.ts"

const { open, service, site, complaints } = usePickers()

const code = "LA-12-A03-BG-07"
const picker = (page: Page): Locator => page.locator("postcode-picker").first()

const style = (page: Page, css: string) =>
  page.evaluate((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets.push(sheet)
  }, css)

/** Types a place, sees suggestions at the field, and then selects a postcode. */
const order = async (page: Page) => {
  await combobox(page).click()
  await combobox(page).fill("ikej")
  await eventually(() => options(page).count()).toBeGreaterThan(0)
  await expectAtField(page)
  await combobox(page).fill(code)
  await page.keyboard.press("Enter")
  await eventually(async () => (await heard(page)).at(-1)).toMatchObject({ formatted: code })
  expect(await valueIn(page)).toBe(code)
}

const expectAtField = async (page: Page) => {
  const [field, list] = await Promise.all([combobox(page).boundingBox(), page.locator("[part=drop]").boundingBox()])
  if (!field || !list) throw new Error("nothing is shown")
  const gap = list.y > field.y ? list.y - field.y - field.height : field.y - list.y - list.height
  expect(Math.abs(gap)).toBeLessThanOrEqual(8)
  expect(Math.abs(list.x - field.x)).toBeLessThanOrEqual(8)
  const { height, width } = await page.evaluate(() => ({ height: innerHeight, width: innerWidth }))
  expect(list.x).toBeGreaterThanOrEqual(0)
  expect(list.x + list.width).toBeLessThanOrEqual(width)
  expect(list.y + list.height).toBeLessThanOrEqual(height)
}

const use = (attributes = "", key: "none" | undefined = "none") => {
  const made = key ? pickerHtml(site(), attributes, key) : pickerHtml(site(), attributes)
  site().body = `<form>${made}<input id="state"><button>Order</button></form>`
}

describe("an element that a script makes or moves", () => {
  it("is moved in the document while its list is open: the text stays, and it works", async () => {
    use()
    const page = await open()
    await combobox(page).fill("ikej")
    await eventually(() => options(page).count()).toBeGreaterThan(0)
    await picker(page).evaluate((node) => document.querySelector("main")?.append(node))
    expect(await combobox(page).inputValue()).toBe("ikej")
    await order(page)
  })

  it("comes as a copy of one that was typed into, and from a template", async () => {
    use()
    site().body += `<template>${pickerHtml(site(), 'label="From a template"', "none")}</template>`
    const page = await open()
    await combobox(page).fill("ikej")
    await page.evaluate(() => {
      const first = document.querySelector("postcode-picker")
      const template = document.querySelector("template")
      first?.replaceWith(first.cloneNode(true))
      document.querySelector("form")?.append(template?.content.cloneNode(true) ?? "")
    })
    expect(await combobox(page).first().inputValue()).toBe("")
    await page
      .locator("postcode-picker")
      .first()
      .evaluate((node) => node.remove())
    await order(page)
  })

  it("is swapped with the whole body while its list is open, as by Turbo or htmx", async () => {
    use()
    const page = await open()
    await combobox(page).fill("ikej")
    await eventually(() => options(page).count()).toBeGreaterThan(0)
    await page.evaluate(() => {
      const next = document.body.cloneNode(true)
      document.documentElement.replaceChild(next, document.body)
    })
    expect(await options(page).count()).toBe(0)
    await order(page)
  })

  it("is in a tab that is not displayed at first, or in closed details", async () => {
    use()
    site().body = `<div id="tab" hidden>${site().body}</div>`
    const page = await open(phone)
    await page.evaluate(() => document.getElementById("tab")?.removeAttribute("hidden"))
    await order(page)
  })

  it("is hidden while its list is open: the list goes, too", async () => {
    use()
    site().body = `<div id="tab">${site().body}</div>`
    const page = await open()
    await combobox(page).fill("ikej")
    await eventually(() => options(page).count()).toBeGreaterThan(0)
    await page.evaluate(() => document.getElementById("tab")?.setAttribute("hidden", ""))
    await eventually(() => page.locator("[part=drop]").isVisible()).toBe(false)
    await page.evaluate(() => document.getElementById("tab")?.removeAttribute("hidden"))
    await order(page)
  })
})

describe("what fills the field without a person's keys", () => {
  const fillByBrowser = (page: Page, text: string) =>
    picker(page).evaluate((host, text) => {
      const input = host.shadowRoot?.querySelector("input")
      if (!input) throw new Error("no input")
      input.value = text
      for (const name of ["input", "change"])
        input.dispatchEvent(new Event(name, { bubbles: true, composed: name === "input" }))
    }, text)

  it("autofill or a password manager enters a postcode without the focus: it is selected, and no list opens", async () => {
    use('name="p" fill="state:#state"')
    const page = await open()
    await fillByBrowser(page, "la12a03bg07")
    await eventually(() => heard(page)).toMatchObject([{ formatted: code }])
    await eventually(() => page.locator("#state").inputValue()).toBe("Lagos")
    await settled(page)
    expect(await options(page).count()).toBe(0)
  })

  it("autofill enters an address without the focus: the form keeps it, and no list opens over the page", async () => {
    use('name="p"')
    const page = await open()
    await fillByBrowser(page, "Ikeja")
    // Longer than the pause before a search.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
    await settled(page)
    expect(await options(page).count()).toBe(0)
    const sent = await page.locator("form").evaluate((form) => [...new FormData(form as HTMLFormElement).keys()])
    expect(sent).toEqual(["p", "p-status", "p-text"])
  })

  it("an input method composes: Enter ends the composition, and selects nothing", async () => {
    use()
    const page = await open()
    await combobox(page).fill("ikej")
    await eventually(() => options(page).count()).toBeGreaterThan(0)
    await page.keyboard.press("ArrowDown")
    await combobox(page).evaluate((input) =>
      input.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, composed: true })
      )
    )
    await settled(page)
    expect(await heard(page)).toEqual([])
    expect(await options(page).count()).toBeGreaterThan(0)
  })

  it("a paste with line breaks, tabs and no-break spaces is a postcode", async () => {
    use()
    const page = await open()
    await combobox(page).focus()
    await page.evaluate(() => document.execCommand("insertText", false, "  LA 12 A03\u00a0BG 07\t\n"))
    await page.keyboard.press("Enter")
    await eventually(() => heard(page)).toMatchObject([{ formatted: code }])
  })
})

describe("a form around it", () => {
  it("has a disabled fieldset: nothing opens and nothing is sent until it is enabled", async () => {
    use('name="p" value="LA-12-A03-BG-07"')
    site().body = `<form><fieldset disabled>${site().body.replace(/<\/?form>/g, "")}</fieldset></form>`
    const page = await open()
    const sent = () => page.locator("form").evaluate((form) => new FormData(form as HTMLFormElement).get("p"))
    expect(await sent()).toBeNull()
    expect(await combobox(page).isDisabled()).toBe(true)
    await page.locator("fieldset").evaluate((node) => node.removeAttribute("disabled"))
    expect(await sent()).toBe(code)
    await page.getByRole("button", { name: "Change" }).click()
    await order(page)
  })

  it("is another one, named by the attribute form", async () => {
    use('name="p" form="other"')
    site().body = `${site().body}<form id="other"></form>`
    const page = await open()
    await order(page)
    const sent = (id: string) => page.locator(id).evaluate((form) => new FormData(form as HTMLFormElement).get("p"))
    expect([await sent("#other"), await sent("form:not([id])")]).toEqual([code, null])
  })
})

describe("a page with other scripts", () => {
  it.for([
    [
      "freezes the prototypes of the language",
      "for (const type of [Object, Array, Function, String, Map, Set, Promise]) Object.freeze(type.prototype)"
    ],
    [
      "adds enumerable properties to them",
      "Array.prototype.last = function () {}; Object.prototype.extend = function () {}; String.prototype.strip = function () {}"
    ],
    [
      "has an old library that changes what JSON is of lists",
      "Array.prototype.toJSON = function () { return JSON.stringify([...this]) }"
    ],
    [
      "replaces fetch by one that takes only addresses and settings",
      "const f = fetch; window.fetch = function (url, init) { return f.call(window, String(url), Object.assign({}, init)) }"
    ],
    [
      "has no Intl, and a global named like its parts",
      "delete window.Intl; window.list = window.input = window.status = 1"
    ]
  ] as const)("that %s", async ([, script]) => {
    use("", undefined)
    const page = await open({}, "/", (page) => page.addInitScript(script))
    await page.waitForFunction(() => customElements.get("postcode-picker"))
    await order(page)
  })

  it("that stops the propagation of keys and clicks while they go down", async () => {
    use()
    const page = await open({}, "/", (page) =>
      page.addInitScript(() => {
        for (const name of ["keyup", "keypress", "mouseup", "focusin"]) {
          addEventListener(name, (event) => event.stopPropagation(), true)
        }
      })
    )
    await page.waitForFunction(() => customElements.get("postcode-picker"))
    await order(page)
  })

  it("that loads the script twice", async () => {
    use()
    site().app = 'import "/postcode-picker.js"; import "/postcode-picker.js?again"'
    const page = await open()
    await order(page)
    expect(complaints().splice(0)).toEqual([])
  })
})

describe("a page that is drawn in another way", () => {
  const looks: Readonly<Record<string, string>> = {
    "zoomed by CSS": "body { zoom: 1.5 }",
    "scaled by a transform": "main { transform: scale(0.8); transform-origin: 0 0 }",
    "with contained layout and paint": "main { contain: layout paint; container-type: inline-size }",
    "with a filter and a perspective": "main { filter: blur(0); perspective: 100px; backdrop-filter: blur(1px) }",
    "from right to left, in columns": "html { direction: rtl } main { columns: 2 }",
    "in vertical writing around it":
      "main { writing-mode: vertical-rl } postcode-picker { writing-mode: horizontal-tb; inline-size: 300px }",
    "as a flex item without a width":
      "form { display: flex; align-items: flex-start; gap: 8px } form > * { min-inline-size: 0 } postcode-picker { flex: 1 }",
    "with everything reset": "* { all: unset } postcode-picker { display: block; inline-size: 300px }"
  }

  it.for(Object.entries(looks))("%s", async ([, css]) => {
    use()
    const page = await open({ viewport: { width: 900, height: 700 } })
    await style(page, css)
    await order(page)
  })

  it("with the class that its theme has for inputs: no second frame, and no fixed height", async () => {
    use()
    const page = await open()
    const placeOf = () =>
      page.locator("postcode-picker").evaluate((picker) => {
        const { bottom, height, left, right, top } = picker.getBoundingClientRect()
        const input = picker.shadowRoot?.querySelector("input")?.getBoundingClientRect()
        const { backgroundColor, boxShadow, overflow } = getComputedStyle(picker)
        const offsets = [(input?.left ?? 0) - left, right - (input?.right ?? 0), (input?.top ?? 0) - top]
        return { height, offsets, boxShadow, backgroundColor, overflow, isAbove: bottom <= innerHeight }
      })
    const before = await placeOf()
    await page.locator("postcode-picker").evaluate((picker) => picker.classList.add("form-control", "input-text"))
    // As of Bootstrap, WooCommerce and Shopify's Dawn.
    await style(
      page,
      `.form-control { padding: .375rem .75rem; border: 1px solid #ced4da; background: #eee; box-shadow: 0 0 0 4px blue }
       .input-text { height: 4.5rem; max-height: 2rem; overflow: hidden; background-clip: padding-box; text-align: center }`
    )
    expect(await placeOf()).toEqual(before)
  })

  it("with rules for all elements: its texts stay as they are", async () => {
    use()
    const page = await open()
    await combobox(page).fill("ikej")
    await eventually(() => options(page).count()).toBeGreaterThan(0)
    const looks = () =>
      Promise.all(
        [options(page).first(), page.locator("[part=unlisted]"), status(page), combobox(page)].map((text) =>
          text.evaluate((node) => {
            const { letterSpacing, textAlign, textIndent, textTransform, whiteSpace } = getComputedStyle(node)
            return [letterSpacing, textAlign, textIndent, textTransform, whiteSpace]
          })
        )
      )
    const before = await looks()
    await style(
      page,
      "* { letter-spacing: .4em; text-transform: uppercase; text-align: center; white-space: nowrap; text-indent: 20px }"
    )
    expect(await looks()).toEqual(before)
  })

  it("at 400 %: 320 by 256 pixels remain, and the list can be read and scrolled", async () => {
    use()
    const page = await open({ viewport: { width: 320, height: 256 } })
    await combobox(page).click()
    await eventually(() => options(page).count()).toBeGreaterThan(4)
    await options(page).last().scrollIntoViewIfNeeded()
    await options(page).last().click()
    await seen(status(page)).not.toBe("")
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  })

  it("over which an on-screen keyboard comes: the list stays within what is left", async () => {
    use()
    site().body = `<div id="gap"></div>${site().body}`
    const page = await open(phone)
    await style(page, "#gap { block-size: 260px }")
    await combobox(page).tap()
    await eventually(() => options(page).count()).toBeGreaterThan(4)
    await page.setViewportSize({ width: 360, height: 420 })
    await page.waitForFunction(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))
    )
    await expectAtField(page)
  })

  it("prints and copies what was selected: the text is in the field", async () => {
    use('name="p"')
    const page = await open()
    await order(page)
    await page.emulateMedia({ media: "print", forcedColors: "active" })
    expect(await combobox(page).isVisible()).toBe(true)
    expect(await combobox(page).inputValue()).toBe("LA 12 A03 BG 07")
  })
})

describe("in a frame without permissions", () => {
  it("the location says that it is not available, and the search goes on", async () => {
    use()
    const page = await open({ permissions: [] })
    await page.evaluate(() => {
      Object.defineProperty(navigator, "geolocation", { value: undefined })
    })
    await page.getByRole("button", { name: "Use my location" }).click()
    await seen(status(page)).toMatch(/not available/)
    await order(page)
    expect(service().answers.length).toBeGreaterThan(0)
  })
})
