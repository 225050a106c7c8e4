/** Pages in which other fields for addresses failed, by what their users have reported in public. */
import type { Page } from "playwright-core"
import { beforeEach, describe, expect, it } from "vitest"
import { found, place, useAddresses } from "./AddressPage.ts"
import { phone } from "./Hands.ts"
import { combobox, eventually, heard, options, settled, typeWhole, usePickers, valueIn } from "./PickerPage.ts"
import { pickerHtml } from "./TestSite.ts"

const pickers = usePickers()
const { open, service, site } = pickers
useAddresses(pickers)

beforeEach(() => {
  site().policy = "style-src 'unsafe-inline'"
})

/** A page that does this before the picker is defined. */
const openAfter = async (script: () => void): Promise<Page> => {
  const page = await open({}, "/", (page) => page.addInitScript(script))
  // Not at each frame, as by default: one of the pages draws none.
  await page.waitForFunction(() => customElements.get("postcode-picker"), undefined, { polling: 20 })
  return page
}

const typeAddress = async (page: Page): Promise<void> => {
  await combobox(page).fill("12 Allen Avenue, Ikeja")
  await eventually(() => options(page).first().textContent()).toBe(found)
}

/** The first suggestion is the address. */
const choose = async (page: Page): Promise<void> => {
  await options(page).first().click()
  await eventually(() => valueIn(page)).toBe("LA-11-B03-QD-10")
  await eventually(() => heard(page)).toHaveLength(1)
}

const openUnlisted = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "My address is not listed" }).click()
  await page.getByLabel("House number and street").waitFor()
}

const isOpen = (page: Page): Promise<boolean> => page.getByRole("listbox").isVisible()

describe("Escape", () => {
  it("closes the list, and not a dialog of a script that looks at keys only", async () => {
    const page = await open()
    await page.evaluate(() => {
      document.querySelector("main")?.addEventListener("keydown", ({ key }) => {
        if (key === "Escape") document.body.dataset.left = "yes"
      })
    })
    await typeAddress(page)
    await page.keyboard.press("Escape")
    await eventually(() => isOpen(page)).toBe(false)
    const left = () => page.evaluate(() => document.body.dataset.left)
    expect(await left()).toBeUndefined()
    await page.keyboard.press("Escape")
    await eventually(left).toBe("yes")
  })

  it("leaves the form for an address that is not listed, and not the dialog around it", async () => {
    site().body = `<dialog>${pickerHtml(site())}</dialog>`
    const page = await open()
    await page.evaluate(() => document.querySelector("dialog")?.showModal())
    await openUnlisted(page)
    await page.keyboard.press("Escape")
    await eventually(() => page.getByLabel("House number and street").count()).toBe(0)
    expect(await page.getByRole("dialog").isVisible()).toBe(true)
    await page.keyboard.press("Escape")
    await eventually(() => page.getByRole("dialog").isVisible()).toBe(false)
  })
})

describe("fingers and wheels", () => {
  it("in a page that makes clicks of touches, as FastClick does", async () => {
    const page = await open(phone)
    await page.evaluate(() => {
      let target: EventTarget | null
      document.body.addEventListener("touchstart", (event) => {
        target = event.target
      })
      const sendClick = (event: TouchEvent) => {
        event.preventDefault()
        if (document.activeElement !== target) (document.activeElement as HTMLElement).blur()
        target?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))
      }
      document.body.addEventListener("touchend", sendClick, { passive: false })
    })
    await combobox(page).tap()
    await page.keyboard.type("12 Allen Avenue, Ikeja")
    await eventually(() => options(page).first().textContent()).toBe(found)
    await options(page).first().tap()
    await eventually(() => heard(page)).toHaveLength(1)
  })

  it("in a page that locks scrolling, as dialogs of Radix do", async () => {
    const page = await open({ viewport: { width: 400, height: 260 } })
    await page.evaluate(() => {
      document.addEventListener("wheel", (event) => event.preventDefault(), { passive: false })
    })
    await combobox(page).fill("a")
    await eventually(() => options(page).count()).toBeGreaterThan(3)
    await options(page).first().hover()
    await page.mouse.wheel(0, 120)
    await eventually(() => page.getByRole("listbox").evaluate((list) => list.scrollTop)).toBeGreaterThan(0)
  })
})

