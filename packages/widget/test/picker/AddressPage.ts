/** Pages on which addresses are searched for. */
import type { Page } from "playwright-core"
import { beforeEach } from "vitest"
import { combobox, eventually, options, type usePickers } from "./PickerPage.ts"
import { pickerHtml } from "./TestSite.ts"

export const address = "12 Allen Avenue, Ikeja"
export const place = "Ikeja, Lagos LA 11"
export const found = "12 Allen Avenue, Ikeja, Lagos LA 11 B03 QD 10"

/** Before each test the page has a key of level 2, and a form around the picker. */
export const useAddresses = ({ open, service, site }: ReturnType<typeof usePickers>) => {
  const useKey = async (scene: Parameters<ReturnType<typeof service>["newKey"]>[0]) => {
    site().key = await service().newKey({ origins: [site().origin], max_level: 2, ...scene })
    site().body = `<form>${pickerHtml(site())}<button type="reset">Reset</button></form>`
  }
  beforeEach(() => useKey({}))
  return {
    useKey,
    openSearch: async (): Promise<Page> => {
      const page = await open()
      return page
    },
    /** Types a text, and waits for these options alone. */
    expectOptions: async (page: Page, text: string, expected: ReadonlyArray<unknown>) => {
      await combobox(page).fill(text)
      await eventually(() => options(page).allTextContents()).toEqual(expected)
    },
    /** The platform's answers. */
    asked: () => service().answers.filter((answer) => answer.startsWith("widget."))
  }
}
