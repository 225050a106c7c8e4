/** Ids of ledger entries. The replica generates them, so that it can look for an entry after a commit in doubt. */
import { randomUUID } from "node:crypto"

/**
 * A new id: 48 bits of time in ms, so that ids of the same time are adjacent in an index, and 80 random bits.
 *
 * @example newEntryId() // "ent_019c1a2b3c4d5e6f7a8b9c0d1e2f3a4b"
 */
export const newEntryId = (): string => {
  // Node generates UUIDs in batches, which is cheaper than `randomBytes`. The omitted middle has fixed bits.
  const uuid = randomUUID()
  return `ent_${Date.now().toString(16).padStart(12, "0")}${uuid.slice(0, 8)}${uuid.slice(24)}`
}
