/**
 * One credit account: its balance and its append-only entries. Entries are kept as columns, about 40 bytes each beside
 * the reference, because a busy account has millions; a `LedgerEntry` is made only where one is read.
 */
import type { EntryReason, LedgerEntry } from "@postcode/core/Credits"

export class CreditAccount {
  /** The sum of all entries, in credits. */
  balance = 0
  private readonly idPrefix: string
  private readonly amounts: Array<number> = []
  private readonly balances: Array<number> = []
  private readonly times_ms: Array<number> = []
  private readonly reasons: Array<EntryReason> = []
  private readonly references: Array<string> = []

  /** @param name tells the entries of this account from those of all others */
  constructor(name: string) {
    this.idPrefix = `ent_${name}_`
  }

  /** The number of entries. */
  get length(): number {
    return this.amounts.length
  }

  /** Adds an entry, with a negative amount for a charge, and returns its index. */
  append(amount: number, reason: EntryReason, reference: string, at_ms: number): number {
    this.balance += amount
    this.amounts.push(amount)
    this.balances.push(this.balance)
    this.times_ms.push(at_ms)
    this.reasons.push(reason)
    return this.references.push(reference) - 1
  }

  /** The entry at an index from 0, the oldest, to `length - 1`. */
  entryAt(index: number): LedgerEntry {
    return {
      id: this.idPrefix + index,
      amount: this.amounts[index] as number,
      reason: this.reasons[index] as EntryReason,
      reference: this.references[index] as string,
      balance_after: this.balances[index] as number,
      created_at: new Date(this.times_ms[index] as number).toISOString()
    }
  }
}
