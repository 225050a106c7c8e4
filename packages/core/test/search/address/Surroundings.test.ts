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
})

describe("vectors/address-surroundings.csv", () => {
  const rows = vectorRows("address-surroundings.csv").slice(1)
  it.each(rows.map((row) => row.map(unescaped)))("%s", (text = "", subpremise, ignored) => {
    const found = setAside(text)
    expect(found.subpremise ?? "").toBe(subpremise)
    expect(found.ignored.map((one) => `${one.kind}=${one.text}`).join("|")).toBe(ignored)
  })
})