describe("what a page does with the element", () => {
  it("it is in its label: a click on a suggestion is no click on the label", async () => {
    site().body = `<form><label>Where ${pickerHtml(site())}</label></form>`
    const page = await open()
    await typeAddress(page)
    await choose(page)
    await settled(page)
    expect(await isOpen(page)).toBe(false)
    await page.getByRole("button", { name: "Change" }).click()
    await openUnlisted(page)
    const landmark = page.getByLabel("Landmark nearby")
    await landmark.click()
    await settled(page)
    expect(await landmark.evaluate((node) => (node.getRootNode() as ShadowRoot).activeElement === node)).toBe(true)
  })

  it("its attributes and content are set again at each event, as Turbo and Livewire do", async () => {
    site().body = `<form>${pickerHtml(site(), 'id="where" name="postcode" required value=""')}</form>`
    const page = await openAfter(() => {
      addEventListener("DOMContentLoaded", () => {
        const picker = document.querySelector("postcode-picker")
        const given = [...(picker?.attributes ?? [])].map(({ name, value }) => [name, value] as const)
        const morph = () => {
          for (const name of picker?.getAttributeNames() ?? []) picker?.removeAttribute(name)
          for (const [name, value] of given) picker?.setAttribute(name, value)
          picker?.replaceChildren()
        }
        for (const name of ["change", "postcode-select"]) document.addEventListener(name, morph)
        const echo = () => {
          for (const [name, value] of given) picker?.setAttribute(name, value)
        }
        document.addEventListener("input", echo)
      })
    })
    await typeAddress(page)
    expect(service().answers.filter((answer) => answer.startsWith("widget.session"))).toEqual(["widget.session 200"])
    await choose(page)
    await settled(page)
    expect(await valueIn(page)).toBe("LA-11-B03-QD-10")
  })

  it("it is moved into a frame: it has its styles there, and its list is at the field", async () => {
    site().policy = "style-src 'unsafe-inline'; frame-src 'self'"
    const page = await open()
    await page.evaluate(() => {
      const frame = document.createElement("iframe")
      frame.style.cssText = "inline-size: 400px; block-size: 500px"
      document.body.append(frame)
      const picker = document.querySelector("postcode-picker")
      if (picker) frame.contentDocument?.body.append(picker)
    })
    const frame = page.frameLocator("iframe")
    const input = frame.getByRole("combobox")
    await input.fill("12 Allen Avenue, Ikeja")
    const option = frame.getByRole("option").filter({ hasText: "12 Allen Avenue" })
    await option.waitFor()
    const [field, row] = [await input.boundingBox(), await option.boundingBox()]
    expect(field?.height).toBeGreaterThanOrEqual(44)
    expect(row?.y).toBeGreaterThan((field?.y ?? 0) + (field?.height ?? 0))
    expect(row?.height).toBeGreaterThanOrEqual(44)
    await option.click()
    await frame.getByRole("button", { name: "Change" }).waitFor()
  })

  it("it is disabled while the order is sent, and its step is hidden", async () => {
    site().body = `<form><div>${pickerHtml(site(), 'name="postcode"')}</div></form>`
    const page = await open()
    await typeAddress(page)
    await choose(page)
    const set = (selector: string, property: string, value: boolean) =>
      page.locator(selector).evaluate((node, change) => void Object.assign(node, change), { [property]: value })
    await set("postcode-picker", "disabled", true)
    await set("form > div", "hidden", true)
    await set("form > div", "hidden", false)
    await set("postcode-picker", "disabled", false)
    expect(await valueIn(page)).toBe("LA-11-B03-QD-10")
    expect(await page.locator("[part=place]").textContent()).toContain("12 Allen Avenue")
    expect(await heard(page)).toHaveLength(1)
  })

  it("its texts are wrapped in other elements, as translators of pages do", async () => {
    const page = await open()
    const wrap = () =>
      page.evaluate(() => {
        const visit = (root: Node) => {
          for (const node of root.childNodes) {
            if (node instanceof Element && node.shadowRoot) visit(node.shadowRoot)
            if (!(node instanceof Text)) visit(node)
            else if (node.data.trim() && !/SCRIPT|STYLE|FONT/.test(node.parentElement?.tagName ?? "")) {
              const font = document.createElement("font")
              node.replaceWith(font)
              font.append(node.data)
            }
          }
        }
        visit(document.body)
      })
    await wrap()
    await typeAddress(page)
    await wrap()
    await choose(page)
    await wrap()
    await page.getByRole("button", { name: "Change" }).click()
    await combobox(page).fill("ikeja")
    await eventually(() => options(page).first().textContent()).toBe(place)
  })
})

describe("a browser", () => {
  it("of 2023, without the interfaces of later ones, finds an address", async () => {
    const page = await openAfter(() => {
      const later: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
        [HTMLElement.prototype, ["showPopover", "hidePopover", "togglePopover", "popover"]],
        [AbortSignal, ["any"]],
        [Promise, ["withResolvers", "try"]],
        [Array.prototype, ["toSorted", "toReversed", "toSpliced", "with"]],
        [Object, ["groupBy"]],
        [Map, ["groupBy"]],
        [URL, ["canParse", "parse"]],
        [Set.prototype, ["union", "difference", "intersection"]],
        [Element.prototype, ["checkVisibility", "currentCSSZoom"]],
        [ElementInternals.prototype, ["states"]],
        [window, ["Iterator", "CloseWatcher", "scheduler"]]
      ]
      for (const [owner, names] of later) for (const name of names) Reflect.deleteProperty(owner, name)
    })
    await typeAddress(page)
    await choose(page)
    await page.getByRole("button", { name: "Change" }).click()
    await openUnlisted(page)
  })

  it("on an insecure address has no position, and all else works", async () => {
    const page = await openAfter(() => {
      for (const name of ["randomUUID", "subtle"]) Reflect.deleteProperty(Crypto.prototype, name)
      for (const name of ["geolocation", "locks", "permissions", "clipboard"]) {
        Reflect.deleteProperty(Navigator.prototype, name)
      }
      Object.defineProperty(window, "isSecureContext", { value: false })
    })
    await page.getByRole("button", { name: "Use my location" }).click()
    await page.getByText("Your location is not available.").waitFor()
    await typeAddress(page)
    await typeWhole(page)
  })

  it("that reports no network, draws no frames and stores nothing finds an address, and Enter chooses it", async () => {
    const page = await openAfter(() => {
      Object.defineProperty(Navigator.prototype, "onLine", { get: () => false })
      window.requestAnimationFrame = () => 0
      for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException("denied", "SecurityError")
          }
        })
      }
      // Many pages stop Enter, so that it does not send their form.
      addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault(), true)
    })
    await typeAddress(page)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await eventually(() => valueIn(page)).toBe("LA-11-B03-QD-10")
    await eventually(() => heard(page)).toHaveLength(1)
  })
})
