import { describe, expect, it } from "vitest"
import { SharedValues } from "../../src/keys/SharedValues.ts"

describe("SharedValues", () => {
  it("returns the first of equal values, and distinguishes texts from lists", () => {
    const { share } = new SharedValues()
    const first = share(["search", "lookup"])
    expect(share(["search", "lookup"])).toBe(first)
    expect(share(["search"])).toEqual(["search"])
    expect(share([])).toEqual([])
    expect(share("[]")).toBe("[]")
    expect(share("search")).toBe("search")
  })

  it("recognizes a limited number of values", () => {
    const { share } = new SharedValues()
    const first = share(["first"])
    for (let i = 0; i < 10_000; i++) share(`${i}`)
    const again = share(["first"])
    expect(again).toEqual(first)
    expect(again).not.toBe(first)
  })
})
