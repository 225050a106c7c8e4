/**
 * What was charged under which idempotency key. A record is in force for `idempotencyRetention_ms` from its first
 * charge on; older ones are dropped whenever one is looked for, so no more is kept than what is in force.
 */
import { idempotencyRetention_ms } from "@postcode/core/ports/CreditLedger"

export interface IdempotencyRecord {
  readonly fingerprint: string
  /** All that was taken under the key so far, in credits. */
  charged: number
}

interface Kept extends IdempotencyRecord {
  readonly name: string
  readonly expires_at_ms: number
  /** The record made next. A chain, since a `Map` that is emptied from its front gets slower and slower. */
  next: Kept | undefined
}

export class IdempotencyRecords {
  private readonly byName = new Map<string, Kept>()
  private oldest: Kept | undefined
  private newest: Kept | undefined

  /** The number of records kept. */
  get size(): number {
    return this.byName.size
  }

  /** The record in force for what a client sent with an API key. */
  find(key_id: string, key: string, now_ms: number): IdempotencyRecord | undefined {
    this.dropExpired(now_ms)
    const kept = this.byName.get(nameOf(key_id, key))
    // After the clock was set back, a record may outlive the one behind which it waits to be dropped.
    return kept !== undefined && kept.expires_at_ms > now_ms ? kept : undefined
  }

  add(key_id: string, key: string, fingerprint: string, charged: number, now_ms: number): void {
    const name = nameOf(key_id, key)
    const kept: Kept = { name, fingerprint, charged, expires_at_ms: now_ms + idempotencyRetention_ms, next: undefined }
    this.byName.set(name, kept)
    if (this.newest === undefined) this.oldest = kept
    else this.newest.next = kept
    this.newest = kept
  }

  private dropExpired(now_ms: number): void {
    while (this.oldest !== undefined && this.oldest.expires_at_ms <= now_ms) {
      if (this.byName.get(this.oldest.name) === this.oldest) this.byName.delete(this.oldest.name)
      this.oldest = this.oldest.next
    }
    if (this.oldest === undefined) this.newest = undefined
  }
}

const nameOf = (key_id: string, key: string): string => `${key_id} ${key}`
