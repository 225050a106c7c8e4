/** Groups end users into requests, up to the maximum number and length. */
import { endUserLimits } from "@postcode/api"
import type { FoundEndUser } from "./EndUserRows.ts"

/** A body has at most 64 KiB, of which the envelope takes a few bytes. A single end user always fits. */
const maxBatch_bytes = 64 * 1024 - 100

/** Batches the end users in order. */
export function* inBatches(endUsers: Iterable<FoundEndUser>): Generator<ReadonlyArray<FoundEndUser>> {
  let batch: Array<FoundEndUser> = []
  let length_bytes = 0
  for (const endUser of endUsers) {
    const more_bytes = lengthOf(endUser)
    if (batch.length === endUserLimits.batch || length_bytes + more_bytes > maxBatch_bytes) {
      yield batch
      batch = []
      length_bytes = 0
    }
    batch.push(endUser)
    length_bytes += more_bytes
  }
  if (batch.length > 0) yield batch
}

/** The length in the request, including the comma. */
const lengthOf = ({ bookmarks, identifiers }: FoundEndUser): number =>
  Buffer.byteLength(JSON.stringify({ identifiers, bookmarks })) + 1
