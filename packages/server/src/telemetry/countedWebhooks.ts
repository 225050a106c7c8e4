/** Wraps the webhook queue to count delivery outcomes in the metrics of a process. */
import { WebhookQueue } from "@postcode/gateway/webhooks/WebhookQueue"
import { Context, Effect } from "effect"
import type { ProcessMetrics } from "./ProcessMetrics.ts"

/** @param metrics undefined if metrics are not read: then nothing is counted */
export const countedWebhooks = <A>(
  ports: Context.Context<A | WebhookQueue>,
  metrics: ProcessMetrics | undefined
): Context.Context<A | WebhookQueue> => {
  if (metrics === undefined) return ports
  const queue = Context.get(ports, WebhookQueue)
  const { attempts, lateness } = metrics
  return Context.add(ports, WebhookQueue, {
    hasEndpoints: () => {
      const hasEndpoints = queue.hasEndpoints()
      if (!hasEndpoints) lateness.value = 0
      return hasEndpoints
    },
    lease: (limit, duration_ms) =>
      Effect.map(queue.lease(limit, duration_ms), (leased) => {
        const due_ms = leased.map(({ delivery }) => Date.parse(delivery.next_attempt_at ?? ""))
        const late_ms = due_ms.filter((at) => !Number.isNaN(at)).map((at) => Date.now() - at)
        lateness.value = Math.max(0, ...late_ms) / 1_000
        return leased
      }),
    settle: (leased, settlement) =>
      Effect.map(queue.settle(leased, settlement), () =>
        attempts[settlement.status === "pending" ? "retried" : settlement.status].add(1)
      )
  })
}
