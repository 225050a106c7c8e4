/** Groups end users into requests, up to the maximum number and length. */
import { endUserLimits } from "@postcode/gateway/InputLimits"
import { RequestBatches } from "../RequestBatches.ts"
import type { FoundEndUser } from "./EndUserRows.ts"

/** A body has at most 64 KiB, of which the envelope takes a few bytes. A single end user always fits. */
const maxBatch_bytes = 64 * 1024 - 100

/** Batches the end users in order. */
export function* inBatches(endUsers: Iterable<FoundEndUser>): Generator<ReadonlyArray<FoundEndUser>> {
  const batches = new RequestBatches<FoundEndUser>(
    endUserLimits.batch,
    maxBatch_bytes,
    ({ bookmarks, identifiers }) => ({ identifiers, bookmarks })
  )
  for (const endUser of endUsers) {
    const full = batches.add(endUser)
    if (full !== undefined) yield full
  }
  if (batches.rest.length > 0) yield batches.rest
}
