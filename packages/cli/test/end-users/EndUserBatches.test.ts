import { endUserLimits } from "@postcode/gateway/InputLimits"
import { assert, describe, it } from "vitest"
import { inBatches } from "../../src/commands/widget/EndUserBatches.ts"
import type { FoundEndUser } from "../../src/commands/widget/EndUserRows.ts"

describe("batches of end users", () => {
  const batchesOf = (endUsers: ReadonlyArray<FoundEndUser>) => [...inBatches(endUsers)]
  const endUser = (i: number, bookmarks: number, label: string): FoundEndUser => ({
    identifiers: [`person${i}@example.com`],
    bookmarks: Array.from({ length: bookmarks }, () => ({ postcode: "LA-12-A03-BG-07" as never, label })),
    line: i + 2
  })
  const lengthOf = (batch: ReadonlyArray<FoundEndUser>) =>
    Buffer.byteLength(
      JSON.stringify({ end_users: batch.map(({ bookmarks, identifiers }) => ({ identifiers, bookmarks })) })
    )

  it("contain all end users in order, and no batch exceeds the limits of a request", () => {
    const small = Array.from({ length: 1_234 }, (_, i) => endUser(i, i % 2, "Home"))
    const large = Array.from({ length: 50 }, (_, i) => endUser(i, (i * 7) % 100, 'Ilé ọkọ \\ " 🏠'))
    const all = [...small, ...large]
    const batches = batchesOf(all)
    assert.deepStrictEqual(batches.flat(), all)
    for (const batch of batches) {
      assert.isAtLeast(batch.length, 1)
      assert.isAtMost(batch.length, endUserLimits.batch)
      assert.isAtMost(lengthOf(batch), 64 * 1024)
    }
    assert.isBelow(batches.length, 40)
    assert.deepStrictEqual(batchesOf([]), [])
  })

  it("the longest possible end user fits into a batch", () => {
    const longest: FoundEndUser = {
      identifiers: Array.from({ length: 10 }, (_, i) => `${"ọ".repeat(63)}${i}@${"a".repeat(60)}.${"b".repeat(60)}.ng`),
      bookmarks: Array.from({ length: 100 }, () => ({ postcode: "LA-12-A03-BG-07" as never, label: "ọ".repeat(100) })),
      line: 2
    }
    const batches = batchesOf([longest, longest])
    assert.strictEqual(batches.length, 2)
    for (const batch of batches) assert.isAtMost(lengthOf(batch), 64 * 1024)
  })
})
