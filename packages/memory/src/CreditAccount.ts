/**
 * One credit account: its balance and its append-only entries. Entries are kept as columns, about 50 bytes each beside
 * the reference, because a busy account has millions; a `LedgerEntry` is made only where one is read.
 */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { EntryReason, LedgerEntry } from "@postcode/core/Credits"

/** What is written of a charge, with a negative amount, or of what added credits, which no key asked for. */
export interface NewEntry {
  readonly amount: number
  readonly reason: EntryReason
  readonly reference: string
  readonly key_id?: string
  readonly level?: AccessLevel | undefined
}

export class CreditAccount {
  /** The sum of all entries, in credits. */
  balance = 0
  /** Below this the balance is low; null if it never is. */
  low_balance_threshold: number | null = null
  private readonly idPrefix: string
  private readonly amounts: Array<number> = []
  private readonly balances: Array<number> = []
  private readonly times_ms: Array<number> = []
  private readonly reasons: Array<EntryReason> = []
  private readonly references: Array<string> = []
  private readonly keys: Array<string | null> = []
  private readonly levels: Array<AccessLevel | null> = []

  /** @param name tells the entries of this account from those of all others */
  constructor(name: string) {
    this.idPrefix = `ent_${name}_`
  }

  /** The number of entries. */
  get length(): number {
    return this.amounts.length
  }

  /** Adds an entry, and returns its index. */
  append(entry: NewEntry, at_ms: number): number {
    this.balance += entry.amount
    this.amounts.push(entry.amount)
    this.balances.push(this.balance)
    this.times_ms.push(at_ms)
    this.reasons.push(entry.reason)
    this.keys.push(entry.key_id ?? null)
    this.levels.push(entry.level ?? null)
    return this.references.push(entry.reference) - 1
  }

  /** Whether the balance is below the threshold. */
  get isLow(): boolean {
    return this.low_balance_threshold !== null && this.balance < this.low_balance_threshold
  }

  hasReference(index: number, reference: string): boolean {
    return this.references[index] === reference
  }

  /** The entry at an index from 0, the oldest, to `length - 1`. */
  entryAt(index: number): LedgerEntry {
    return {
      id: this.idPrefix + index,
      amount: this.amounts[index] as number,
      reason: this.reasons[index] as EntryReason,
      reference: this.references[index] as string,
      key_id: this.keys[index] as string | null,
      level: this.levels[index] as AccessLevel | null,
      balance_after: this.balances[index] as number,
      created_at: new Date(this.times_ms[index] as number).toISOString()
    }
  }
}
