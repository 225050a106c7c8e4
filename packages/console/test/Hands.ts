/** The two ways to use a page: by mouse, and by keyboard alone. Both know things by the names that people read. */
import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"
import { focused } from "./ConsolePage.ts"

export interface Hands {
  /** Presses a button, or follows a link. */
  readonly press: (name: string) => Promise<void>
  /** Types into a field, in place of what stands in it. */
  readonly fill: (label: string, text: string) => Promise<void>
  /** Takes one of a group of choices. */
  readonly choose: (name: string) => Promise<void>
}

export const byMouse = (page: Page): Hands => ({
  press: async (name) => (await find(page, control(name))).click(),
  fill: async (label, text) => (await find(page, field(label))).fill(text),
  choose: async (name) => (await find(page, choice(name))).click()
})

/** Nothing but keys; wherever they lead, it can be seen. */
export const byKeyboard = (page: Page): Hands => ({
  press: async (name) => {
    await find(page, control(name))
    await tabTo(page, name)
    await page.keyboard.press("Enter")
  },
  fill: async (label, text) => {
    await find(page, field(label))
    await tabTo(page, label)
    await page.keyboard.press("ControlOrMeta+A")
    await page.keyboard.type(text)
  },
  choose: async (name) => {
    await find(page, choice(name))
    // A group of choices is one stop, and the arrows go round in it.
    await tabTo(page, name, () => page.evaluate(isInGroupOf, name))
    for (let presses = 0; !(await hasFocus(page, name)); presses++) {
      expect(presses, name).toBeLessThan(10)
      await page.keyboard.press("ArrowDown")
      await expectVisibleFocus(page)
    }
    // The focus alone does not select the first one.
    await page.keyboard.press("Space")
  }
})

type Find = (where: Locator | Page) => Locator

const control =
  (name: string): Find =>
  (where) =>
    where.getByRole("button", { name, exact: true }).or(where.getByRole("link", { name, exact: true }))
const field =
  (label: string): Find =>
  (where) =>
    where.getByLabel(label, { exact: true })
const choice =
  (name: string): Find =>
  (where) =>
    where.getByText(name, { exact: true }).and(where.locator("label"))

/** The first one in the window over the page, if there is one, once it is there. */
const find = async (page: Page, named: Find): Promise<Locator> => {
  const window = page.locator("dialog[open]")
  const found = named((await window.count()) > 0 ? window.last() : page).first()
  await found.waitFor()
  return found
}

/** Tab by Tab, until what has this name has the focus. */
export const tabTo = async (page: Page, name: string, isThere = () => hasFocus(page, name)): Promise<void> => {
  for (let presses = 0; !(await isThere()); presses++) {
    expect(presses, `Tab to ${name}`).toBeLessThan(100)
    await page.keyboard.press("Tab")
  }
  await expectVisibleFocus(page)
}

const hasFocus = async (page: Page, name: string): Promise<boolean> => (await focused(page)).trim() === name

const isInGroupOf = (name: string): boolean => {
  const group = [...document.querySelectorAll<HTMLInputElement>("input[type=radio]")].find(
    ({ labels }) => labels?.[0]?.textContent === name
  )?.name
  const { activeElement } = document
  return group !== undefined && activeElement instanceof HTMLInputElement && activeElement.name === group
}

/** What has the focus is within the window, and has an outline, or its label has. */
export const expectVisibleFocus = async (page: Page): Promise<void> => {
  const fault = await page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement)) return "nothing has the focus"
    const shown = [element, element.closest("label")].find(
      (each) => each !== null && Number.parseFloat(getComputedStyle(each).outlineWidth) > 0 && each.checkVisibility()
    )
    if (!shown || getComputedStyle(shown).outlineStyle === "none") return `no outline: ${element.outerHTML}`
    const { bottom, left, right, top } = shown.getBoundingClientRect()
    const isWithin = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
    return isWithin ? "" : `out of sight: ${element.outerHTML}`
  })
  expect(fault).toBe("")
}
