/** Indexes the addresses of changed units in a worker thread, so that searches continue meanwhile. */

import { Directory } from "@postcode/core/Directory"
import type { AddressTask } from "@postcode/core/LiveDirectory"
import { type InWorkerOptions, runInWorker } from "./runInWorker.ts"

/**
 * What `indexChangedAddresses` of core makes, in shared memory. A bundled program needs a second entry, as for
 * `mergeInWorker`.
 *
 * Rejects with what the thread failed with, and if it ends before it is done.
 */
export const indexAddressesInWorker = async (task: AddressTask, options: InWorkerOptions = {}): Promise<Directory> => {
  const image = await runInWorker({ _tag: "IndexAddresses", task }, options)
  return Directory.open(image as SharedArrayBuffer, { verify: false })
}
