/** The picker as a part of pages: forms, labels, colours, languages, several at once, many one after the other. */
import type { Locator, Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { makeHeld } from "../Held.ts"
import {
  change,
  combobox,
  eventually,
  heard,
  identify,
  options,
  saved,
  seen,
  settled,
  status,
  usePickers,
  valueIn
} from "./PickerPage.ts"
import { knownIdentifier, pickerHtml } from "./TestSite.ts"

const { complaints, open, service, site } = usePickers()

const inForm = (attributes = "", before = "") =>
  `<form>${before}${pickerHtml(site(), `name="postcode" ${attributes}`, "none")}
   <button type="reset">Reset</button><button>Order</button></form>`

const formValue = (page: Page) =>
  page.locator("form").evaluate((form) => new FormData(form as HTMLFormElement).get("postcode"))
const isValid = (page: Page) => page.locator("form").evaluate((form) => (form as HTMLFormElement).checkValidity())

describe("in a form", () => {
  it("has the canonical postcode as its value while it is typed, and none while it is incomplete", async () => {
    site().body = inForm("required")
    const page = await open()
    expect(await formValue(page)).toBe("")
    await combobox(page).fill("la 12 a03 bg")
    expect(await formValue(page)).toBe("")
    expect(await isValid(page)).toBe(false)
    await combobox(page).fill("la 12 a03 bg 07")
    expect(await formValue(page)).toBe("LA-12-A03-BG-07")
    expect(await isValid(page)).toBe(true)
  })

  it("can be required: an empty one is reported with a message, and gets the focus", async () => {
    site().body = inForm("required")
    const page = await open()
    await page.getByRole("button", { name: "Order" }).click()
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe("postcode-picker")
    expect(await combobox(page).getAttribute("aria-invalid")).toBe("true")
    await seen(status(page)).toBe("Please choose a postcode.")
    await combobox(page).fill("la12a03bg07")
    expect(await combobox(page).getAttribute("aria-invalid")).toBeNull()
    expect(await isValid(page)).toBe(true)
  })

  it("a required one reports while the form for an identifier is open, too", async () => {
    site().body = `<form>${pickerHtml(site(), `name="postcode" required`)}<button>Order</button></form>`
    const page = await open()
    await saved(page).click()
    await page.getByLabel("NIN or email").waitFor()
    await page.getByRole("button", { name: "Order" }).click()
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe("postcode-picker")
    await seen(status(page)).toBe("Please choose a postcode.")
  })

  it("is reset to its attribute", async () => {
    site().body = inForm(`value="LA12A03BG07"`)
    const page = await open()
    expect(await valueIn(page)).toBe("LA-12-A03-BG-07")
    await combobox(page).fill("kn")
    await expect.poll(() => options(page).count()).toBeGreaterThan(0)
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Reset" }).click()
    expect(await combobox(page).inputValue()).toBe("LA 12 A03 BG 07")
    expect(await formValue(page)).toBe("LA-12-A03-BG-07")
    await page.locator("postcode-picker").evaluate((picker) => picker.setAttribute("value", "KN-01-A01-AA-01"))
    expect(await valueIn(page)).toBe("KN-01-A01-AA-01")
  })

  it("has its text back when the user comes back to the page", async () => {
    site().body = inForm()
    const page = await open()
    await combobox(page).fill("la 12 a03 bg 07")
    await page.goto(`${site().origin}/?elsewhere`)
    await page.goBack()
    await expect.poll(() => valueIn(page)).toBe("LA-12-A03-BG-07")
  })

  it("is disabled with its fieldset, and is then no part of the form's data", async () => {
    site().body = inForm(`value="LA12A03BG07"`).replace("<form>", "<form><fieldset disabled>")
    const page = await open()
    expect(await combobox(page).isDisabled()).toBe(true)
    expect(await formValue(page)).toBeNull()
    await page.locator("fieldset").evaluate((fieldset) => fieldset.removeAttribute("disabled"))
    expect(await combobox(page).isDisabled()).toBe(false)
    expect(await formValue(page)).toBe("LA-12-A03-BG-07")
  })

  it("is named by a label of the page, which focuses it", async () => {
    site().body = inForm(`id="picker"`, `<label for="picker">Where to</label>`)
    const page = await open()
    await page.getByText("Where to").first().click()
    const box = page.getByRole("combobox", { name: "Where to" })
    expect(await box.count()).toBe(1)
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("picker")
  })

  it("sends one event for a change, and hides the identifier from the page's listeners", async () => {
    site().body = `<form>${pickerHtml(site())}</form>`
    const page = await open()
    await page.evaluate(() => {
      const events: Array<string> = []
      Object.assign(window, { events })
      for (const name of ["input", "change"]) addEventListener(name, () => events.push(name))
    })
    await identify(page)
    await options(page).first().click()
    await page.getByRole("heading").click()
    // They wait for the names of the unit's places.
    const events = () => page.evaluate(() => (window as unknown as { events: Array<string> }).events)
    await expect.poll(events).toEqual(["input", "change"])
  })

  it("sends an event again for a unit that is picked again after clearing, and for a field that is left empty", async () => {
    site().body = inForm()
    const page = await open()
    await page.evaluate(() => {
      const told: Array<string> = []
      Object.assign(window, { told })
      for (const name of ["postcode-select", "change"]) {
        addEventListener(name, ({ target }) => told.push(`${name} ${(target as HTMLInputElement).value}`))
      }
    })
    const told = () => page.evaluate(() => (window as unknown as { told: Array<string> }).told.splice(0))
    const whole = ["postcode-select LA-12-A03-BG-07", "change LA-12-A03-BG-07"]
    for (const _ of ["first", "again"]) {
      await combobox(page).fill("la12a03bg07")
      await page.keyboard.press("Enter")
      // The first one waits for the names of its places.
      await expect.poll(told).toEqual(whole)
      await combobox(page).fill("")
      expect(await told()).toEqual([])
    }
    const leave = async (text: string) => {
      await combobox(page).fill(text)
      await page.getByRole("heading").click()
      return told()
    }
    expect(await leave("")).toEqual(["change "])
    expect(await leave("kn")).toEqual([])
    expect(await leave("la12a03bg07")).toEqual(whole)
    expect(await leave("la12a03bg07 ")).toEqual([])
    expect(await leave("la12a03")).toEqual(["change "])
    await page.locator("postcode-picker").evaluate((picker) => Object.assign(picker, { value: "la12a03bg07" }))
    expect(await leave("")).toEqual(["change "])
  })

  it("shows a value that the page sets, without an event", async () => {
    site().body = inForm()
    const page = await open()
    await page.locator("postcode-picker").evaluate((picker) => {
      Object.assign(picker, { value: "la12a03bg07" })
    })
    expect(await combobox(page).inputValue()).toBe("LA 12 A03 BG 07")
    await combobox(page).focus()
    await page.keyboard.press("Enter")
    await combobox(page).blur()
    expect(await heard(page)).toEqual([])
  })
})

describe("the fields of the form around it", () => {
  const states = '<option></option><option value="OY">Oyo</option><option value="LA">Lagos</option>'
  const checkout = (attributes: string) =>
    `<form>${pickerHtml(site(), attributes, "none")}<select id="state">${states}</select>
     <input id="lga"><input id="unit" value="as it was"><textarea id="code"></textarea></form>`
  const field = (page: Page) => combobox(page).and(page.locator("input"))
  const valuesIn = (page: Page) =>
    page
      .locator("form")
      .evaluate((form) =>
        ["state", "lga", "unit", "code"].map((id) => form.querySelector<HTMLInputElement>(`#${id}`)?.value)
      )

  it("are filled if the page names them, with the events of a user's input, also with a key of level 1", async () => {
    site().body = checkout('until="lga" fill="state:#state  lga:form>#lga unit:#unit code:#code nonsense:#none"')
    const page = await open()
    await page.evaluate(() => {
      const events: Array<string> = []
      Object.assign(window, { events })
      for (const name of ["input", "change"]) {
        addEventListener(name, ({ target }) => events.push(`${name} ${(target as Element).id}`))
      }
    })
    await field(page).fill("la 11")
    await page.keyboard.press("Enter")
    await eventually(() => valuesIn(page)).toEqual(["LA", "Ikeja", "as it was", "LA-11"])
    expect(await heard(page)).toMatchObject([{ names: { state: "Lagos", lga: "Ikeja" } }])
    const events = await page.evaluate(() => (window as unknown as { events: Array<string> }).events)
    expect(events).toEqual(expect.arrayContaining(["input state", "change state", "input lga", "change lga"]))
    expect(events.join()).not.toContain("unit")
  })

  it.for([
    ["before the street", "<input id=street>", { street: "Flat 3, 12 Allen Avenue" }],
    ["in a field of its own", "<input id=street><input id=flat>", { street: "12 Allen Avenue", flat: "Flat 3" }]
  ] as const)("have the part of the building that was typed, %s", async ([, fields, expected]) => {
    site().key = await service().newKey({ origins: [site().origin], max_level: 2 })
    site().body = `<form>${pickerHtml(site(), 'fill="address:#street subpremise:#flat"')}${fields}</form>`
    const page = await open()
    await field(page).fill("Flat 3, 12 Allen Avenue, Ikeja")
    await options(page).filter({ hasText: "12 Allen Avenue" }).first().click()
    for (const [id, text] of Object.entries(expected)) {
      await eventually(() => page.locator(`#${id}`).inputValue()).toBe(text)
    }
  })

  it("stay unchanged if the text changes before the names arrive", async () => {
    site().body = checkout('until="lga" fill="state:#state lga:#lga"')
    const { release, released } = makeHeld()
    const page = await open()
    await page.route(/autocomplete/, (route) => released.then(() => route.continue()))
    await field(page).fill("la 11")
    await page.keyboard.press("Enter")
    await field(page).fill("la")
    release()
    await settled(page)
    expect(await valuesIn(page)).toEqual(["", "", "as it was", ""])
  })
})

describe("the fields of a form that is sent without custom elements, as by jQuery", () => {
  const useForm = (fields: string, attributes: string) => {
    site().body = `<form>${pickerHtml(site(), attributes, "none")}${fields}<button type="reset">Reset</button></form>`
  }
  const have = (page: Page, id: string) =>
    eventually(() => page.locator(`#${id}`).evaluate((node) => (node as HTMLInputElement).value))

  it("have at any time what the form has of the picker: code, status and text", async () => {
    useForm(
      '<input type="hidden" id="code" value="KN-01"><input type="hidden" id="how"><input type="hidden" id="text">',
      'fill="code:#code status:#how text:#text"'
    )
    const page = await open()
    await settled(page)
    expect(await page.locator("#code").inputValue()).toBe("KN-01")
    await combobox(page).fill("12 All")
    await have(page, "text").toBe("12 All")
    await have(page, "how").toBe("partial")
    await have(page, "code").toBe("")
    await combobox(page).fill("la12a03bg07")
    await page.keyboard.press("Enter")
    await have(page, "code").toBe("LA-12-A03-BG-07")
    await have(page, "how").toBe("selected")
    await have(page, "text").toBe("")
    await change(page)
    await page.keyboard.type("7 Hidden Close")
    await have(page, "code").toBe("")
    await have(page, "text").toBe("7 Hidden Close")
    await page.locator("postcode-picker").evaluate((picker) => Object.assign(picker, { value: "LA-12-A03-BG-07" }))
    await have(page, "code").toBe("LA-12-A03-BG-07")
    await page.getByRole("button", { name: "Reset" }).click()
    for (const id of ["code", "how", "text"]) await have(page, id).toBe("")
  })

  it("have nothing of an earlier selection beside another one, but keep what the user has written", async () => {
    const states = '<option value="">Choose</option><option>Lagos</option>'
    useForm(
      `<select id="state">${states}</select><input id="lga"><input id="unit">`,
      'until="lga" fill="state:#state lga:#lga unit:#unit"'
    )
    const page = await open()
    const choose = async (text: string) => {
      await combobox(page).and(page.locator("[part=input]")).fill(text)
      await page.keyboard.press("Enter")
    }
    await choose("la12a03bg07")
    await have(page, "unit").toBe("07")
    await have(page, "state").toBe("Lagos")
    await choose("kn 01")
    await have(page, "state").toBe("")
    await have(page, "unit").toBe("")
    await page.locator("#unit").fill("flat 2")
    await choose("la 11")
    await have(page, "lga").toBe("Ikeja")
    expect(await page.locator("#unit").inputValue()).toBe("flat 2")
  })

  it.for([
    ["Lagos State", "Ikeja LGA", "la 11"],
    ["Abuja Federal Capital Territory", "Abuja Municipal Area-Council (LGA)", "fc 02"],
    ["FCT - Abuja", "ABUJA MUNICIPAL AREA COUNCIL", "fc 02"],
    ["Abuja", "FC 02", "fc 02"]
  ])("have the option %s", async ([state = "", lga = "", code = ""]) => {
    const select = (id: string, option: string) =>
      `<select id="${id}"><option value="">Choose</option><option value="0">Abia</option><option value="1">${option}</option></select>`
    useForm(select("state", state) + select("lga", lga), 'until="lga" fill="state:#state lga:#lga"')
    const page = await open()
    await combobox(page).and(page.locator("[part=input]")).fill(code)
    await page.keyboard.press("Enter")
    await have(page, "state").toBe("1")
    await have(page, "lga").toBe("1")
  })
})

describe("the depth of a selection", () => {
  it("can end at an LGA, with its names", async () => {
    site().body = pickerHtml(site(), `until="lga"`, "none")
    const page = await open()
    await combobox(page).fill("la11")
    await page.keyboard.press("Enter")
    await expect
      .poll(() => heard(page))
      .toMatchObject([{ level: 2, formatted: "LA-11", names: { state: "Lagos", lga: "Ikeja", district: null } }])
  })

  it("for a key of level 5 has no coordinates that no answer carried, and needs no lookup with the key", async () => {
    const key = await service().newKey({ max_level: 5, origins: [site().origin] })
    const [postcode] = service().postcodes
    site().body = pickerHtml(site(), "", key)
    const page = await open()
    await combobox(page).fill(postcode)
    await page.keyboard.press("Enter")
    await expect
      .poll(() => heard(page))
      .toMatchObject([{ formatted: postcode, level: 5, names: { state: expect.any(String), lga: expect.any(String) } }])
    expect((await heard(page))[0]).not.toHaveProperty("latitude")
    expect(service().answers.filter((answer) => !answer.startsWith("search."))).toEqual([])
  })
})

describe("languages", () => {
  it.for([
    ["fr", "Adresse ou code postal"],
    ["ha", "Adireshi ko lambar gidan waya"],
    ["ig", "Adreesị ma ọ bụ koodu nzipu ozi"],
    ["yo-NG", "Àdírẹ́sì tàbí kóòdù ìfìwéránṣẹ́"],
    ["de", "Address or postcode"]
  ] as const)("%s is loaded on demand, and an unknown language is English", async ([lang, label]) => {
    site().body = `<div lang="${lang}">${pickerHtml(site())}</div>`
    const page = await open()
    await page.getByLabel(label).waitFor()
  })

  it("is inherited through shadow roots, up to the page", async () => {
    const page = await open()
    const picker = await page.locator("postcode-picker").elementHandle()
    const label = page.locator("label")
    const moveInto = (lang: string) =>
      picker?.evaluate((node, lang) => {
        const [outer, inner] = [document.createElement("div"), document.createElement("div")]
        if (lang) outer.lang = lang
        inner.attachShadow({ mode: "open" }).append(node)
        outer.attachShadow({ mode: "open" }).append(inner)
        document.body.append(outer)
      }, lang)
    await moveInto("ha")
    await seen(label).toBe("Adireshi ko lambar gidan waya")
    await page.evaluate(() => {
      document.documentElement.lang = "fr"
    })
    await moveInto("")
    await seen(label).toBe("Adresse ou code postal")
  })

  it("can be replaced by the page's messages, also from right to left", async () => {
    site().body = pickerHtml(site(), `dir="rtl" lang="ar"`)
    const page = await open()
    await page.locator("postcode-picker").evaluate((picker) => {
      Object.assign(picker, { messages: { saved: "المحفوظة" } })
    })
    const left = await page.getByRole("button", { name: "المحفوظة" }).boundingBox()
    const right = await page.getByRole("button", { name: "Use my location" }).boundingBox()
    expect(left!.x).toBeLessThan(right!.x)
  })
})

describe("on a page", () => {
  it("works under an enforced policy: violations are refused and reported", async () => {
    const page = await open()
    await page.evaluate(() => document.body.setAttribute("style", "color: red"))
    const html = page.evaluate(() => document.body.insertAdjacentHTML("beforeend", "<b>bold</b>"))
    await expect(html).rejects.toThrow("TrustedHTML")
    await eventually(() => complaints().length).toBe(2)
    expect(complaints().splice(0).join()).toMatch(/inline style.*TrustedHTML/)
  })

  it("two pickers are independent", async () => {
    site().body = pickerHtml(site(), `label="From"`, "none") + pickerHtml(site(), `label="To"`, "none")
    const page = await open()
    await page.getByRole("combobox", { name: "From" }).fill("la12a03bg07")
    await page.getByRole("combobox", { name: "To" }).fill("kn")
    await expect.poll(() => options(page).count()).toBeGreaterThan(0)
    await page.getByRole("combobox", { name: "To" }).fill("kn01a01aa01")
    await page.keyboard.press("Enter")
    expect(await heard(page)).toMatchObject([{ postcode: "LA12A03BG07" }, { postcode: "KN01A01AA01" }])
  })

  it("two users of two pickers have separate bookmarks and sessions", async () => {
    site().body = pickerHtml(site(), `label="From"`) + pickerHtml(site(), `label="To"`)
    const page = await open()
    const [from, to] = ["From", "To"].map((label) => page.locator(`postcode-picker[label=${label}]`))
    const identifyAt = async (picker: Locator, who: string) => {
      await saved(picker).click()
      await picker.getByLabel("NIN or email").fill(who)
      await picker.getByRole("button", { name: "Show saved postcodes" }).click()
    }
    await identifyAt(from!, knownIdentifier)
    await eventually(() => from!.getByRole("option").count()).toBe(2)
    expect(await saved(to!).isVisible()).toBe(true)
    await identifyAt(to!, "nobody@example.com")
    await seen(to!.getByRole("status")).toBe("No saved postcodes. Please search.")
    await saved(from!).click()
    await from!.getByRole("option").first().click()
    await eventually(() => service().recorded(site().key)).toEqual([service().postcodes[0]])
    await eventually(() => heard(page)).toHaveLength(1)
  })

  it("a script creates one with options, and gets the events", async () => {
    site().body = ""
    const page = await open()
    // As a text, since the test's own tools would rewrite the import.
    await page.evaluate(`import("/postcode-picker.js").then(({ createPicker }) => {
      window.picked = []
      const onSelect = ({ formatted }) => picked.push(formatted)
      document.body.append(createPicker({ gateway: "${service().gateway}", label: "Where to", required: true, onSelect }))
    })`)
    await page.getByRole("combobox", { name: "Where to" }).fill("la12a03bg07")
    await page.keyboard.press("Enter")
    const picked = () => page.evaluate(() => (window as unknown as { picked: Array<string> }).picked)
    await eventually(picked).toEqual(["LA-12-A03-BG-07"])
  })

  it("the layout does not move when a step, a message or the list appears or disappears", async () => {
    site().body = `${pickerHtml(site())}<p id="below">Below</p>`
    const page = await open()
    const top = async () => (await page.locator("#below").boundingBox())?.y
    const before = await top()
    await combobox(page).fill("la")
    await expect.poll(() => options(page).count()).toBeGreaterThan(0)
    expect(await top()).toBe(before)
    await combobox(page).fill("zzz")
    await seen(status(page)).toMatch(/^Nothing found/)
    expect(await top()).toBe(before)
    await combobox(page).fill("la12a03bg07")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Change" }).waitFor()
    // A selection needs no hint: its line is not left blank.
    expect((before ?? 0) - ((await top()) ?? 0)).toBeCloseTo(23, -1)
  })

  it("the open list covers the content below it", async () => {
    const page = await open({ viewport: { width: 360, height: 640 } })
    await identify(page)
    await eventually(() => options(page).count()).toBe(2)
    const picture = async () => {
      const { height = 0, width = 0, x = 0, y = 0 } = (await page.getByRole("listbox").boundingBox()) ?? {}
      return (await page.screenshot({ clip: { x, y, width, height } })).toString("base64")
    }
    const before = await picture()
    await status(page).evaluate((node) => {
      node.style.visibility = "hidden"
    })
    expect((await picture()) === before).toBe(true)
  })

  it("the buttons for location and saved postcodes stay visible and clickable while the list is open", async () => {
    const page = await open()
    await combobox(page).click()
    await options(page).first().waitFor()
    for (const button of [page.getByRole("button", { name: "Use my location" }), saved(page)]) {
      await button.click({ trial: true })
    }
    expect(await options(page).count()).toBeGreaterThan(0)
  })

  it("the hint is hidden while a form is open below the field, which shows its error itself", async () => {
    const page = await open()
    const clip = () => status(page).evaluate((node) => getComputedStyle(node).clipPath)
    expect(await clip()).toBe("none")
    await saved(page).click()
    await page.getByLabel("NIN or email").waitFor()
    expect(await clip()).toBe("inset(50%)")
    await page.getByRole("button", { name: "Show saved postcodes" }).click()
    const identifier = page.getByLabel("NIN or email")
    await seen(page.getByRole("alert")).toMatch(/11-digit NIN/)
    expect(await identifier.getAttribute("aria-invalid")).toBe("true")
    await identifier.fill("a")
    await seen(page.getByRole("alert")).toBe("")
    expect(await identifier.getAttribute("aria-invalid")).toBe(null)
    await page.getByRole("button", { name: "Search instead" }).click()
    await combobox(page).fill("la12a03bg07")
    await page.keyboard.press("Enter")
    await change(page)
    await seen(status(page)).toMatch(/^Type an address/)
    expect(await clip()).toBe("none")
  })

  it("properties that were set before the element was defined are applied", async () => {
    site().body = ""
    const page = await open()
    const value = await page.evaluate(async (gateway) => {
      const early = document.implementation.createHTMLDocument().createElement("postcode-picker")
      Object.assign(early, { value: "la12a03bg07", name: "where", gateway })
      document.body.append(early)
      return [early.value, early.getAttribute("name")]
    }, service().gateway)
    expect(value).toEqual(["LA-12-A03-BG-07", "where"])
  })

  it("a picker that is removed and attached again during a request restarts with the same session", async () => {
    const page = await open()
    await identify(page)
    await eventually(() => options(page).count()).toBe(2)
    await combobox(page).fill("la")
    await page.locator("postcode-picker").evaluate((picker) => {
      const { parentElement } = picker
      picker.remove()
      parentElement?.append(picker)
    })
    await saved(page).click()
    await eventually(() => options(page).count()).toBe(2)
    expect(service().answers.filter((answer) => answer.startsWith("widget."))).toEqual([
      "widget.session 200",
      "widget.bookmarks 200"
    ])
  })
})
