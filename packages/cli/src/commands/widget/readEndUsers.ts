/** Reads the end users of a file, of any length: memory holds a block of it, and what is kept of each identifier. */

import { byteTextReader } from "../../csv/ByteText.ts"
import { openInput } from "../../csv/InputBytes.ts"
import { CommandFailure } from "../../ExitCode.ts"
import type { CheckedBlocks } from "./CheckedBlocks.ts"
import { EndUserRows, type EndUserRowsOptions, type FoundEndUser } from "./EndUserRows.ts"

/** Which file to read, and who is told of it. */
export interface ReadEndUsers extends EndUserRowsOptions {
  readonly file: string
  /** What the file held when it was read first; it fails where it holds something else now. */
  readonly blocks: CheckedBlocks
  /** Told how many rows were read by now, and which share of the file that is. */
  readonly onProgress?: (rows: number, share: number) => void
}

/** Goes through a file, block by block. */
export async function* readEndUsers(options: ReadEndUsers): AsyncGenerator<ReadonlyArray<FoundEndUser>> {
  const { blocks, file, onProgress } = options
  const input = await openInput(file)
  const found = new EndUserRows(options)
  const csv = byteTextReader(found)
  try {
    for await (const block of blocks.read(input.chunks)) {
      csv.write(block.toString("latin1"))
      onProgress?.(found.rows, input.share())
      yield found.takeWhole()
    }
    csv.end()
    found.finish()
    yield found.takeWhole()
  } catch (error) {
    throw error instanceof CommandFailure ? new CommandFailure(`${file}: ${error.message}`, error.exitCode) : error
  }
}
