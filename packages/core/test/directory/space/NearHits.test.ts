import { describe, expect, it } from "vitest"
import { randomNumbers } from "../../../../../test/RandomNumbers.ts"
import { beginHits, hits, sortHits } from "../../../src/directory/space/NearHits.ts"
import { bound2, plane } from "../../../src/directory/space/SearchPlane.ts"

describe("hits", () => {
  it.each([1, 40, 300])(
    "are sorted, including those beyond a bound that was narrowed later, up to a limit of %d",
    (limit) => {
      const next = randomNumbers(limit)
      for (let far = 0; far <= 3; far++) {
        const squares = Array.from({ length: 40 }, (_, id) => (id < far ? 1_000 * (id + 1) : next()))
        beginHits(limit, undefined)
        plane[bound2] = 1
        hits.squares.set(squares)
        for (const id of squares.keys()) hits.ids[hits.count++] = id
        sortHits()
        const expected = [...squares.keys()].sort((a, b) => (squares[a] as number) - (squares[b] as number))
        expect([...hits.ids.subarray(0, hits.count)]).toEqual(expected.slice(0, limit))
      }
    }
  )
})
