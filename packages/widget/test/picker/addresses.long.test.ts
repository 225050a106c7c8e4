/** Addresses in the search field, where time, failures and languages matter. */
import { describe, expect, it } from "vitest"
import { holdBack } from "../failures/describeLateAnswers.ts"
import { address, found, place, useAddresses } from "./AddressPage.ts"
import { combobox, eventually, heard, options, seen, settled, status, typeWhole, usePickers } from "./PickerPage.ts"
import { pickerHtml } from "./TestSite.ts"

const pickers = usePickers()
const { open, service, site } = pickers
const { asked, expectOptions, openSearch, useKey } = useAddresses(pickers)

describe("the first text that is neither a code nor a place starts a session without an identifier:", () => {
  it("after a pause of 250 ms, and further typing does not start another", async () => {
    const page = await openSearch()
    await page.clock.install()
    const { held, release } = holdBack(service(), "session")
    await combobox(page).fill("12 Allen")
    await page.clock.runFor(120)
    await eventually(() => service().answers.length).toBe(1)
    await combobox(page).fill("12 Allen Avenue")
    for (const text of ["12 Allen Avenue, Ike", address]) {
      await expect
        .poll(async () => {
          await page.clock.runFor(130)
          return held()
        })
        .toBe(1)
      await combobox(page).fill(text)
    }
    release()
    await expect
      .poll(async () => {
        await page.clock.runFor(130)
        return options(page).allTextContents()
      })
      .toEqual([found, place])
    expect(asked()).toEqual(["widget.session 200", "widget.address 200"])
  })

  it("a reset of the form ends it", async () => {
    const page = await openSearch()
    await expectOptions(page, address, [found, place])
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Reset" }).click()
    await expectOptions(page, address, [found, place])
    expect(asked().filter((answer) => answer === "widget.session 200")).toHaveLength(2)
  })

  it("not without a key", async () => {
    site().body = pickerHtml(site(), "", "none")
    const page = await open()
    await expectOptions(page, address, [place])
    await combobox(page).fill("victoria island")
    await seen(status(page)).toMatch(/^Nothing found\. Add the town or the local government area/)
    expect(asked()).toEqual([])
  })
})

describe("a found address is announced and offered like other suggestions:", () => {
  it("not in an open list after the field was left, but when it is used again", async () => {
    const { held, release } = holdBack(service(), "address?")
    const page = await openSearch()
    await combobox(page).fill(address)
    await eventually(held).toBe(1)
    await page.getByRole("heading").click()
    release()
    await seen(status(page)).toBe("2 suggestions")
    expect(await options(page).count()).toBe(0)
    await combobox(page).click()
    expect(await options(page).allTextContents()).toEqual([found, place])
  })

  it("not at all after Escape", async () => {
    const { held, passed, release } = holdBack(service(), "address?")
    const page = await openSearch()
    await combobox(page).fill(address)
    await eventually(held).toBe(1)
    await eventually(() => options(page).count()).toBe(1)
    await page.keyboard.press("Escape")
    release()
    await eventually(passed).toBe(1)
    await settled(page)
    expect(await options(page).count()).toBe(0)
    expect(await status(page).textContent()).toBe("1 suggestion")
  })

  it.for([
    ["fr", "(peut-être)"],
    ["ha", "(watakila)"],
    ["ig", "(ma eleghị anya)"],
    ["yo", "(bóyá)"]
  ] as const)("in %s, how sure it is, too", async ([lang, word]) => {
    const page = await openSearch()
    await page.locator("postcode-picker").evaluate((picker, lang) => picker.setAttribute("lang", lang), lang)
    await expectOptions(page, "12 Market Road", [`12 Market Road, Ido Osi, Ekiti ${word} EK 08 C04 BJ 10`])
  })
})

describe("if the address search is unavailable, the user keeps the places, and the form keeps the text:", () => {
  const refusals: Readonly<Record<string, () => unknown>> = {
    "401 invalid_api_key": () => service().revoke(site().key),
    "402 insufficient_credits": () => useKey({ environment: "live" }),
    "403 origin_not_allowed": () => useKey({ origins: ["https://elsewhere.example"] }),
    "429 rate_limit_exceeded": async () => {
      await useKey({ daily_credit_limit: 1 })
      const headers = { "x-api-key": site().key.secret, "content-type": "application/json" }
      await fetch(`${service().platform}/v1/widget/session`, { method: "POST", headers, body: "{}" })
      service().answers.length = 0
    }
  }

  it.for(Object.entries(refusals))("%s: the page hears of it, and it is not tried again", async ([refusal, refuse]) => {
    await refuse()
    const page = await openSearch()
    const [status_, code] = refusal.split(" ")
    for (const text of [address, "7 Allen Avenue, Ikeja"]) {
      await combobox(page).fill(text)
      await eventually(() => heard(page)).toEqual([{ status: Number(status_), code }])
      await settled(page)
      expect(await options(page).allTextContents()).toEqual([place])
      expect(await status(page).textContent()).toBe("1 suggestion")
    }
    await combobox(page).fill("victoria island")
    await seen(status(page)).toMatch(/^The postcode is not known. The form keeps what you typed/)
    expect(asked()).toEqual([`widget.session ${status_}`])
    await typeWhole(page)
  })

  it("a session whose queries are used up", async () => {
    const page = await openSearch()
    const answer = page.waitForResponse(/session$/)
    await expectOptions(page, address, [found, place])
    const { data } = (await (await answer).json()) as { readonly data: { readonly token: string } }
    const headers = { authorization: `Bearer ${data.token}`, origin: site().origin }
    const ask = () => fetch(`${service().platform}/v1/widget/address?q=Ikeja`, { headers })
    while ((await ask()).ok);
    await expectOptions(page, "7 Allen Avenue, Ikeja", [place])
    await eventually(() => heard(page)).toEqual([{ status: 429, code: "rate_limit_exceeded" }])
    expect(asked().filter((answer) => answer === "widget.session 200")).toHaveLength(1)
  })

  it("offline, until it is back", async () => {
    const page = await openSearch()
    await expectOptions(page, address, [found, place])
    await page.route(/address\?/, (route) => route.abort())
    await expectOptions(page, "7 Allen Avenue, Ikeja", [place])
    await eventually(() => heard(page)).toEqual([{ status: 0, code: "offline" }])
    await page.unroute(/address\?/)
    await expectOptions(page, address, [found, place])
  })
})
