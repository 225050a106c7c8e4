/** Usage counters in memory: what was not brought to the database yet. */

import { UsageCounts } from "@postcode/core/UsageCounts"
import type { UsageEvent } from "@postcode/core/usage/UsageLog"

/** What was counted of one key. */
export interface CountedKey extends Pick<UsageEvent, "environment" | "key_id" | "organization_id"> {
  readonly counts: UsageCounts
}

/** Counters by key, up to a maximum. */
export class UsageCounters {
  private readonly maximum: number
  private readonly keys = new Map<string, CountedKey>()
  private counters = 0
  private dropped = 0

  /** @param maximum the most counters that are kept; requests that need one more are not counted */
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

  /** Takes keys out with all that was counted of them, the oldest first, until these are enough counters. */
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

  /** How many requests were not counted since this was last asked. */
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
