import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { errorsBetween } from "../../src/directory/text/errorsBetween.ts"
import { NearWords } from "../../src/directory/text/NearWords.ts"

describe("near words", () => {
  it("are the same as from a comparison with every word", () => {
    const word = fc.array(fc.constantFrom(..."abc"), { minLength: 3, maxLength: 10 }).map((letters) => letters.join(""))
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 30 }), word, (words, text) => {
        const near = new NearWords(words)
        const ids = (errors: number, min: number) =>
          words.flatMap((one, id) =>
            Math.min(one.length, text.length) >= 4 && text.length >= min && editDistance(one, text) === errors
              ? [id]
              : []
          )
        const [one, two] = [new Set<number>(), new Set<number>()]
        near.oneError(text, (id) => one.add(id))
        near.twoErrors(text, (id) => two.add(id))
        expect([...one].sort(ascending)).toEqual(ids(1, 4))
        expect([...two].sort(ascending)).toEqual(ids(2, 8).filter((id) => (words[id] as string).length >= 7))
        for (const other of words) {
          for (const most of [1, 2, 3]) {
            const bounded = (errors: number): number => Math.min(errors, most + 1)
            expect(bounded(errorsBetween(text, other, most))).toBe(bounded(editDistance(text, other)))
          }
        }
      }),
      { numRuns: 300 }
    )
  })
})

const ascending = (a: number, b: number): number => a - b

/** Optimal string alignment by its definition, without a bound. */
const editDistance = (a: string, b: string, known = new Map<string, number>()): number => {
  const key = `${a} ${b}`
  const before = known.get(key)
  if (before !== undefined) return before
  if (a === "" || b === "") return a.length + b.length
  const isSame = a.at(-1) === b.at(-1)
  let least = Math.min(
    editDistance(a.slice(0, -1), b.slice(0, -1), known) + (isSame ? 0 : 1),
    editDistance(a.slice(0, -1), b, known) + 1,
    editDistance(a, b.slice(0, -1), known) + 1
  )
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    least = Math.min(least, editDistance(a.slice(0, -2), b.slice(0, -2), known) + 1)
  }
  known.set(key, least)
  return least
}
