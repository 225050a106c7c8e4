/** Usage counters in memory: what was not brought to the database yet. */
import type { UsageEvent } from "@postcode/core/ports/UsageLog"

/** What one organization did on one day in one operation, summed up. */
export interface UsageCount extends Omit<UsageEvent, "credits"> {
  requests: number
  credits: number
}

export class UsageCounters {
  private readonly maximum: number
  private counts = new Map<string, UsageCount>()
  private dropped = 0

  /** @param maximum the most counters that are kept; requests that need one more are not counted */
  constructor(maximum: number) {
    this.maximum = maximum
  }

  get size(): number {
    return this.counts.size
  }

  add({ credits, date, environment, operation, organization_id }: UsageEvent): void {
    const key = `${organization_id} ${environment} ${date} ${operation}`
    const count = this.counts.get(key)
    if (count !== undefined) {
      count.requests++
      count.credits += credits
    } else if (this.counts.size < this.maximum) {
      this.counts.set(key, { organization_id, environment, date, operation, requests: 1, credits })
    } else {
      this.dropped++
    }
  }

  /** Takes up to `most` counters out, the oldest first. */
  take(most: number): ReadonlyArray<UsageCount> {
    const taken: Array<UsageCount> = []
    for (const [key, count] of this.counts) {
      if (taken.length === most) break
      taken.push(count)
      this.counts.delete(key)
    }
    return taken
  }

  /** How many requests were not counted since this was last asked. */
  takeDropped(): number {
    const { dropped } = this
    this.dropped = 0
    return dropped
  }
}
