/**
 * One credit account: its balance and its newest entries. Entries are kept as columns, about 50 bytes each beside the
 * reference, because there are many; a `LedgerEntry` is made only where one is read.
 */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { EntryReason, LedgerEntry } from "@postcode/core/Credits"
import type { LedgerRoom } from "./LedgerRoom.ts"

/** What is written of a charge, with a negative amount, or of what added credits, which no key asked for. */
export interface NewEntry {
  readonly amount: number
  readonly reason: EntryReason
  readonly reference: string
  readonly key_id?: string
  readonly level?: AccessLevel | undefined
}

export class StoredCreditAccount {
  /** The sum of all entries that ever were, in credits. */
  balance = 0
  /** Below this the balance is low; null if it never is. */
  low_balance_threshold: number | null = null
  private readonly idPrefix: string
  private readonly room: LedgerRoom
  private readonly amounts: Array<number> = []
  private readonly balances: Array<number> = []
  private readonly times_ms: Array<number> = []
  private readonly reasons: Array<EntryReason> = []
  private readonly references: Array<string> = []
  private readonly keys: Array<string | null> = []
  private readonly levels: Array<AccessLevel | null> = []
  /** How many entries were forgotten and cleared away, and how many wait for that in front of the others. */
  private cleared = 0
  private forgotten = 0

  /**
   * @param name tells the entries of this account from those of all others
   * @param room which accounts share for their entries
   */
  constructor(name: string, room: LedgerRoom) {
    this.idPrefix = `ent_${name}_`
    this.room = room
  }

  /** How many entries there ever were. */
  get length(): number {
    return this.cleared + this.amounts.length
  }

  /** The index of the oldest entry that is kept. */
  get first(): number {
    return this.cleared + this.forgotten
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
    const index = this.cleared + this.references.push(entry.reference) - 1
    this.room.add(this)
    return index
  }

  /** Makes room for newer entries, of this account or of another one. */
  forgetOldest(): void {
    this.forgotten++
    // All that is left moves, so that is worth it only once as much was forgotten.
    if (this.forgotten < fewestCleared || this.forgotten * 2 < this.amounts.length) return
    const { amounts, balances, forgotten, keys, levels, reasons, references, times_ms } = this
    for (const column of [amounts, balances, times_ms, reasons, references, keys, levels]) column.splice(0, forgotten)
    this.cleared += forgotten
    this.forgotten = 0
  }

  hasReference(index: number, reference: string): boolean {
    return this.references[index - this.cleared] === reference
  }

  /** The entry at an index from `first`, the oldest, to `length - 1`. */
  entryAt(number: number): LedgerEntry {
    const index = number - this.cleared
    return {
      id: this.idPrefix + number,
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

/** How many forgotten entries wait at least to be cleared away together. */
const fewestCleared = 1_024
