import { useEffect } from "preact/hooks"
import type { DataOf } from "../../client/Contract.ts"
import { useAction } from "../../hooks/useAction.ts"
import { usePages } from "../../hooks/usePages.ts"
import { badgeOf } from "../../kit/data/Badge.tsx"
import { Time } from "../../kit/data/Time.tsx"
import { announce } from "../../kit/feedback/announce.ts"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { may } from "../../state/permissions.ts"
import { call } from "../../state/session.ts"
import type { Webhook } from "./Webhook.ts"

type Delivery = DataOf<"GET /v1/admin/webhooks/:id/deliveries">["deliveries"][number]

/** The deliveries to an endpoint, newest first. */
export const Deliveries = ({ webhook }: { readonly webhook: Webhook }) => {
  const pages = usePages("GET /v1/admin/webhooks/:id/deliveries", { params: { id: webhook.id }, query: { limit: 20 } })
  const { data, problem, reload } = pages
  const isSoon = data?.deliveries.some(isDue) ?? false
  useEffect(() => {
    if (!isSoon) return
    const timer = setTimeout(reload, pause_ms)
    return () => clearTimeout(timer)
  }, [data, isSoon])
  return (
    <Section
      title="Deliveries"
      lead="Newest first. Each is attempted up to nine times."
      actions={<Button onClick={reload}>Refresh</Button>}
    >
      <Table
        caption="Deliveries"
        // Rows are loaded again while an attempt is due: they do not look busy then.
        loaded={{ ...pages, isLoading: data === undefined && problem === undefined }}
        rows={data?.deliveries}
        keyOf={({ id }) => id}
        empty={<p>No deliveries yet.{may("testWebhook") && " Send a test to check the endpoint."}</p>}
        columns={[
          {
            head: "Event",
            cell: ({ event, event_id }) => (
              <>
                {event}
                <span class="secondary">
                  <code>{event_id}</code>
                </span>
              </>
            )
          },
          {
            head: "Status",
            cell: ({ attempts, status }) => (
              <span>
                <DeliveryBadge status={status} />
                <span class="secondary">{attempts === 1 ? "1 attempt" : `${attempts} attempts`}</span>
              </span>
            )
          },
          { head: "Last response", cell: lastAnswer },
          { head: "Next attempt", cell: ({ next_attempt_at: at }) => at !== undefined && <Time at={at} /> },
          { head: "Created", cell: ({ created_at }) => <Time at={created_at} /> },
          ...(may("retryDelivery") && webhook.status === "active"
            ? [{ head: "Actions", cell: (delivery: Delivery) => <Retry delivery={delivery} onDone={reload} /> }]
            : [])
        ]}
      />
    </Section>
  )
}

/** Whether another attempt is due. */
const isDue = ({ next_attempt_at }: Delivery): boolean =>
  next_attempt_at !== undefined && Date.parse(next_attempt_at) < Date.now() + 10_000

/** A delivery takes about a second. */
const pause_ms = 2_000

const DeliveryBadge = badgeOf<Delivery["status"]>({
  delivered: ["Delivered", "good"],
  failed: ["Failed", "bad"],
  pending: ["Pending", "info"]
})

const lastAnswer = ({ fault, last_attempt_at, last_status }: Delivery) => {
  if (last_attempt_at === undefined) return null
  return (
    <span>
      {last_status === undefined ? fault : `Status ${last_status}`}
      <span class="secondary">
        <Time at={last_attempt_at} />
      </span>
    </span>
  )
}

const Retry = ({ delivery, onDone }: { readonly delivery: Delivery; readonly onDone: () => void }) => {
  const action = useAction(async () => {
    await call("POST /v1/admin/webhook-deliveries/:id/retry", { params: { id: delivery.id } })
    onDone()
    announce("The delivery is sent again")
  })
  if (delivery.status === "delivered") return null
  return (
    <div class="actions">
      <Button isBusy={action.isBusy} label={`Send now: ${delivery.event_id}`} onClick={action.run}>
        Send now
      </Button>
      <ProblemNotice problem={action.problem} onRetry={action.run} />
    </div>
  )
}
