/**
 * Items of many owners that share one capacity. Each item lies in a room; where all are full, the fullest room forgets its
 * oldest item. So what one owner causes never costs another one an item, unless that one has as many.
 */
import type { InvalidParameter } from "@postcode/core/Errors"
import { notACursor, type Page, type PageRequest } from "@postcode/core/Page"
import { Effect } from "effect"
import { cursorOf, indexOf } from "./NewestFirst.ts"
import { NewestKept } from "./NewestKept.ts"

/** Where an item lies. */
interface Place {
  /** Whose list holds it; undefined for nobody's. */
  readonly owner: string | undefined
  /** Within which it makes place for newer ones. */
  readonly room: string
}

interface Kept<A> {
  /** Rises with each item. */
  readonly number: number
  /** Undefined once it is forgotten. */
  item: A | undefined
  readonly owner: string | undefined
}

export class KeptByOwner<A> {
  private readonly maximum: number
  private readonly placeOf: (item: A) => Place
  private readonly all = new Listing<A>()
  private readonly byOwner = new Map<string, Listing<A>>()
  private readonly rooms = new Rooms<Kept<A>>()
  private count = 0

  constructor(maximum: number, placeOf: (item: A) => Place) {
    this.maximum = maximum
    this.placeOf = placeOf
  }

  add(item: A): void {
    const { owner, room } = this.placeOf(item)
    const kept = { number: this.count++, item, owner }
    this.all.push(kept)
    this.listingOf(owner)?.push(kept)
    const forgotten = this.rooms.push(room, kept, this.maximum)
    if (forgotten !== undefined) this.forget(forgotten)
  }

  /**
   * One page, newest first, of all items or of an owner's.
   *
   * @param passes whether the page may hold an item
   */
  page(
    owner: string | undefined,
    page: PageRequest,
    passes: (item: A) => boolean
  ): Effect.Effect<Page<A>, InvalidParameter> {
    const before = page.cursor === undefined ? this.count : indexOf(page.cursor)
    if (!(before <= this.count)) return Effect.fail(notACursor)
    const listing = owner === undefined ? this.all : this.byOwner.get(owner)
    return Effect.succeed(listing?.page(before, page.limit, passes) ?? { items: [], next_cursor: null })
  }

  private forget(kept: Kept<A>): void {
    kept.item = undefined
    this.all.forgetOne()
    this.listingOf(kept.owner)?.forgetOne()
  }

  private listingOf(owner: string | undefined): Listing<A> | undefined {
    if (owner === undefined) return undefined
    const known = this.byOwner.get(owner)
    if (known !== undefined) return known
    const listing = new Listing<A>()
    this.byOwner.set(owner, listing)
    return listing
  }
}

/** Items in the order of their numbers. Forgotten ones are cleared away together, once they are half of all. */
class Listing<A> {
  private entries: Array<Kept<A>> = []
  private forgotten = 0

  push(kept: Kept<A>): void {
    this.entries.push(kept)
  }

  forgetOne(): void {
    if (++this.forgotten * 2 < this.entries.length + leastForgotten) return
    this.entries = this.entries.filter(({ item }) => item !== undefined)
    this.forgotten = 0
  }

  page(before: number, limit: number, passes: (item: A) => boolean): Page<A> {
    const items: Array<A> = []
    let last = before
    for (let index = this.firstFrom(before) - 1; index >= 0; index--) {
      const { item, number } = this.entries[index] as Kept<A>
      if (item === undefined || !passes(item)) continue
      if (items.length === limit) return { items, next_cursor: cursorOf(last) }
      items.push(item)
      last = number
    }
    return { items, next_cursor: null }
  }

  /** The index of the first entry with this number or a higher one. */
  private firstFrom(number: number): number {
    let [low, high] = [0, this.entries.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.entries[middle] as Kept<A>).number < number) low = middle + 1
      else high = middle
    }
    return low
  }
}

const leastForgotten = 1_024

/** Queues by name, of which the longest is known at any time: each step costs the same, however many there are. */
class Rooms<A> {
  private size = 0
  private readonly byName = new Map<string, NewestKept<A>>()
  /** The rooms that hold so many items. */
  private readonly bySize = new Map<number, Set<NewestKept<A>>>()
  private greatest = 0

  /** Adds an item, and answers what is forgotten for it where all rooms together hold as many as they may. */
  push(name: string, item: A, maximum: number): A | undefined {
    const room = this.byName.get(name) ?? new NewestKept<A>()
    this.byName.set(name, room)
    const isFull = this.size === maximum
    // Under a flood this is nearly every item, and nothing moves.
    const forgotten = isFull && room.size === this.greatest ? room.forgetOldest() : undefined
    room.push(item)
    if (forgotten !== undefined) return forgotten
    this.move(room, room.size - 1)
    this.greatest = Math.max(this.greatest, room.size)
    if (isFull) return this.forgetFromFullest()
    this.size++
    return undefined
  }

  /** Of two rooms that hold as many, the one that has held them for longer. */
  private forgetFromFullest(): A {
    const [room] = this.bySize.get(this.greatest) as Set<NewestKept<A>>
    const oldest = (room as NewestKept<A>).forgetOldest() as A
    this.move(room as NewestKept<A>, this.greatest)
    if (!this.bySize.has(this.greatest)) this.greatest--
    return oldest
  }

  private move(room: NewestKept<A>, from: number): void {
    const before = this.bySize.get(from)
    before?.delete(room)
    if (before?.size === 0) this.bySize.delete(from)
    const now = this.bySize.get(room.size) ?? new Set()
    this.bySize.set(room.size, now.add(room))
  }
}
