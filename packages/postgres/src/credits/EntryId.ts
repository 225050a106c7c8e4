/** Ids of ledger entries, made by the replica, so that an entry can be looked for after a commit in doubt. */
import { randomUUID } from "node:crypto"

/**
 * A new id: 48 bits of time in ms, so that ids of one time lie side by side in an index, and 80 random bits.
 *
 * @example newEntryId() // "ent_019c1a2b3c4d5e6f7a8b9c0d1e2f3a4b"
 */
export const newEntryId = (): string => {
  // Node makes these many at a time, random bytes do not come as cheap. Between these two parts not all bits are random.
  const uuid = randomUUID()
  return `ent_${Date.now().toString(16).padStart(12, "0")}${uuid.slice(0, 8)}${uuid.slice(24)}`
}
