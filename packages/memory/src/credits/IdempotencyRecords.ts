/**
 * What was charged under which idempotency key; records that have expired are dropped whenever one is looked for. Of all
 * API keys together only the newest are kept. A record under which nothing was taken is free to make, so those have a room
 * of their own, and end none that was paid.
 */
import type { ChangedRecord, IdempotencyRecord } from "@postcode/core/credits/decideCharges"

export class IdempotencyRecords {
  private readonly maximumEach: number
  private readonly byKey = new Map<string, Map<string, Kept>>()
  private readonly free = new Chain()
  private readonly paid = new Chain()

  /** @param maximumEach how many are kept of those that were free, and of those that were paid */
  constructor(maximumEach: number) {
    this.maximumEach = maximumEach
  }

  /** The number of records kept. */
  get size(): number {
    return this.free.length + this.paid.length
  }

  /** The record in force for what a client sent with an API key. */
  find(key_id: string, key: string, now_ms: number): IdempotencyRecord | undefined {
    for (const chain of [this.free, this.paid]) {
      while (chain.oldest !== undefined && chain.oldest.expires_at_ms <= now_ms) this.drop(chain.oldest, chain)
    }
    const kept = this.byKey.get(key_id)?.get(key)
    // One that was free at first, or made after the clock was set back, may end before those in front of it.
    return kept !== undefined && kept.expires_at_ms > now_ms ? kept : undefined
  }

  /** Stores a record in place of the one before. */
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

/** Records in the order in which they came. A `Map` that is emptied from its front gets slower and slower. */
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
