/** Webhook endpoints and their deliveries in memory. */
import { notFound } from "@postcode/gateway/Errors"
import {
  deliveredAlready,
  maxListeners,
  maxWebhooks,
  tooManyListeners,
  tooManyPending,
  tooManyWebhooks,
  type WebhookEndpoint
} from "@postcode/gateway/webhooks/Webhook"
import { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { Clock, Effect, Layer } from "effect"
import { MemoryState } from "../MemoryState.ts"
import { newestFirst } from "../retention/NewestFirst.ts"
import { type StoredEndpoint, type StoredWebhooks, shownDelivery } from "./StoredWebhooks.ts"

export const layerWebhooks: Layer.Layer<Webhooks, never, MemoryState> = Layer.effect(
  Webhooks,
  Effect.gen(function* () {
    const { organizations, webhooks } = yield* MemoryState
    const clock = yield* Clock.Clock
    return Webhooks.of({
      ...endpointsOf(webhooks, (id) => organizations.has(id)),
      ...deliveriesOf(webhooks, () => clock.currentTimeMillisUnsafe())
    })
  })
)

type Service = Webhooks["Service"]

/** The methods of the port for endpoints. */
const endpointsOf = (
  webhooks: StoredWebhooks,
  hasOrganization: (id: string) => boolean
): Pick<Service, "create" | "get" | "list" | "listen" | "remove" | "rotate"> => {
  const all = webhooks.endpoints
  const of = (organization_id: string): ReadonlyArray<WebhookEndpoint> =>
    [...all.values()].map(({ record }) => record).filter((record) => record.organization_id === organization_id)

  return {
    create: (record, sealed) =>
      Effect.suspend((): ReturnType<Service["create"]> => {
        if (!hasOrganization(record.organization_id)) return Effect.fail(notFound("organization"))
        const others = of(record.organization_id).filter(({ listened_at }) => listened_at === undefined)
        if (others.length >= maxWebhooks) return Effect.fail(tooManyWebhooks)
        all.set(record.id, newEndpoint(record, sealed))
        return Effect.void
      }),
    listen: (record, sealed, silent_since) =>
      Effect.suspend((): ReturnType<Service["listen"]> => {
        const { id, organization_id } = record
        if (!hasOrganization(organization_id)) return Effect.fail(notFound("organization"))
        const others = of(organization_id).flatMap(({ id: other, listened_at }) =>
          other === id || listened_at === undefined ? [] : { endpoint: all.get(other), listened_at }
        )
        for (const { endpoint, listened_at } of others) {
          if (endpoint !== undefined && listened_at < silent_since) webhooks.remove(endpoint)
        }
        const stored = all.get(id)
        if (stored !== undefined) {
          const { created_at } = stored.record
          Object.assign(stored, { record: { ...record, created_at }, secrets: { present: sealed }, leased_until_ms: 0 })
          stored.lease++
          return Effect.succeed(false)
        }
        const heard = others.filter(({ listened_at }) => listened_at >= silent_since)
        if (heard.length >= maxListeners) return Effect.fail(tooManyListeners)
        all.set(id, newEndpoint(record, sealed))
        return Effect.succeed(true)
      }),
    list: (organization_id) =>
      Effect.suspend(() =>
        hasOrganization(organization_id)
          ? Effect.succeed(of(organization_id).toReversed())
          : Effect.fail(notFound("organization"))
      ),
    get: (id) => Effect.map(endpointOf(webhooks, id), ({ record }) => record),
    remove: (id) => Effect.map(endpointOf(webhooks, id), (endpoint) => webhooks.remove(endpoint)),
    rotate: (id, sealed, former_secret_until) =>
      Effect.map(endpointOf(webhooks, id), (endpoint) => {
        endpoint.secrets = { present: sealed, former: endpoint.secrets.present }
        endpoint.record = { ...endpoint.record, former_secret_until }
        return endpoint.record
      })
  }
}

const newEndpoint = (record: WebhookEndpoint, sealed: string): StoredEndpoint => ({
  record,
  secrets: { present: sealed },
  lease: 0,
  leased_until_ms: 0,
  made: 0,
  deliveries: new Map(),
  pending: new Set()
})

/** The methods of the port for deliveries. */
const deliveriesOf = (
  webhooks: StoredWebhooks,
  now_ms: () => number
): Pick<Service, "announce" | "announceDirectory" | "deliveries" | "delivery" | "enqueue" | "retry"> => ({
  announce: (content) => Effect.sync(() => webhooks.announce(content, now_ms())),
  announceDirectory: (decide) =>
    webhooks.announcing.withPermits(1)(
      Effect.tap(
        Effect.suspend(() => decide(webhooks.announced)),
        (next) =>
          Effect.sync(() => {
            if (next === undefined) return
            webhooks.announced = next.version
            if (next.event !== undefined) webhooks.announceToAll(next.event, now_ms())
          })
      )
    ),
  enqueue: (endpoint_id, event) =>
    Effect.flatMap(endpointOf(webhooks, endpoint_id), (endpoint) => {
      const delivery = webhooks.enqueue(endpoint, event, now_ms())
      return delivery === undefined ? Effect.fail(tooManyPending) : Effect.succeed(delivery)
    }),
  delivery: (id) => Effect.map(deliveryOf(webhooks, id), shownDelivery),
  deliveries: (endpoint_id, page) =>
    Effect.suspend(() => {
      const { deliveries, made = 0 } = webhooks.endpoints.get(endpoint_id) ?? {}
      const itemAt = (index: number) => {
        const delivery = deliveries?.get(index)
        return delivery && shownDelivery(delivery)
      }
      const [oldest = 0] = deliveries?.keys() ?? []
      return newestFirst(made, itemAt, page, oldest)
    }),
  retry: (id) =>
    Effect.flatMap(deliveryOf(webhooks, id), (delivery) => {
      if (delivery.record.status === "delivered") return Effect.fail(deliveredAlready)
      delivery.record = { ...delivery.record, status: "pending" }
      delivery.due_ms = now_ms()
      webhooks.endpoints.get(delivery.record.endpoint_id)?.pending.add(delivery)
      return Effect.succeed(shownDelivery(delivery))
    })
})

const endpointOf = (
  { endpoints }: StoredWebhooks,
  id: string
): Effect.Effect<StoredEndpoint, ReturnType<typeof notFound>> =>
  Effect.suspend(() => {
    const endpoint = endpoints.get(id)
    return endpoint === undefined ? Effect.fail(notFound("webhook")) : Effect.succeed(endpoint)
  })

const deliveryOf = ({ deliveries }: StoredWebhooks, id: string) =>
  Effect.suspend(() => {
    const delivery = deliveries.get(id)
    return delivery === undefined ? Effect.fail(notFound("delivery")) : Effect.succeed(delivery)
  })
