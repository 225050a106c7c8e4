/** What stands around an address: every form of the table, and the vectors for other implementations. */
import { describe, expect, it } from "vitest"
import { surroundingForms } from "../../../src/search/address/surroundings/Surroundings.ts"
import { setAside } from "../../../src/search/address/surroundings/setAside.ts"
import { unescaped, vectorRows } from "../../Vectors.ts"

const takenFrom = (text: string): string => {
  const { ignored, subpremise } = setAside(text)
  const parts = subpremise === null ? [] : subpremise.split(", ")
  return [...parts, ...ignored.map((one) => one.text)].join(" · ")
}

describe("surroundingForms", () => {
  it.each(surroundingForms.map(({ example, kind }) => [kind, ...example] as const))(
    "%s: of %s, %s is set aside",
    (_, text, taken) => {
      expect(takenFrom(text)).toBe(taken)
    }
  )

  it("every form is fast on hostile texts of 500 characters", () => {
    const pieces = [
      "a",
      "mr ",
      "mr a.",
      "0803 ",
      "(",
      "please ",
      "flat ",
      "a@",
      "1-",
      "1 ",
      "😀",
      "home office ",
      "2nd ",
      "."
    ]
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(500 / piece.length)).slice(0, 500)
      // The shortest of five, so that a busy machine does not count.
      const times_ms = Array.from({ length: 5 }, () => {
        const start = performance.now()
        setAside(text)
        return performance.now() - start
      })
      expect(Math.min(...times_ms), piece).toBeLessThan(100)
    }
  })
})

describe("vectors/address-surroundings.csv", () => {
  const rows = vectorRows("address-surroundings.csv").slice(1)
  it.each(rows.map((row) => row.map(unescaped)))("%s", (text = "", subpremise, ignored) => {
    const found = setAside(text)
    expect(found.subpremise ?? "").toBe(subpremise)
    expect(found.ignored.map((one) => `${one.kind}=${one.text}`).join("|")).toBe(ignored)
  })
})
