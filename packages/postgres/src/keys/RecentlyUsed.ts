/** A map that holds so many entries and no more: where one more comes, the one goes that was not asked for longest. */
import { OldestKey } from "./OldestKey.ts"

export class RecentlyUsed<A> {
  private readonly most: number
  /** In the order of their last use. */
  private readonly entries = new Map<string, A>()
  private readonly oldest = new OldestKey(this.entries)

  constructor(most: number) {
    this.most = most
  }

  get(key: string): A | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    this.put(key, entry)
    return entry
  }

  set(key: string, entry: A): void {
    this.put(key, entry)
    if (this.entries.size > this.most) this.entries.delete(this.oldest.next() as string)
  }

  delete(key: string): void {
    this.entries.delete(key)
  }

  clear(): void {
    this.entries.clear()
  }

  private put(key: string, entry: A): void {
    this.entries.delete(key)
    this.entries.set(key, entry)
    this.oldest.added()
  }
}
