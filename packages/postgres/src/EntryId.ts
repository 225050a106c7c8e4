/** Ids of ledger entries, made by the replica, so that an entry can be looked for after a commit in doubt. */
import { randomBytes } from "node:crypto"

/**
 * A new id: 48 bits of time in ms, so that ids of one time lie side by side in an index, and 80 random bits.
 *
 * @example newEntryId() // "ent_019c1a2b3c4d5e6f7a8b9c0d1e2f3a4b"
 */
export const newEntryId = (): string =>
  `ent_${Date.now().toString(16).padStart(12, "0")}${randomBytes(10).toString("hex")}`
