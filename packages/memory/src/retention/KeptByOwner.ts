/**
 * Items of many owners with one shared capacity, in queues. At capacity, the longest queue evicts its oldest item, so
 * an owner never evicts items of an owner with fewer.
 */
import type { InvalidParameter } from "@postcode/gateway/Errors"
import { notACursor, type Page, type PageRequest } from "@postcode/gateway/Page"
import { Effect } from "effect"
import { cursorOf, indexOf } from "./NewestFirst.ts"
import { NewestKept } from "./NewestKept.ts"

/** The position of an item. */
interface Place {
  /** The owner whose list has the item; undefined without an owner. */
  readonly owner: string | undefined
  /** The queue that the item is in. */
  readonly queue: string
}

interface Kept<A> {
  /** Increases with each item. */
  readonly number: number
  /** Undefined after eviction. */
  item: A | undefined
  readonly owner: string | undefined
}

export class KeptByOwner<A> {
  private readonly maximum: number
  private readonly placeOf: (item: A) => Place
  private readonly all = new Listing<A>()
  private readonly byOwner = new Map<string, Listing<A>>()
  private readonly queues = new Queues<Kept<A>>()
  private count = 0

  constructor(maximum: number, placeOf: (item: A) => Place) {
    this.maximum = maximum
    this.placeOf = placeOf
  }

  add(item: A): void {
    const { owner, queue } = this.placeOf(item)
    const kept = { number: this.count++, item, owner }
    this.all.push(kept)
    this.listingOf(owner)?.push(kept)
    const forgotten = this.queues.push(queue, kept, this.maximum)
    if (forgotten !== undefined) this.forget(forgotten)
  }

  /**
   * One page, newest first, of all items or of an owner's items.
   *
   * @param passes whether an item matches
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

  /**
   * Replaces items of an owner, and returns their number.
   *
   * @param replacement undefined for an item that stays
   */
  replace(owner: string, replacement: (item: A) => A | undefined): number {
    return this.byOwner.get(owner)?.replace(replacement) ?? 0
  }

  /** All items of an owner, oldest first. */
  itemsOf(owner: string): Iterable<A> {
    return this.byOwner.get(owner)?.items() ?? []
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

/** Items in order of their numbers. Evicted items are removed together when they are half of all. */
class Listing<A> {
  private entries: Array<Kept<A>> = []
  private forgotten = 0

  push(kept: Kept<A>): void {
    this.entries.push(kept)
  }

  forgetOne(): void {
    if (++this.forgotten * 2 < this.entries.length + minRemoved) return
    this.entries = this.entries.filter(({ item }) => item !== undefined)
    this.forgotten = 0
  }

  *items(): Generator<A> {
    for (const { item } of this.entries) if (item !== undefined) yield item
  }

  replace(replacement: (item: A) => A | undefined): number {
    let replaced = 0
    for (const entry of this.entries) {
      const item = entry.item === undefined ? undefined : replacement(entry.item)
      if (item === undefined) continue
      entry.item = item
      replaced++
    }
    return replaced
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

  /** The index of the first entry with at least this number. */
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

const minRemoved = 1_024

/** Queues by name; the longest is known at any time. Each operation takes constant time. */
class Queues<A> {
  private size = 0
  private readonly byName = new Map<string, NewestKept<A>>()
  /** Queues by length. */
  private readonly bySize = new Map<number, Set<NewestKept<A>>>()
  private maxLength = 0

  /** Adds an item; returns the item that is evicted for it at capacity. */
  push(name: string, item: A, maximum: number): A | undefined {
    const queue = this.byName.get(name) ?? new NewestKept<A>()
    this.byName.set(name, queue)
    const isFull = this.size === maximum
    // The usual case under a flood; no queue changes its length.
    const forgotten = isFull && queue.size === this.maxLength ? queue.evictOldest() : undefined
    queue.push(item)
    if (forgotten !== undefined) return forgotten
    this.move(queue, queue.size - 1)
    this.maxLength = Math.max(this.maxLength, queue.size)
    if (isFull) return this.evictFromLongest()
    this.size++
    return undefined
  }

  /** Of queues with equal length, the one that has had it longest. */
  private evictFromLongest(): A {
    const [queue] = this.bySize.get(this.maxLength) as Set<NewestKept<A>>
    const oldest = (queue as NewestKept<A>).evictOldest() as A
    this.move(queue as NewestKept<A>, this.maxLength)
    if (!this.bySize.has(this.maxLength)) this.maxLength--
    return oldest
  }

  private move(queue: NewestKept<A>, from: number): void {
    const before = this.bySize.get(from)
    before?.delete(queue)
    if (before?.size === 0) this.bySize.delete(from)
    const now = this.bySize.get(queue.size) ?? new Set()
    this.bySize.set(queue.size, now.add(queue))
  }
}
