/** Usage in memory, by organization and key, for somewhat more days than a report covers. */

import type { Environment } from "@postcode/core/Credits"
import { notFound } from "@postcode/gateway/Errors"
import { type DayCount, dateOf, dayOf, UsageCounts } from "@postcode/gateway/usage/UsageCounts"
import {
  type DailyUsage,
  type Traffic,
  trafficSlot_ms,
  type UsageEvent,
  type UsageGrouping,
  UsageLog,
  type UsageQuery
} from "@postcode/gateway/usage/UsageLog"
import { Effect, Layer } from "effect"
import { MemoryState } from "./MemoryState.ts"

export const layerUsageLog: Layer.Layer<UsageLog, never, MemoryState> = Layer.effect(
  UsageLog,
  Effect.gen(function* () {
    const { organizations } = yield* MemoryState
    const byOrganization = new Map<string, Keys>()

    const open = (event: UsageEvent): CountedKey | undefined => {
      if (!organizations.has(event.organization_id)) return undefined
      const keys: Keys = byOrganization.get(event.organization_id) ?? new Map()
      const key = { environment: event.environment, counts: new UsageCounts() }
      byOrganization.set(event.organization_id, keys.set(event.key_id, key))
      return key
    }

    return UsageLog.of({
      record: (event) => {
        const key = byOrganization.get(event.organization_id)?.get(event.key_id) ?? open(event)
        if (key?.counts.add(event) === 1) evictOldDays(key.counts)
      },

      daily: (query) =>
        Effect.suspend(() =>
          organizations.has(query.organization_id)
            ? Effect.succeed(report(byOrganization.get(query.organization_id), query))
            : Effect.fail(notFound("organization"))
        ),

      traffic: ({ key_id, organization_id }, since_ms) =>
        Effect.sync(() => sinceThen(byOrganization.get(organization_id)?.get(key_id), since_ms))
    })
  })
)

interface CountedKey {
  readonly environment: Environment
  readonly counts: UsageCounts
}

type Keys = Map<string, CountedKey>

/** More than the days of a report. */
const keptDays = 400

/** Days are in order of their first request. */
const evictOldDays = (counts: UsageCounts): void => {
  const firstKept = (counts.days.at(-1) as DayCount).day - keptDays
  if ((counts.days[0] as DayCount).day < firstKept) counts.days = counts.days.filter(({ day }) => day >= firstKept)
}

/** A sum and its sort keys. */
interface Row {
  readonly day: number
  readonly group: number | string | null
  requests: number
  credits: number
}

const report = (keys: Keys | undefined, query: UsageQuery): ReadonlyArray<DailyUsage> => {
  const { by, environment, from, key_id, limit, to } = query
  const [first, last] = [dayOf(Date.parse(from)), dayOf(Date.parse(to))]
  const byDay = new Map<number, Map<Row["group"], Row>>()
  for (const [id, key] of keys ?? []) {
    if (key.environment !== environment || (key_id ?? id) !== id) continue
    for (const count of key.counts.days) {
      if (count.day < first || count.day > last) continue
      const rows = byDay.get(count.day) ?? new Map<Row["group"], Row>()
      byDay.set(count.day, rows)
      const group = by === "key" ? id : count[by]
      const row = rows.get(group) ?? { day: count.day, group, requests: 0, credits: 0 }
      row.requests += count.requests
      row.credits += count.credits
      rows.set(group, row)
    }
  }
  const rows = [...byDay.values()].flatMap((rows) => [...rows.values()])
  return rows
    .sort(inOrder)
    .slice(0, limit)
    .map((row) => toDailyUsage(by, row))
}

/** By day, then by group; null first. */
const inOrder = (a: Row, b: Row): number => {
  if (a.day !== b.day) return a.day - b.day
  if (a.group === null || b.group === null) return a.group === null ? -1 : 1
  return a.group < b.group ? -1 : 1
}

const toDailyUsage = (by: UsageGrouping, { credits, day, group, requests }: Row): DailyUsage => {
  const name = by === "key" ? "key_id" : by
  return { date: dateOf(day), [name]: group, requests, credits } as unknown as DailyUsage
}

const sinceThen = (key: CountedKey | undefined, since_ms: number): Traffic => {
  const traffic = { requests: 0, credits: 0, refused: 0 }
  for (const { credits, refused, requests, slot } of key?.counts.slots ?? []) {
    if (slot * trafficSlot_ms < since_ms) continue
    traffic.requests += requests
    traffic.credits += credits
    traffic.refused += refused
  }
  return traffic
}
