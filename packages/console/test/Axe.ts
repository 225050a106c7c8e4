/** What axe says of a page that was opened `withAxe`. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { loaded } from "./ConsolePage.ts"

/** As phones are. */
export const narrow = { width: 360, height: 740 }
export const wide = { width: 1280, height: 800 }

/**
 * Neither axe finds anything nor is the page wider than its window, in light and in dark. It looks once all is there:
 * that something is loading fades in, and has no contrast until then.
 */
export const expectNothing = async (page: Page, state: string, sizes = [narrow, wide]): Promise<void> => {
  await loaded(page)
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const [colorScheme, rules] of schemes) {
      await page.emulateMedia({ colorScheme })
      const look = [state, size.width, colorScheme]
      expect([...look, ...(await faults(page, rules))]).toEqual(look)
    }
  }
}

/** What of axe's rules there is to ask: all of them once, and what depends on colours for the other colours as well. */
const schemes = [
  ["dark", "all"],
  ["light", "color-contrast"]
] as const

/** What axe finds; and whether the page is wider than its window. */
const faults = (page: Page, rules: "all" | "color-contrast"): Promise<ReadonlyArray<string>> =>
  page.evaluate(async (rules) => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") }
    const { violations } = await axe.run(document, {
      resultTypes: ["violations"],
      ...(rules !== "all" && { runOnly: [rules] })
    })
    const { clientWidth, scrollWidth } = document.documentElement
    return [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
      ...(scrollWidth > clientWidth ? [`${scrollWidth} pixels wide`] : [])
    ]
  }, rules)
