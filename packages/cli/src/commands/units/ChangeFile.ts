/** A file of changes: its lines, and the batches in which they are applied. */
import type { Hash } from "node:crypto"
import { maxBatchChanges } from "@postcode/gateway/directory/changes/DirectoryChanges"
import type { InputBytes } from "@postcode/server/directory/InputBytes"
import { RequestBatches } from "../RequestBatches.ts"
import { ChangeReader } from "./ChangeReader.ts"
import type { Change } from "./UnitChanges.ts"

/** A change and its line. */
export interface LineChange {
  readonly line: number
  readonly change: Change
}

/** A line with a change, or with a fault. */
export type ChangeLine = LineChange | { readonly line: number; readonly fault: string }

/**
 * Reads a file in pieces of a few thousand lines.
 *
 * @param hash takes all bytes, decompressed
 * @param onNote takes what the user should know of how the file is written
 * @throws CommandFailure if it is neither CSV nor JSON lines
 */
export async function* readChanges(
  input: InputBytes,
  hash: Hash,
  signal: AbortSignal,
  onNote: (note: string) => void = () => {}
): AsyncGenerator<ReadonlyArray<ChangeLine>> {
  let lines: Array<ChangeLine> = []
  const reader = new ChangeReader({
    onChange: (line, change) => lines.push({ line, change }),
    onBadLine: (line, fault) => lines.push({ line, fault }),
    onNote
  })
  for await (const chunk of input.chunks) {
    signal.throwIfAborted()
    hash.update(chunk)
    reader.write(chunk)
    yield lines
    lines = []
  }
  reader.end()
  yield lines
}

/** A body has at most 4 MiB, of which the other fields take less than 4 KiB. */
const maxBatch_bytes = 4 * 1024 * 1024 - 4096

/** The changes in batches, each as large as the service takes it. The same file always has the same batches. */
export async function* batchesOf(
  pieces: AsyncIterable<ReadonlyArray<ChangeLine>>
): AsyncGenerator<ReadonlyArray<LineChange>> {
  const batches = new RequestBatches<LineChange>(maxBatchChanges, maxBatch_bytes, ({ change }) => change)
  for await (const lines of pieces) {
    for (const line of lines) {
      const full = "change" in line ? batches.add(line) : undefined
      if (full !== undefined) yield full
    }
  }
  if (batches.rest.length > 0) yield batches.rest
}
