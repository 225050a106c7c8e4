/** Wraps the webhook queue to count delivery outcomes in a thread's metrics. */

import type { Settlement } from "@postcode/core/Webhook"
import { WebhookQueue } from "@postcode/core/webhooks/WebhookQueue"
import { addNumber } from "@postcode/http"
import { Context, Effect } from "effect"
import { attemptOutcomes, threadBlocks } from "./ThreadMetrics.ts"

/** @param numbers undefined if they are not read: then nothing is counted */
export const countedWebhooks = <A>(
  ports: Context.Context<A | WebhookQueue>,
  numbers: Float64Array | undefined
): Context.Context<A | WebhookQueue> => {
  if (numbers === undefined) return ports
  const queue = Context.get(ports, WebhookQueue)
  const { attempts, lateness } = threadBlocks
  return Context.add(ports, WebhookQueue, {
    lease: (limit, duration_ms) =>
      Effect.tap(queue.lease(limit, duration_ms), (leased) =>
        Effect.sync(() => {
          const due_ms = leased.map(({ delivery }) => Date.parse(delivery.next_attempt_at ?? ""))
          const late_ms = due_ms.filter((at) => !Number.isNaN(at)).map((at) => Date.now() - at)
          numbers[lateness.start] = Math.max(0, ...late_ms) / 1_000
        })
      ),
    settle: (leased, settlement) =>
      Effect.tap(queue.settle(leased, settlement), () =>
        Effect.sync(() => addNumber(numbers, attempts.start + attemptOutcomes.indexOf(outcomeOf(settlement)), 1))
      )
  })
}

const outcomeOf = ({ status }: Settlement): (typeof attemptOutcomes)[number] =>
  status === "pending" ? "retried" : status
