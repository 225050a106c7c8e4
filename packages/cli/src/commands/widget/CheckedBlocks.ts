/**
 * Reads a file more than once. The first pass stores a hash of each block, and later passes return only blocks that
 * match: data that was not validated is never sent, even if the file changes meanwhile.
 */
import { hash } from "node:crypto"
import { CommandFailure } from "../../ExitCode.ts"

const block_bytes = 1 << 18

/** Stores the hashes of the first pass. */
export class CheckedBlocks {
  private readonly hashes: Array<string> = []
  private isFirst = true

  /** Iterates over a file in blocks of equal length. Fails if a block differs from the first pass. */
  async *read(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { hashes, isFirst } = this
    this.isFirst = false
    let count = 0
    for await (const block of inBlocks(chunks)) {
      const found = hash("sha256", block, "base64")
      if (isFirst) hashes.push(found)
      else if (hashes[count] !== found) throw changed
      count++
      yield block
    }
    if (count !== hashes.length) throw changed
  }
}

const changed = new CommandFailure("it has changed since it was checked")

async function* inBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= block_bytes) {
      yield rest.subarray(0, block_bytes)
      rest = rest.subarray(block_bytes)
    }
  }
  if (rest.length > 0) yield rest
}
