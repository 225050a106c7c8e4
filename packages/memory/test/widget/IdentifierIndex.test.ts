import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { IdentifierIndex } from "../../src/widget/IdentifierIndex.ts"

const hashes = ["00", "0a", "1f", "80", "fe", "ff"].map((digits) => `1:${digits.repeat(32)}`)
const hash = fc.constantFrom(...hashes)
const change = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), hash, account: fc.nat(9) }),
  fc.record({ kind: fc.constant("delete" as const), hash })
)

describe("IdentifierIndex", () => {
  it("has the same entries as a map, and returns some entry for any key unless it is empty", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const index = new IdentifierIndex<number>()
        const model = new Map<string, number>()
        for (const made of changes) {
          if (made.kind === "set") {
            index.set(made.hash, made.account)
            model.set(made.hash, made.account)
          } else {
            index.delete(made.hash)
            model.delete(made.hash)
          }
          for (const asked of hashes) assertSame(index, model, asked)
        }
      }),
      { seed: 5, numRuns: 300 }
    )
  })

  it("returns the same other entry for the same unknown key, and different ones for different keys", () => {
    const index = new IdentifierIndex<number>()
    for (let i = 0; i < 100; i++) index.set(`1:${i.toString(16).padStart(64, "0")}`, i)
    const shown = (i: number) => index.nearest(`1:${(1000 + i).toString(16).padStart(64, "0")}`)?.account
    const others = Array.from({ length: 100 }, (_, i) => shown(i))
    assert.deepStrictEqual(
      others,
      Array.from({ length: 100 }, (_, i) => shown(i))
    )
    assert.isAbove(new Set(others).size, 50)
  })
})

const assertSame = (index: IdentifierIndex<number>, model: ReadonlyMap<string, number>, hash: string): void => {
  const nearest = index.nearest(hash)
  assert.strictEqual(index.get(hash), model.get(hash))
  assert.strictEqual(index.has(hash), model.has(hash))
  assert.strictEqual(nearest === undefined, model.size === 0)
  if (nearest === undefined) return
  assert.strictEqual(model.get(nearest.hash), nearest.account)
  if (model.has(hash)) assert.strictEqual(nearest.hash, hash)
}
