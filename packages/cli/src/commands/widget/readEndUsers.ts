/** Reads the end users of a file of any length: memory holds one block and the hashes of the identifiers. */

import { byteTextReader } from "../../csv/ByteText.ts"
import { openInput } from "../../csv/InputBytes.ts"
import { CommandFailure } from "../../ExitCode.ts"
import type { CheckedBlocks } from "./CheckedBlocks.ts"
import { EndUserRows, type EndUserRowsOptions, type FoundEndUser } from "./EndUserRows.ts"

/** The file, and the callbacks. */
export interface ReadEndUsers extends EndUserRowsOptions {
  readonly file: string
  /** The hashes of the first pass; reading fails if the file differs. */
  readonly blocks: CheckedBlocks
  /** Called with the number of rows read, and the fraction of the file. */
  readonly onProgress?: (rows: number, share: number) => void
}

/** Reads a file block by block. */
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
