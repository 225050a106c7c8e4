/** The capacity for ledger entries, shared by all balances. At capacity, the oldest entry of all is evicted. */
import { NewestKept } from "../retention/NewestKept.ts"

export class LedgerCapacity {
  private readonly maximum: number
  /** The owners of the entries, in order of creation. */
  private readonly owners = new NewestKept<EntryOwner>()

  constructor(maximum: number) {
    this.maximum = maximum
  }

  /** Counts a new entry. */
  add(owner: EntryOwner): void {
    this.owners.push(owner)
    if (this.owners.size > this.maximum) this.owners.evictOldest()?.evictOldest()
  }
}

interface EntryOwner {
  readonly evictOldest: () => void
}
