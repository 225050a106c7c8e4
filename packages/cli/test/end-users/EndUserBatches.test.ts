import { endUserLimits } from "@postcode/api"
import { assert, describe, it } from "vitest"
import { inBatches } from "../../src/commands/widget/EndUserBatches.ts"
import type { FoundEndUser } from "../../src/commands/widget/EndUserRows.ts"
import { SeenIdentifiers } from "../../src/commands/widget/SeenIdentifiers.ts"

describe("SeenIdentifiers", () => {
  it("knows what was added, and nothing else, while it grows", () => {
    const seen = new SeenIdentifiers()
    for (let i = 0; i < 20_000; i++) {
      const identifier = `person${i}@example.com`
      assert.isFalse(seen.has(identifier))
      seen.add(identifier)
      if (i % 3 === 0) seen.add(identifier)
    }
    for (let i = 0; i < 20_000; i++) assert.isTrue(seen.has(`person${i}@example.com`))
    for (let i = 0; i < 20_000; i++) assert.isFalse(seen.has(`nobody${i}@example.com`))
  })
})

describe("batches of end users", () => {
  const batchesOf = async (endUsers: ReadonlyArray<FoundEndUser>) => {
    const some = async function* () {
      for (let at = 0; at < endUsers.length; at += 97) yield endUsers.slice(at, at + 97)
    }
    const batches: Array<ReadonlyArray<FoundEndUser>> = []
    for await (const batch of inBatches(some())) batches.push(batch)
    return batches
  }
  const endUser = (i: number, bookmarks: number, label: string): FoundEndUser => ({
    identifiers: [`person${i}@example.com`],
    bookmarks: Array.from({ length: bookmarks }, () => ({ postcode: "LA-12-A03-BG-07" as never, label })),
    line: i + 2
  })
  const lengthOf = (batch: ReadonlyArray<FoundEndUser>) =>
    Buffer.byteLength(
      JSON.stringify({ end_users: batch.map(({ bookmarks, identifiers }) => ({ identifiers, bookmarks })) })
    )

  it("hold all in their order, and none holds more than a request may", async () => {
    const small = Array.from({ length: 1_234 }, (_, i) => endUser(i, i % 2, "Home"))
    const large = Array.from({ length: 50 }, (_, i) => endUser(i, (i * 7) % 100, 'Ilé ọkọ \\ " 🏠'))
    const all = [...small, ...large]
    const batches = await batchesOf(all)
    assert.deepStrictEqual(batches.flat(), all)
    for (const batch of batches) {
      assert.isAtLeast(batch.length, 1)
      assert.isAtMost(batch.length, endUserLimits.batch)
      assert.isAtMost(lengthOf(batch), 64 * 1024)
    }
    assert.isBelow(batches.length, 40)
    assert.deepStrictEqual(await batchesOf([]), [])
  })

  it("the longest end user there can be fits", async () => {
    const longest: FoundEndUser = {
      identifiers: Array.from({ length: 10 }, (_, i) => `${"ọ".repeat(63)}${i}@${"a".repeat(60)}.${"b".repeat(60)}.ng`),
      bookmarks: Array.from({ length: 100 }, () => ({ postcode: "LA-12-A03-BG-07" as never, label: "ọ".repeat(100) })),
      line: 2
    }
    const batches = await batchesOf([longest, longest])
    assert.strictEqual(batches.length, 2)
    for (const batch of batches) assert.isAtMost(lengthOf(batch), 64 * 1024)
  })
})
