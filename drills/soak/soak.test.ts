import { expect, it } from "vitest"
import { isFlat, mediansOf } from "./Memory.ts"

it("medians of equal parts leave out peaks", () => {
  expect(mediansOf([1, 9, 2, 5, 5, 50, 7, 8, 6], 3)).toEqual([2, 5, 7])
})

it("memory is flat up to 10 % and 20 MB above the second median", () => {
  expect(isFlat([150, 200, 260, 240])).toBe(true)
  expect(isFlat([150, 200, 210, 241])).toBe(false)
  expect(isFlat([150, 400])).toBe(true)
})
