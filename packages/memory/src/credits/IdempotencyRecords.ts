/**
 * Idempotency records of charges: the newest of all chains of API keys, dropped after expiry. Free requests have a separate
 * capacity, so that they cannot evict records of paid ones.
 */
import type { ChangedRecord, IdempotencyRecord } from "@postcode/core/Credits"
import { LRUCache } from "lru-cache"

type Records = LRUCache<string, ChangedRecord>

export class IdempotencyRecords {
  private readonly free: Records
  private readonly paid: Records

  /** @param maxEach capacity for free records, and for paid records */
  constructor(maxEach: number) {
    // Unlike `max`, `maxSize` allocates no memory in advance.
    const newest = (): Records => new LRUCache({ maxSize: maxEach, sizeCalculation: () => 1 })
    this.free = newest()
    this.paid = newest()
  }

  /** The number of records kept. */
  get size(): number {
    return this.free.size + this.paid.size
  }

  /** The valid record of a chain and an idempotency key. */
  find(chain_id: string, key: string, now_ms: number): IdempotencyRecord | undefined {
    for (const records of [this.free, this.paid]) {
      while ((oldestOf(records)?.expires_at_ms ?? Number.POSITIVE_INFINITY) <= now_ms) records.pop()
    }
    const id = idOf(chain_id, key)
    const found = this.paid.peek(id) ?? this.free.peek(id)
    // A record that was free at first, or created after the clock was set back, may expire before earlier ones.
    return found !== undefined && found.expires_at_ms > now_ms ? found : undefined
  }

  /** Stores or replaces a record. */
  set(record: ChangedRecord): void {
    const id = idOf(record.chain_id, record.key)
    const [records, others] = record.charged > 0 ? [this.paid, this.free] : [this.free, this.paid]
    others.delete(id)
    records.set(id, record)
  }
}

const oldestOf = (records: Records): ChangedRecord | undefined => {
  const [oldest] = records.rvalues()
  return oldest
}

/** Unambiguous, as the length of the first part is known. */
const idOf = (chain_id: string, key: string): string => `${chain_id.length} ${chain_id}${key}`
