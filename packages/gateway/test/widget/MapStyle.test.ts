import { isMapStyle } from "@postcode/gateway/widget/MapStyle"
import { expect, it } from "vitest"

it.each([
  "https://tiles.example/{scheme}.json",
  "http://localhost:8080/style.json?key=a&b=c",
  "https://[::1]:8443",
  "/tiles/light.json"
])("%s is the address of a style", (text) => {
  expect(isMapStyle(text)).toBe(true)
})

it.each([
  "",
  "style.json",
  "//tiles.example/style.json",
  "/\\\\tiles.example",
  "https://user:password@tiles.example/style.json",
  "javascript:alert(1)",
  "data:application/json,{}",
  "https://tiles.example/a b",
  `https://tiles.example/${"a".repeat(2_000)}`
])("%s is none", (text) => {
  expect(isMapStyle(text)).toBe(false)
})
