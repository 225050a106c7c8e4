/** Counts this screen's changes to the ledger, so that it is reloaded. */
import { signal } from "@preact/signals"

/** Increases with each change. */
export const ledgerChanges = signal(0)
