/** A map that holds so many entries and no more: where one more comes, the one goes that was not asked for longest. */
export class RecentlyUsed<A> {
  private readonly most: number
  /** In the order of their last use. */
  private readonly entries = new Map<string, A>()
  /** Goes on where it was: a new iterator walks over all that was removed in front, which takes longer with each one. */
  private readonly oldest = this.entries.keys()

  constructor(most: number) {
    this.most = most
  }

  get(key: string): A | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry
  }

  set(key: string, entry: A): void {
    this.entries.delete(key)
    this.entries.set(key, entry)
    if (this.entries.size > this.most) this.entries.delete(this.oldest.next().value as string)
  }

  clear(): void {
    this.entries.clear()
  }
}
