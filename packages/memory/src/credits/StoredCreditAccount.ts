/**
 * The balance of an organization's environment and its newest entries. Entries are columns, about 50 bytes each besides
 * the reference, because there are many; a `LedgerEntry` is created only when read.
 */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { EntryReason, LedgerEntry } from "@postcode/core/Credits"
import type { LedgerCapacity } from "./LedgerCapacity.ts"

/** A charge, with a negative amount, or a grant or correction, which has no key. */
export interface NewEntry {
  readonly amount: number
  readonly reason: EntryReason
  readonly reference: string
  readonly key_id?: string
  readonly level?: AccessLevel | undefined
  readonly note?: string
}

type SumEntry = (entry: NewEntry, at_ms: number) => void

export class StoredCreditAccount {
  /** The sum of all entries, including evicted ones, in credits. */
  balance = 0
  /** The low-balance threshold; null if not set. */
  low_balance_threshold: number | null = null
  /** Whether it has an entry besides the opening one. */
  isUsed = false
  /** See `ChargeableAccount`. */
  is_shortage_reported = false
  private readonly idPrefix: string
  private readonly capacity: LedgerCapacity
  private readonly sum: SumEntry
  private readonly amounts: Array<number> = []
  private readonly balances: Array<number> = []
  private readonly times_ms: Array<number> = []
  private readonly reasons: Array<EntryReason> = []
  private readonly references: Array<string> = []
  private readonly keys: Array<string | null> = []
  private readonly levels: Array<AccessLevel | null> = []
  /** By index; only of the few corrections. */
  private readonly notes = new Map<number, string>()
  /** Entries removed from the columns, and evicted entries that are still in front of them. */
  private removed = 0
  private evicted = 0

  /**
   * @param name identifies this account's entries
   * @param capacity shared with other accounts
   * @param sum adds an entry to the sums of its day
   */
  constructor(name: string, capacity: LedgerCapacity, sum: SumEntry) {
    this.idPrefix = `ent_${name}_`
    this.capacity = capacity
    this.sum = sum
  }

  /** The number of entries ever appended. */
  get length(): number {
    return this.removed + this.amounts.length
  }

  /** The index of the oldest entry. */
  get first(): number {
    return this.removed + this.evicted
  }

  /** Appends an entry and returns its index. */
  append(entry: NewEntry, at_ms: number): number {
    this.balance += entry.amount
    if (entry.reason !== "opening") this.isUsed = true
    if (entry.amount > 0) this.is_shortage_reported = false
    this.amounts.push(entry.amount)
    this.balances.push(this.balance)
    this.times_ms.push(at_ms)
    this.reasons.push(entry.reason)
    this.keys.push(entry.key_id ?? null)
    this.levels.push(entry.level ?? null)
    const index = this.removed + this.references.push(entry.reference) - 1
    if (entry.note !== undefined) this.notes.set(index, entry.note)
    this.capacity.add(this)
    this.sum(entry, at_ms)
    return index
  }

  /** Evicts the oldest entry. */
  evictOldest(): void {
    this.notes.delete(this.first)
    this.evicted++
    // Removal moves all remaining entries, so it is delayed until enough entries are evicted.
    if (this.evicted < minRemoved || this.evicted * 2 < this.amounts.length) return
    const { amounts, balances, evicted, keys, levels, reasons, references, times_ms } = this
    for (const column of [amounts, balances, times_ms, reasons, references, keys, levels]) column.splice(0, evicted)
    this.removed += evicted
    this.evicted = 0
  }

  hasReference(index: number, reference: string): boolean {
    return this.references[index - this.removed] === reference
  }

  /** The entry at an index from `first` to `length - 1`. */
  entryAt(number: number): LedgerEntry {
    const index = number - this.removed
    return {
      id: this.idPrefix + number,
      amount: this.amounts[index] as number,
      reason: this.reasons[index] as EntryReason,
      reference: this.references[index] as string,
      key_id: this.keys[index] as string | null,
      level: this.levels[index] as AccessLevel | null,
      note: this.notes.get(number) ?? null,
      balance_after: this.balances[index] as number,
      created_at: new Date(this.times_ms[index] as number).toISOString()
    }
  }
}

/** Minimum number of evicted entries to remove together. */
const minRemoved = 1_024
