/**
 * The bytes of a file that is read more than once. What it held the first time is kept as a hash of each block, and no
 * block is handed out later that was not there then: so nothing is sent that was not checked, whoever writes to the file
 * meanwhile.
 */
import { hash } from "node:crypto"
import { CommandFailure } from "../../ExitCode.ts"

const block_bytes = 1 << 18

/** Remembers what it handed out first. */
export class CheckedBlocks {
  private readonly hashes: Array<string> = []
  private isFirst = true

  /** Hands a file out in blocks of one length. It fails where the file is another than it was the first time. */
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
