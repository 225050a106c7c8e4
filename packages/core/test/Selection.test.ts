import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { accessLevels } from "../src/AccessLevel.ts"
import { makeSelection, type Picked, type PostcodeSelection } from "../src/Selection.ts"

const vectors: ReadonlyArray<{
  readonly rule: string
  readonly picked: Picked
  readonly selection: PostcodeSelection
}> = JSON.parse(readFileSync(new URL("../../../vectors/selection.json", import.meta.url), "utf8"))

describe("Selection", () => {
  it.each(vectors)("vectors/selection.json: $rule", ({ picked, selection }) => {
    assert.deepStrictEqual(makeSelection(picked), selection)
  })

  it("the vectors hold every depth at every served level", () => {
    const pairs = new Set(vectors.map(({ picked, selection }) => `${selection.level} ${picked.served_level}`))
    for (const depth of [1, 2, 3, 4, 5]) {
      for (const level of accessLevels) assert.isTrue(pairs.has(`${depth} ${level}`), `${depth} at level ${level}`)
    }
  })

  it("a payload survives being sent as JSON: it holds no undefined", () => {
    for (const { picked } of vectors) {
      const selection = makeSelection(picked)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(selection)), selection)
    }
  })
})
