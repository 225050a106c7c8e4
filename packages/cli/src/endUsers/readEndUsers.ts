/** Reads the end users of a file, of any length: memory holds a chunk of it, and what is kept of each identifier. */
import { CommandFailure } from "../ExitCode.ts"
import { CsvRows } from "../offline/CsvRows.ts"
import { openInput } from "../offline/InputBytes.ts"
import { EndUserRows, type FoundEndUser } from "./EndUserRows.ts"

export interface ReadEndUsers {
  readonly file: string
  readonly onBadRow: (line: number, reason: string) => void
  /** Told how many rows were read by now, and which share of the file that is. */
  readonly onProgress?: (rows: number, share: number) => void
}

/** Goes through a file, chunk by chunk. */
export async function* readEndUsers({
  file,
  onBadRow,
  onProgress
}: ReadEndUsers): AsyncGenerator<ReadonlyArray<FoundEndUser>> {
  const input = await openInput(file)
  const found = new EndUserRows(onBadRow)
  const csv = new CsvRows(found)
  try {
    for await (const chunk of input.chunks) {
      csv.write(chunk)
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
