import { assert, describe, it } from "@effect/vitest"
import { makeSelection, type Picked, type PostcodeSelection } from "../../src/levels/Selection.ts"
import { vectorJson } from "../Vectors.ts"

const vectors =
  vectorJson<ReadonlyArray<{ readonly rule: string; readonly picked: Picked; readonly selection: PostcodeSelection }>>(
    "selection.json"
  )

describe("Selection", () => {
  it.each(vectors)("vectors/selection.json: $rule", ({ picked, selection }) => {
    assert.deepStrictEqual(makeSelection(picked), selection)
  })

  it("a payload survives being sent as JSON: it holds no undefined", () => {
    for (const { picked } of vectors) {
      const selection = makeSelection(picked)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(selection)), selection)
    }
  })
})
