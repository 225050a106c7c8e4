/** The room that all credit accounts share for their entries: where it is full, the entry that came first of all goes. */
import { NewestKept } from "../retention/NewestKept.ts"

export class LedgerRoom {
  private readonly maximum: number
  /** Whose the entries are, in the order in which all came. */
  private readonly owners = new NewestKept<EntryOwner>()

  constructor(maximum: number) {
    this.maximum = maximum
  }

  /** Takes note of an entry that was just added. */
  add(owner: EntryOwner): void {
    this.owners.push(owner)
    if (this.owners.size > this.maximum) this.owners.forgetOldest()?.forgetOldest()
  }
}

interface EntryOwner {
  readonly forgetOldest: () => void
}
