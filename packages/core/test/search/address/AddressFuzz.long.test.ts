// Ten thousand texts: no error, and no text above 50 ms of processor time.
import { searchAddress } from "@postcode/core/AddressSearch"
import fc from "fast-check"
import { expect, it } from "vitest"
import { fixtureDirectory } from "./AddressFixture.ts"
import { fuzzedText } from "./FuzzedTexts.ts"

it("no text is an error or takes long", () => {
  const directory = fixtureDirectory()
  searchAddress(directory, "12 allen avenue ikeja")
  const timeOf = (text: string): number => {
    const before = process.cpuUsage()
    searchAddress(directory, text)
    const { system, user } = process.cpuUsage(before)
    return (system + user) / 1000
  }
  let slowest_ms = 0
  for (const text of fc.sample(fuzzedText, { numRuns: 10_000, seed: 21 })) {
    let time_ms = timeOf(text)
    // The time is that of the whole process, whose other threads may collect garbage meanwhile.
    for (let again = 0; again < 5 && time_ms >= 20; again++) time_ms = Math.min(time_ms, timeOf(text))
    slowest_ms = Math.max(slowest_ms, time_ms)
  }
  expect(slowest_ms).toBeLessThan(50)
})
