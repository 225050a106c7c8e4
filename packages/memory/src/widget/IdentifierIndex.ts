/**
 * Accounts by hashed identifier. The time of a look-up does not depend on whether the account exists.
 *
 * Most of the time is cache misses: a plain map reads an account only if it exists, which takes about a microsecond and
 * is measurable by clients. Here every look-up reads an account.
 */

export interface IdentifierEntry<Account> {
  readonly hash: string
  readonly account: Account
}

export class IdentifierIndex<Account> {
  /** Index of an entry in the list. */
  private readonly places = new Map<string, number>()
  private readonly entries: Array<IdentifierEntry<Account>> = []

  has(hash: string): boolean {
    return this.places.has(hash)
  }

  get(hash: string): Account | undefined {
    const place = this.places.get(hash)
    return place === undefined ? undefined : this.entries[place]?.account
  }

  /** The entry of a hash, or another one, the same until the next change; undefined if there are none. */
  nearest(hash: string): IdentifierEntry<Account> | undefined {
    const other = Number.parseInt(hash.slice(-7), 16) % this.entries.length
    return this.entries[this.places.get(hash) ?? other]
  }

  set(hash: string, account: Account): void {
    const place = this.places.get(hash) ?? this.entries.length
    this.places.set(hash, place)
    this.entries[place] = { hash, account }
  }

  delete(hash: string): void {
    const place = this.places.get(hash)
    const last = this.entries.at(-1)
    if (place === undefined || last === undefined) return
    // The last entry fills the gap.
    this.entries[place] = last
    this.places.set(last.hash, place)
    this.entries.pop()
    this.places.delete(hash)
  }
}
