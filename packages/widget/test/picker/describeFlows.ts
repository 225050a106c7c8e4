/** Every flow to a postcode, against the real service: by mouse, by keyboard alone or by touch. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { hands } from "./Hands.ts"
import {
  combobox,
  eventually,
  heard,
  options,
  seen,
  selectionOf,
  status,
  type usePickers,
  valueIn
} from "./PickerPage.ts"
import { knownIdentifier, knownNin, pickerHtml } from "./TestSite.ts"

/** @param ways in which a page is used */
export const describeFlows = (
  ways: ReadonlyArray<keyof typeof hands>,
  { open, service, site }: ReturnType<typeof usePickers>
): void =>
  describe.for(ways)("by %s", (way) => {
    const { context, leave, pick, press, write } = hands[way]
    const button = (page: Page, name: string) => page.getByRole("button", { name })

    /** That a postcode was picked: told once, in the field, and not told again when the picker is left. */
    const picked = async (page: Page, selection: ReturnType<typeof selectionOf>, note?: RegExp) => {
      await eventually(() => heard(page)).toEqual([selection])
      expect(await valueIn(page)).toBe(selection.formatted)
      expect(await options(page).count()).toBe(0)
      const selected = new RegExp(`^Selected: .*${selection.formatted.replaceAll("-", " ")}$`)
      await seen(status(page)).toMatch(note ?? selected)
      expect(await button(page, "Change").isVisible()).toBe(true)
      await leave(page)
      expect(await heard(page)).toEqual([selection])
    }

    it.for([
      ["a NIN", knownNin, 0, "Home"],
      ["an email address", ` ${knownIdentifier.toUpperCase()} `, 1, "Grandmother’s house behind the market"]
    ] as const)("%s leads to bookmarks: the one that is picked is recorded, once", async ([, who, index, label]) => {
      const page = await open(context)
      await press(button(page, "Use a saved postcode"))
      await page.getByLabel("NIN or email").waitFor()
      await page.keyboard.type(who)
      await press(button(page, "Show saved postcodes"))
      await pick(page, label)
      const postcode = service().postcodes[index]
      await picked(page, selectionOf(postcode, "bookmark", label))
      await eventually(() => service().recorded(site().key)).toEqual([postcode])
      const expected = ["widget.session 200", "widget.bookmarks 200", "widget.selected 200"]
      const asked = () => service().answers.filter((answer) => answer.startsWith("widget."))
      await eventually(asked).toEqual(expected)
    })

    it.for([
      ["a code", "la11", "LA 11"],
      ["a name", "Ikeja, Lagos State", "Ikeja"]
    ] as const)("a search starts no session, and leads from %s to the unit", async ([, text, first]) => {
      const page = await open(context)
      await write(combobox(page), text)
      if (text !== "la11") await pick(page, first)
      for (const width of [9, 12, 15]) {
        await eventually(() => page.locator("[part~=code]").first().textContent()).toHaveLength(width)
        await pick(page, "LA 11 ")
      }
      const code = (await valueIn(page)) as string
      expect(code).toMatch(/^LA-11-/)
      await picked(page, selectionOf(code, "search"))
      expect(service().answers.filter((answer) => !answer.startsWith("search.autocomplete 200"))).toEqual([])
      expect(await service().recorded(site().key)).toEqual([])
    })

    it.for([
      ["exists leads to its unit", "12 Allen Avenue, Ikeja", "12 Allen Avenue, Ikeja, Lagos LA 11 B03 QD 10"],
      ["is of a place leads to its district, and on from there", "victoria island", "Victoria Island, Eti-Osa, Lagos"]
    ] as const)("an address that %s", async ([, text, first]) => {
      site().key = await service().newKey({ origins: [site().origin], max_level: 2 })
      site().body = pickerHtml(site())
      const page = await open(context)
      await write(combobox(page), text)
      await pick(page, first)
      const address = text.startsWith("12") && { address: "12 Allen Avenue, Ikeja, Lagos" }
      if (address) await eventually(() => heard(page)).toHaveLength(1)
      while ((await heard(page)).length === 0) {
        const length = (await page.locator("[part~=code]").first().textContent())?.length ?? 0
        await pick(page, "LA ")
        const isFurther = async () => {
          const code = page.locator("[part~=code]").first()
          return (await heard(page)).length > 0 || ((await code.textContent({ timeout: 1_000 }))?.length ?? 0) > length
        }
        await eventually(() => isFurther().catch(() => false)).toBe(true)
      }
      await picked(page, { ...selectionOf((await valueIn(page)) as string, "search"), ...address })
      const asked = service().answers.filter((answer) => answer.startsWith("widget."))
      expect(asked.slice(0, 2)).toEqual(["widget.session 200", "widget.address 200"])
      expect(await service().recorded(site().key)).toEqual([])
    })

    it("the location leads to the nearest unit after the user accepts it", async () => {
      const page = await open({
        ...context,
        permissions: ["geolocation"],
        geolocation: { ...service().point, accuracy: 10 }
      })
      await press(button(page, "Use my location"))
      await seen(options(page)).toContain("0 m away")
      expect(await heard(page)).toEqual([])
      await pick(page, "0 m away")
      await picked(page, selectionOf(service().postcodes[0], "search"))
      expect(service().answers).toEqual(["search.reverse 200", "search.autocomplete 200"])
    })

    it("a typed postcode is selected when the picker is left", async () => {
      const page = await open(context)
      await write(combobox(page), "la 12 a03 bg 07")
      // Before the search is answered, the picker does not know that there is no such unit.
      await seen(status(page)).toMatch(/^This postcode is not in the directory/)
      expect(await heard(page)).toEqual([])
      await leave(page)
      await picked(page, selectionOf("LA-12-A03-BG-07", "search"), /^This postcode is not in the directory/)
    })
  })
