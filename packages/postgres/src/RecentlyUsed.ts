/** A map that holds so many entries and no more: where one more comes, the one goes that was not asked for longest. */
export class RecentlyUsed<A> {
  private readonly most: number
  /** In the order of their last use. */
  private readonly entries = new Map<string, A>()

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
    if (this.entries.size <= this.most) return
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest)
      return
    }
  }

  clear(): void {
    this.entries.clear()
  }
}
