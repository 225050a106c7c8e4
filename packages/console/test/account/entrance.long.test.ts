/** The screens around sign-up, mail and the login of a computer: axe, what a screen reader finds, and the way by Tab; and axe on letters. */
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { expectNothing, narrow } from "../Axe.ts"
import { loaded, title, useConsole } from "../ConsolePage.ts"
import type { Person } from "../ConsoleSite.ts"
import { expectVisibleFocus } from "../Hands.ts"
import { entrancePictures, letters, openLetter } from "./EntrancePictures.ts"

const { open, openAs, site } = useConsole({ withMail: true })
const people = new Map<"operator" | "owner", Person>()

beforeAll(async () => {
  const organization = await site().newOrganization("Kano Parcels")
  people.set("operator", await site().newPerson("Ngozi Eze", "operator"))
  people.set("owner", await site().newPerson("Ada Obi", "owner", organization))
})

/** Headings, controls and messages of the content, as a screen reader finds them. */
const treeOf = async (page: Page): Promise<ReadonlyArray<string>> =>
  (await page.locator("main").first().ariaSnapshot()).split("\n").flatMap((line) => {
    const [, found] =
      /^\s*- ((?:alert|button|checkbox|combobox|heading|link|status|table|textbox)\b.*?):?$/.exec(line) ?? []
    return found === undefined ? [] : [found]
  })

/** Presses Tab until it leads to a control again; answers those of the content that it never led to. */
const unreachable = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(() => {
    const reached = new Set<EventTarget>()
    Object.assign(window, { reached })
    document.addEventListener("focusin", ({ target }) => target && reached.add(target))
  })
  const count = () => page.evaluate(() => (window as unknown as { reached: Set<EventTarget> }).reached.size)
  for (let presses = 1, before = -1; presses < 150; presses++) {
    await page.keyboard.press("Tab")
    const now = await count()
    if (now === before) break
    before = now
    if (await page.evaluate(() => document.activeElement !== document.body)) await expectVisibleFocus(page)
  }
  return page.evaluate(() => {
    const { reached } = window as unknown as { reached: Set<EventTarget> }
    return [
      ...document.querySelectorAll("main a[href], main button:enabled, main input:enabled, main select, main summary")
    ]
      .filter((control) => control.checkVisibility() && !reached.has(control))
      .map(({ outerHTML }) => outerHTML)
  })
}

const { letters: _, ...screens } = entrancePictures

describe("axe has nothing to complain about, all is named, and Tab leads to every control:", () => {
  it.for(Object.entries(screens))("%s", async ([name, { act, as, place }]) => {
    const options = { withAxe: true } as const
    const person = as && people.get(as)
    const page = person === undefined ? await open(place, options) : await openAs(person, place, options)
    await title(page).waitFor()
    await act?.(page, { site: site() })
    await loaded(page)
    expect(await treeOf(page)).toEqual(trees[name])
    expect(await unreachable(page)).toEqual([])
    await expectNothing(page, name)
  })
})

it("axe has nothing to complain about in letters, which fit a narrow window", async () => {
  const page = await open("/sign-up", { withAxe: true, viewport: narrow })
  for (const { html, subject } of letters()) {
    await openLetter(page, site(), html)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      expect([subject, colorScheme, ...(await letterFaults(page))]).toEqual([subject, colorScheme])
    }
  }
})

/** A mail program shows a letter in a page of its own, which has the landmarks. */
const letterFaults = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") }
    const { violations } = await axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa"] })
    const { clientWidth, scrollWidth } = document.documentElement
    return [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
      ...(scrollWidth > clientWidth ? [`${scrollWidth} pixels wide`] : [])
    ]
  })

const trees: Readonly<Record<string, ReadonlyArray<string>>> = {}
