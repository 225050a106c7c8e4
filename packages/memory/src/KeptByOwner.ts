/** Items of many owners that share one room: where it is full, the item that came first of all is forgotten. */
import { NewestKept } from "./NewestKept.ts"

export class KeptByOwner<A> {
  private readonly maximum: number
  private readonly ownerOf: (item: A) => string | undefined
  private readonly items = new NewestKept<A>()
  private readonly byOwner = new Map<string, NewestKept<A>>()

  constructor(maximum: number, ownerOf: (item: A) => string | undefined) {
    this.maximum = maximum
    this.ownerOf = ownerOf
  }

  /** The items of all owners, and those of none, for reading. */
  get all(): ReadonlyKept<A> {
    return this.items
  }

  /** The items of an owner, for reading. Their indexes are the owner's own. */
  of(owner: string): ReadonlyKept<A> {
    return this.byOwner.get(owner) ?? nothing
  }

  add(item: A): void {
    this.items.push(item)
    const owner = this.ownerOf(item)
    if (owner !== undefined) this.listOf(owner).push(item)
    if (this.items.size > this.maximum) this.forgetOldest()
  }

  private forgetOldest(): void {
    const owner = this.ownerOf(this.items.forgetOldest() as A)
    if (owner !== undefined) this.listOf(owner).forgetOldest()
  }

  private listOf(owner: string): NewestKept<A> {
    const known = this.byOwner.get(owner)
    if (known !== undefined) return known
    const list = new NewestKept<A>()
    this.byOwner.set(owner, list)
    return list
  }
}

type ReadonlyKept<A> = Pick<NewestKept<A>, "at" | "first" | "length">

const nothing = new NewestKept<never>()
