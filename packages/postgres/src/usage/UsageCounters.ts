/** Usage counters in memory that are not in the database yet. */

import { UsageCounts } from "@postcode/gateway/usage/UsageCounts"
import type { UsageEvent } from "@postcode/gateway/usage/UsageLog"

/** The counters of one key. */
export interface CountedKey extends Pick<UsageEvent, "environment" | "key_id" | "organization_id"> {
  readonly counts: UsageCounts
}

/** Counters by key, up to a maximum. */
export class UsageCounters {
  private readonly maximum: number
  private readonly keys = new Map<string, CountedKey>()
  private counters = 0
  private dropped = 0

  /** @param maximum number of counters; requests that need one more are not counted */
  constructor(maximum: number) {
    this.maximum = maximum
  }

  get size(): number {
    return this.counters
  }

  add(event: UsageEvent): void {
    const known = this.keys.get(event.key_id)
    if (this.counters >= this.maximum && known?.counts.has(event) !== true) this.dropped++
    else this.counters += (known ?? this.open(event)).counts.add(event)
  }

  /** Removes and returns keys with all their counters, oldest first, until they have at least `enough` counters. */
  take(enough: number): ReadonlyArray<CountedKey> {
    const taken: Array<CountedKey> = []
    let counters = 0
    for (const [key_id, key] of this.keys) {
      if (counters >= enough) break
      taken.push(key)
      counters += key.counts.days.length
      this.keys.delete(key_id)
    }
    this.counters -= counters
    return taken
  }

  /** The number of requests that were not counted since the last call. */
  takeDropped(): number {
    const { dropped } = this
    this.dropped = 0
    return dropped
  }

  private open({ environment, key_id, organization_id }: UsageEvent): CountedKey {
    const key = { organization_id, environment, key_id, counts: new UsageCounts() }
    this.keys.set(key_id, key)
    return key
  }
}
