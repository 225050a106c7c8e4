/** Usage counters in memory: one for each organization, environment, day and operation. */
import type { Environment } from "@postcode/core/Credits"
import { type DailyUsage, type UsageEvent, UsageLog, type UsageQuery } from "@postcode/core/ports/UsageLog"
import { Effect, Layer } from "effect"
import { MemoryState, noSuchOrganization } from "./MemoryState.ts"

export const layerUsageLog: Layer.Layer<UsageLog, never, MemoryState> = Layer.effect(
  UsageLog,
  Effect.gen(function* () {
    const { organizations } = yield* MemoryState
    const byOrganization = new Map<string, Readonly<Record<Environment, Days>>>()

    return UsageLog.of({
      record: (event) => {
        const days = byOrganization.get(event.organization_id)
        if (days !== undefined) count(days[event.environment], event)
        else if (organizations.has(event.organization_id)) {
          const opened = { test: new Map(), live: new Map() }
          byOrganization.set(event.organization_id, opened)
          count(opened[event.environment], event)
        }
      },

      daily: (query) =>
        Effect.suspend(() => {
          if (!organizations.has(query.organization_id)) return Effect.fail(noSuchOrganization)
          return Effect.succeed(daysWithin(byOrganization.get(query.organization_id)?.[query.environment], query))
        })
    })
  })
)

interface Counter {
  requests: number
  credits: number
}

/** Day → operation → counter. */
type Days = Map<string, Map<string, Counter>>

const count = (days: Days, { credits, date, operation }: UsageEvent): void => {
  const operations = days.get(date) ?? new Map<string, Counter>()
  if (operations.size === 0) days.set(date, operations)
  const counter = operations.get(operation)
  if (counter === undefined) operations.set(operation, { requests: 1, credits })
  else {
    counter.requests++
    counter.credits += credits
  }
}

const daysWithin = (days: Days | undefined, { from, to }: UsageQuery): ReadonlyArray<DailyUsage> => {
  const dates = [...(days?.keys() ?? [])].filter((date) => date >= from && date <= to).sort()
  return dates.flatMap((date) =>
    [...(days?.get(date) ?? [])]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([operation, { credits, requests }]) => ({ date, operation, requests, credits }))
  )
}
