/** Answers that come after a newer question was asked: they change nothing. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { makeHeld } from "../Held.ts"
import {
  combobox,
  eventually,
  heard,
  identify,
  options,
  seen,
  settled,
  status,
  type usePickers
} from "../picker/PickerPage.ts"
import type { TestService } from "../service/TestService.ts"

/** Requests whose address holds this wait until they are released. Answers how many do, and how many have. */
export const holdBack = (service: TestService, part: string) => {
  let held = 0
  let passed = 0
  const { release, released } = makeHeld()
  service.meanwhile = async ({ href }) => {
    if (!href.includes(part)) return
    held++
    await released
    passed++
  }
  return { held: () => held, passed: () => passed, release }
}

/** `answers` is 0 where the widget breaks a question off for a newer one: the service does not begin it then. */
type Question = readonly [part: string, answers: 0 | 1, ask: (page: Page) => Promise<void>]
const questions: Readonly<Record<string, Question>> = {
  "of a search": ["q=la", 0, (page) => combobox(page).fill("la")],
  "of where the user is": ["reverse", 0, (page) => page.getByRole("button", { name: "Use my location" }).click()],
  "of an address": ["address?q=12", 0, (page) => combobox(page).fill("12 Allen Avenue, Ikeja")],
  "of a session for it": ["session", 1, (page) => combobox(page).fill("victoria island")],
  "of a session": ["session", 1, (page) => identify(page)],
  "of bookmarks": ["bookmarks", 0, (page) => identify(page)]
}

/** @param fails whether the late answers are failures */
export const describeLateAnswers = (fails: boolean, { open, service }: ReturnType<typeof usePickers>): void => {
  describe(`a late answer never overwrites a newer one${fails ? ", if it is a failure" : ""}:`, () => {
    it.for(Object.entries(questions))("%s", async ([, [part, answers, ask]]) => {
      const { held, passed, release } = holdBack(service(), part)
      const page = await open({ permissions: ["geolocation"], geolocation: { ...service().point, accuracy: 10 } })
      await ask(page)
      await eventually(held).toBe(1)
      await combobox(page).fill("kan")
      await seen(options(page)).toContain("Kano")
      const before = service().answers.length
      if (fails) for (const part of ["directory", "keys", "endUsers"] as const) service().unavailable.add(part)
      release()
      await eventually(passed).toBe(1)
      await eventually(() => service().answers.length).toBe(before + answers)
      await settled(page)
      const late = service().answers.slice(before)
      expect(late).toEqual(new Array(answers).fill(expect.stringMatching(fails ? / 50[03]$/ : / 200$/)))
      expect(await options(page).allTextContents()).toEqual([expect.stringContaining("Kano")])
      await seen(status(page)).toBe("1 suggestion")
      expect(await heard(page)).toEqual([])
    })
  })
}
