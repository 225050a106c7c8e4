import { expect, it } from "vitest"
import { parseDegrees } from "../../src/directory/space/parseDegrees.ts"

it.each([
  ["6.59838", 6.59838],
  ["+6.59838", 6.59838],
  ["-6.5", -6.5],
  ["6,59838", 6.59838],
  ["6.59838°", 6.59838],
  ["6.59838N", 6.59838],
  ["N 6.59838", 6.59838],
  ["6.59838 S", -6.59838],
  ["6°30'36\"N", 6.51],
  ["6° 30′ 36″ S", -6.51],
  ["6°30.6'", 6.51],
  ["N6 30.6", 6.51],
  ["N 6° 30,6", 6.51],
  ["6 30 36 S", -6.51],
  [" '6.5 ", 6.5],
  ["1e-7", 1e-7]
])("%s is %d", (text, degrees) => expect(parseDegrees(text, "lat")).toBeCloseTo(degrees, 9))

it.each([
  "",
  "N/A",
  "6.59838E",
  "6.5 7.5",
  "6°60'",
  "-6.5 S",
  "1.234.567",
  "6,59,838",
  "N6S",
  "6 30.6",
  "N6 60",
  "N6 30 36 S",
  "N6 30 36 1"
])("%s is none", (text) => expect(parseDegrees(text, "lat")).toBeNaN())

it("has the letters of its axis", () => {
  expect(parseDegrees("3°30'E", "lon")).toBeCloseTo(3.5, 9)
  expect(parseDegrees("3.5W", "lon")).toBe(-3.5)
  expect(parseDegrees("3.5N", "lon")).toBeNaN()
})
