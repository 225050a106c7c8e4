import { randomBytes } from "node:crypto"
import { assert, describe, it } from "vitest"
import { CheckedBlocks } from "../../src/commands/widget/CheckedBlocks.ts"

async function* chunksOf(bytes: Buffer, chunk_bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunk_bytes) yield bytes.subarray(at, at + chunk_bytes)
}

/** What is handed out, and whether it was all. */
const read = async (blocks: CheckedBlocks, bytes: Buffer, chunk_bytes = 100_000) => {
  const handedOut: Array<Buffer> = []
  try {
    for await (const block of blocks.read(chunksOf(bytes, chunk_bytes))) handedOut.push(block)
  } catch (error) {
    return { bytes: Buffer.concat(handedOut), end: (error as { readonly message: string }).message }
  }
  return { bytes: Buffer.concat(handedOut), end: "all" }
}

const file = randomBytes(1_000_000)
const changed = (at: number) => Buffer.from(file).fill((file[at] as number) ^ 1, at, at + 1)

describe("the bytes of a file that is read again", () => {
  it("are those of before, however they come in", async () => {
    for (const bytes of [file, Buffer.alloc(0), file.subarray(0, 1 << 18), file.subarray(0, (1 << 18) + 1)]) {
      const blocks = new CheckedBlocks()
      for (const chunk_bytes of [1_000, 1 << 18, 999_999]) {
        assert.deepStrictEqual(await read(blocks, bytes, chunk_bytes), { bytes, end: "all" })
      }
    }
  })

  it("and of a file that is another one by now, none is handed out that was not there before", async () => {
    const others = [
      changed(0),
      changed(600_000),
      changed(999_999),
      file.subarray(0, 999_999),
      file.subarray(0, 1 << 18),
      Buffer.alloc(0),
      Buffer.concat([file, Buffer.from("\n")]),
      Buffer.concat([file.subarray(0, 500_000), file.subarray(500_001)])
    ]
    for (const [i, other] of others.entries()) {
      const blocks = new CheckedBlocks()
      await read(blocks, file)
      const { bytes, end } = await read(blocks, other)
      assert.strictEqual(end, "it has changed since it was checked", `${i}`)
      assert.isTrue(file.subarray(0, bytes.length).equals(bytes), `${i}`)
    }
  })
})
