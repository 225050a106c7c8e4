/** Reads a file once before it is enriched: whether it is the same as before, and what the service may charge for it. */
import { createHash } from "node:crypto"
import type { FormOptions } from "@postcode/core/Csv"
import { openInput } from "@postcode/server/directory/InputBytes"
import { makeProgress } from "@postcode/server/process/Progress"
import { CsvInput } from "../../csv/CsvInput.ts"
import type { Enrichment } from "./Enrichment.ts"
import { EnrichRows, itemsOf } from "./EnrichRows.ts"

/** What is known of a file before anything is asked for. */
export interface Survey {
  /** The SHA-256 of the content, decompressed. */
  readonly sha256: string
  /** The number of different items that may be charged, by the number of the batch. */
  readonly distinct: ReadonlyArray<number>
}

/** Which file, and how it is written. */
export interface SurveyedFile {
  readonly file: string
  readonly sheet: string | undefined
  readonly noHeader: boolean
  readonly form: FormOptions
}

/** @throws CommandFailure if the columns are not found */
export const surveyFile = async <Item>(
  { file, form, noHeader, sheet }: SurveyedFile,
  enrichment: Enrichment<Item>,
  signal: AbortSignal
): Promise<Survey> => {
  const { chunks, name, share } = await openInput(file, { sheet })
  const progress = makeProgress({ doing: `reading ${name}`, what: "MB" })
  const rows = new EnrichRows(enrichment, noHeader)
  const csv = new CsvInput(rows, { ...form, noHeader, onNote: () => {} })
  const hash = createHash("sha256")
  const distinct: Array<number> = []
  const count = (isEnd: boolean) => {
    for (const batch of rows.take(isEnd)) distinct.push(enrichment.distinct(itemsOf(batch)))
  }
  let read_bytes = 0
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted()
      hash.update(chunk)
      csv.write(chunk)
      count(false)
      read_bytes += chunk.length
      progress.update(Math.round(read_bytes / 1e6), share())
    }
    csv.end()
    rows.end()
    count(true)
    return { sha256: hash.digest("hex"), distinct }
  } finally {
    progress.clear()
  }
}
