/**
 * Accounts by the hashes of their identifiers, so that the time of a look-up need not tell whether there is one.
 *
 * Most of that time goes into memory that nobody has read for a while. A plain map reads an account's for somebody, and
 * none for nobody: about a microsecond, which shows in the answers of a service. Here there is always an account to read.
 */

export interface IdentifierEntry<Account> {
  readonly hash: string
  readonly account: Account
}

export class IdentifierIndex<Account> {
  /** Where in the list an entry stands. */
  private readonly places = new Map<string, number>()
  private readonly entries: Array<IdentifierEntry<Account>> = []

  has(hash: string): boolean {
    return this.places.has(hash)
  }

  get(hash: string): Account | undefined {
    const place = this.places.get(hash)
    return place === undefined ? undefined : this.entries[place]?.account
  }

  /** The entry of a hash, or in its place another one, the same until something changes; undefined if there is none. */
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
    // The last one moves into its place, so that there is no gap.
    this.entries[place] = last
    this.places.set(last.hash, place)
    this.entries.pop()
    this.places.delete(hash)
  }
}
