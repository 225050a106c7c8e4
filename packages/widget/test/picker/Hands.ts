/** The three ways to use a page: each says how a person presses, writes and picks. */
import type { BrowserContextOptions, Locator, Page } from "playwright-core"
import { expect } from "vitest"
import { options } from "./PickerPage.ts"

export interface Hands {
  readonly context: BrowserContextOptions
  /** Presses a button. */
  readonly press: (button: Locator) => Promise<void>
  /** Goes to a field and types. */
  readonly write: (field: Locator, text: string) => Promise<void>
  /** Picks the option that says this. */
  readonly pick: (page: Page, text: string | RegExp) => Promise<void>
  /** Leaves the picker for what comes behind it. */
  readonly leave: (page: Page) => Promise<void>
}

export const phone: BrowserContextOptions = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } }

const optionOf = (page: Page, text: string | RegExp): Locator => options(page).filter({ hasText: text }).first()

const mouse: Hands = {
  context: {},
  press: (button) => button.click(),
  write: async (field, text) => {
    await field.click()
    await field.page().keyboard.type(text)
  },
  pick: (page, text) => optionOf(page, text).click(),
  leave: (page) => page.getByRole("heading").click()
}

const touch: Hands = {
  context: phone,
  press: (button) => button.tap(),
  write: async (field, text) => {
    await field.tap()
    await field.page().keyboard.type(text)
  },
  pick: (page, text) => optionOf(page, text).tap(),
  leave: (page) => page.getByRole("heading").tap()
}

const keyboard: Hands = {
  context: {},
  press: async (button) => {
    await tabTo(button)
    await button.page().keyboard.press("Enter")
  },
  write: async (field, text) => {
    await tabTo(field)
    await field.page().keyboard.type(text)
  },
  pick: async (page, text) => {
    await optionOf(page, text).waitFor()
    const active = page.locator("[role=option][aria-selected=true]").filter({ hasText: text })
    for (let presses = 0; (await active.count()) === 0; presses++) {
      expect(presses).toBeLessThan(60)
      await page.keyboard.press("ArrowDown")
    }
    await page.keyboard.press("Enter")
  },
  leave: (page) => page.keyboard.press("Tab")
}

/** Tab by Tab, as a user without a pointer does. */
const tabTo = async (control: Locator): Promise<void> => {
  const isFocused = () => control.evaluate((node) => (node.getRootNode() as ShadowRoot).activeElement === node)
  for (let presses = 0; !(await isFocused()); presses++) {
    expect(presses).toBeLessThan(10)
    await control.page().keyboard.press("Tab")
  }
}

export const hands = { mouse, keyboard, touch } as const
