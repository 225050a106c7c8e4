/** Wraps the outboxes of webhooks and mail to count outcomes in the metrics of a process. */
import type { Notices } from "@postcode/gateway/notices/Notices"
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
    ...queue,
    hasEndpoints: () => {
      const hasEndpoints = queue.hasEndpoints()
      if (!hasEndpoints) lateness.value = 0
      return hasEndpoints
    },
    lease: (limit, duration_ms) =>
      Effect.map(queue.lease(limit, duration_ms), (leased) => {
        lateness.value = latest_s(leased.map(({ delivery }) => delivery.next_attempt_at))
        return leased
      }),
    settle: (leased, settlement) =>
      Effect.map(queue.settle(leased, settlement), () =>
        attempts[settlement.status === "pending" ? "retried" : settlement.status].add(1)
      )
  })
}

/** The metrics of mail. */
export type MailMetrics = ReturnType<ProcessMetrics["addMail"]>

/** The same for notices. */
export const countedNotices = (notices: Notices["Service"], metrics: MailMetrics | undefined): Notices["Service"] => {
  if (metrics === undefined) return notices
  const { attempts, lateness, limited } = metrics
  return {
    ...notices,
    add: (notice) =>
      Effect.tap(notices.add(notice), (outcome) =>
        Effect.sync(() => {
          if (outcome === "limited") limited.add(1)
        })
      ),
    lease: (limit, duration_ms) =>
      Effect.map(notices.lease(limit, duration_ms), (leased) => {
        lateness.value = latest_s(leased.map(({ notice }) => notice.next_attempt_at))
        return leased
      }),
    settle: (leased, settlement) =>
      Effect.map(notices.settle(leased, settlement), () =>
        attempts[settlement.status === "pending" ? "retried" : settlement.status].add(1)
      )
  }
}

/** The longest delay since these times, in seconds; 0 without any. */
const latest_s = (due: ReadonlyArray<string | undefined>): number => {
  const times_ms = due.map((at) => Date.parse(at ?? "")).filter((at) => !Number.isNaN(at))
  return Math.max(0, ...times_ms.map((at) => Date.now() - at)) / 1_000
}
