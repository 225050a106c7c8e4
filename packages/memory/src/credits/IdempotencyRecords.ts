/**
 * Idempotency records of charges: the newest of all API keys, dropped after expiry. Free requests have a separate
 * capacity, so that they cannot evict records of paid ones.
 */
import type { ChangedRecord, IdempotencyRecord } from "@postcode/core/credits/decideCharges"

export class IdempotencyRecords {
  private readonly maximumEach: number
  private readonly byKey = new Map<string, Map<string, Kept>>()
  private readonly free = new Chain()
  private readonly paid = new Chain()

  /** @param maximumEach capacity for free records, and for paid records */
  constructor(maximumEach: number) {
    this.maximumEach = maximumEach
  }

  /** The number of records kept. */
  get size(): number {
    return this.free.length + this.paid.length
  }

  /** The valid record of an API key and an idempotency key. */
  find(key_id: string, key: string, now_ms: number): IdempotencyRecord | undefined {
    for (const chain of [this.free, this.paid]) {
      while (chain.oldest !== undefined && chain.oldest.expires_at_ms <= now_ms) this.drop(chain.oldest, chain)
    }
    const kept = this.byKey.get(key_id)?.get(key)
    // A record that was free at first, or created after the clock was set back, may expire before earlier ones.
    return kept !== undefined && kept.expires_at_ms > now_ms ? kept : undefined
  }

  /** Stores or replaces a record. */
  set(record: ChangedRecord): void {
    const { charged, expires_at_ms, key, key_id } = record
    const before = this.byKey.get(key_id)?.get(key)
    if (before !== undefined && before.expires_at_ms === expires_at_ms) {
      this.update(before, charged)
      return
    }
    if (before !== undefined) this.drop(before, this.chainOf(before))
    const kept: Kept = { ...record, older: undefined, newer: undefined }
    const own = this.byKey.get(key_id)
    if (own === undefined) this.byKey.set(key_id, new Map([[key, kept]]))
    else own.set(key, kept)
    this.chainOf(kept).append(kept)
    this.makeRoom()
  }

  private update(kept: Kept, charged: number): void {
    const before = this.chainOf(kept)
    kept.charged = charged
    if (this.chainOf(kept) === before) return
    before.remove(kept)
    this.paid.append(kept)
    this.makeRoom()
  }

  private makeRoom(): void {
    for (const chain of [this.free, this.paid]) {
      if (chain.length > this.maximumEach) this.drop(chain.oldest as Kept, chain)
    }
  }

  private chainOf({ charged }: Kept): Chain {
    return charged > 0 ? this.paid : this.free
  }

  private drop(kept: Kept, chain: Chain): void {
    chain.remove(kept)
    const own = this.byKey.get(kept.key_id)
    own?.delete(kept.key)
    if (own?.size === 0) this.byKey.delete(kept.key_id)
  }
}

interface Kept extends ChangedRecord {
  charged: number
  older: Kept | undefined
  newer: Kept | undefined
}

/** FIFO list of records. Deleting from the front of a `Map` becomes slower and slower. */
class Chain {
  oldest: Kept | undefined
  length = 0
  private newest: Kept | undefined

  append(kept: Kept): void {
    kept.older = this.newest
    if (this.newest === undefined) this.oldest = kept
    else this.newest.newer = kept
    this.newest = kept
    this.length++
  }

  remove(kept: Kept): void {
    if (kept.older === undefined) this.oldest = kept.newer
    else kept.older.newer = kept.newer
    if (kept.newer === undefined) this.newest = kept.older
    else kept.newer.older = kept.older
    kept.older = undefined
    kept.newer = undefined
    this.length--
  }
}
