// Ten thousand texts: no error, and no text above 50 ms of processor time.
import { searchAddress } from "@postcode/core/AddressSearch"
import fc from "fast-check"
import { expect, it } from "vitest"
import { fixtureDirectory } from "./AddressFixture.ts"
import { fuzzedText } from "./FuzzedTexts.ts"

it("no text is an error or takes long", () => {
  const directory = fixtureDirectory()
  searchAddress(directory, "12 allen avenue ikeja")
  let slowest_ms = 0
  for (const text of fc.sample(fuzzedText, { numRuns: 10_000, seed: 21 })) {
    const before = process.cpuUsage()
    searchAddress(directory, text)
    const { system, user } = process.cpuUsage(before)
    slowest_ms = Math.max(slowest_ms, (system + user) / 1000)
  }
  expect(slowest_ms).toBeLessThan(50)
})
