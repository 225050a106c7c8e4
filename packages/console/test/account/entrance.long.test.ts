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
      /^\s*- ((?:alert|button|checkbox|combobox|heading|link|searchbox|status|table|textbox)\b.*?):?$/.exec(line) ?? []
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
  // Between the last control and the first one, the browser itself has the focus.
  for (let idle = 0, before = -1; idle < 3; ) {
    await page.keyboard.press("Tab")
    const now = await count()
    idle = now === before ? idle + 1 : 0
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
    expect.soft(await treeOf(page)).toEqual(trees[name])
    expect.soft(await unreachable(page)).toEqual([])
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
    // axe takes a page without a background for a white one.
    document.documentElement.style.setProperty("background", "Canvas")
    const { violations } = await axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa"] })
    const { clientWidth, scrollWidth } = document.documentElement
    return [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
      ...(scrollWidth > clientWidth ? [`${scrollWidth} pixels wide`] : [])
    ]
  })

const trees: Readonly<Record<string, ReadonlyArray<string>>> = {
  "sign-up": [
    'link "Postcode Gateway"',
    'heading "Create an account" [level=1]',
    'textbox "Email"',
    'textbox "Password"',
    'link "the terms of 2026-11-01"',
    'button "Continue"',
    'link "Sign in"'
  ],
  "sign-up-sent": [
    'link "Postcode Gateway"',
    'heading "Create an account" [level=1]',
    "status",
    'button "Change the address"',
    'link "Sign in"'
  ],
  confirm: [
    'link "Postcode Gateway"',
    'heading "Open your organization" [level=1]',
    'textbox "Your name"',
    'textbox "Name of the organization"',
    'textbox "Password"',
    'button "Open the organization"',
    'link "Sign in"',
    'link "sign up again"'
  ],
  "confirm-wrong": [
    'link "Postcode Gateway"',
    'heading "Open your organization" [level=1]',
    'textbox "Your name": Amina Bello',
    'textbox "Name of the organization": Kano Parcels',
    'textbox "Password": harmattan over kano',
    "alert",
    'button "Copy the request’s id"',
    'link "What this error means"',
    'button "Open the organization"',
    'link "Sign in"',
    'link "sign up again"'
  ],
  forgotten: [
    'link "Postcode Gateway"',
    'heading "Reset your password" [level=1]',
    'textbox "Email"',
    'button "Send the link"',
    'link "Back to sign-in"'
  ],
  reset: [
    'link "Postcode Gateway"',
    'heading "Choose a new password" [level=1]',
    'textbox "New password"',
    'button "Set the password"',
    'link "Request another one"'
  ],
  "confirm-address": ['link "Postcode Gateway"', 'heading "Use this address?" [level=1]', 'button "Use this address"'],
  undo: [
    'link "Postcode Gateway"',
    'heading "Get your address back" [level=1]',
    'textbox "New password"',
    'button "Undo the change and set the password"'
  ],
  unsubscribe: ['link "Postcode Gateway"', 'heading "Stop this mail?" [level=1]', 'button "Stop this mail"'],
  account: [
    'heading "Your account" [level=1]',
    'button "Sign out"',
    'heading "You" [level=2]',
    'textbox "Name": Ada Obi',
    'button "Save name"',
    'heading "Organizations" [level=2]',
    'button "Open another"',
    'table "Your organizations"',
    'link "Kano Parcels"',
    'button "Leave Kano Parcels": Leave',
    'heading "Email" [level=2]',
    'textbox "New email"',
    'textbox "Your password"',
    'button "Send the link"',
    'heading "Password" [level=2]',
    'textbox "Current password"',
    'textbox "New password"',
    'button "Change password"',
    'heading "Passkeys" [level=2]',
    'button "Add a passkey"',
    'heading "Mail" [level=2]',
    'checkbox "Low balance" [checked]',
    'checkbox "Credits used up" [checked]',
    'checkbox "Daily limit of a key reached" [checked]',
    'checkbox "Key expires within 7 days" [checked]',
    'checkbox "Webhook disabled" [checked]',
    'button "Save"',
    'heading "Sessions" [level=2]',
    'button "Sign out everywhere"'
  ],
  device: ['heading "Log in a computer" [level=1]', 'textbox "Code"', 'button "Continue"'],
  "device-found": ['heading "Log in a computer" [level=1]', 'button "Agree"', 'button "Refuse"'],
  "device-agreed": ['heading "Log in a computer" [level=1]', 'link "Home"'],
  "device-wrong": [
    'heading "Log in a computer" [level=1]',
    "alert",
    'button "Copy the request’s id"',
    'link "What this error means"',
    'button "Enter another code"'
  ],
  "device-operator": ['heading "Log in a computer" [level=1]'],
  "credits-by-day": [
    'heading "Credits by day" [level=1]',
    'button "CSV"',
    'combobox "Environment"',
    'combobox "Days"',
    'table "Credits by day"'
  ],
  mail: ['heading "Mail" [level=1]', 'combobox "State"', 'combobox "Kind"', 'searchbox "Address"', 'table "Mail"']
}
