/** Counts what was done on this screen that adds to the ledger, so that it is read again. */
import { signal } from "@preact/signals"

/** Rises with each change. */
export const ledgerChanges = signal(0)
