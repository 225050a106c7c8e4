/** One process of the service: its server, and the work besides requests that any number of processes share. */
import { announceDirectory } from "@postcode/gateway/directory/changes/announceDirectory"
import { announceExpiringKeys } from "@postcode/gateway/keys/announceExpiringKeys"
import { sendWebhooks } from "@postcode/gateway/webhooks/sendWebhooks"
import type { WebhookQueue } from "@postcode/gateway/webhooks/WebhookQueue"
import type { GatewayPorts, ListenFailed } from "@postcode/http"
import { layerWebhookTransport } from "@postcode/node/webhooks"
import { Effect, Layer, type Scope } from "effect"
import { type GatewaySettings, type ListeningService, type ServiceAddress, serveGatewayAt } from "./GatewayServer.ts"
import { countedWebhooks } from "./telemetry/countedWebhooks.ts"
import type { ProcessMetrics } from "./telemetry/ProcessMetrics.ts"

/**
 * Listens until its scope closes; then drains.
 *
 * @param metrics those of this process; undefined if they are not read
 */
export const serveReplica = (
  address: ServiceAddress,
  settings: GatewaySettings,
  metrics: ProcessMetrics | undefined
): Effect.Effect<ListeningService, ListenFailed, GatewayPorts | Scope.Scope | WebhookQueue> =>
  Effect.andThen(runSharedWork(metrics), serveGatewayAt(address, settings, metrics))

/** Started before and stopped after the server. */
export const runSharedWork = (metrics: ProcessMetrics | undefined) =>
  Effect.gen(function* () {
    const queue = countedWebhooks(yield* Effect.context<WebhookQueue>(), metrics)
    yield* announceExpiringKeys
    yield* announceDirectory
    yield* Effect.provide(sendWebhooks, Layer.provideMerge(layerWebhookTransport(), Layer.succeedContext(queue)))
  })
