/** Puts end users together into requests: as many as one may hold, by number and by length. */
import { endUserLimits } from "@postcode/api"
import type { FoundEndUser } from "./EndUserRows.ts"

/** A body has at most 64 KiB; what is around the end users takes a few bytes of it. One alone always fits. */
const longestBatch_bytes = 64 * 1024 - 100

/** The end users in their order, in as few batches as the limits allow. */
export async function* inBatches(
  endUsers: AsyncIterable<ReadonlyArray<FoundEndUser>>
): AsyncGenerator<ReadonlyArray<FoundEndUser>> {
  let batch: Array<FoundEndUser> = []
  let length_bytes = 0
  for await (const some of endUsers) {
    for (const endUser of some) {
      const more_bytes = lengthOf(endUser)
      if (batch.length === endUserLimits.batch || length_bytes + more_bytes > longestBatch_bytes) {
        yield batch
        batch = []
        length_bytes = 0
      }
      batch.push(endUser)
      length_bytes += more_bytes
    }
  }
  if (batch.length > 0) yield batch
}

/** In the request, with the comma behind it. */
const lengthOf = ({ bookmarks, identifiers }: FoundEndUser): number =>
  Buffer.byteLength(JSON.stringify({ identifiers, bookmarks })) + 1
