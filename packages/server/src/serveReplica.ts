/** One process of the service: its server, and the work besides requests that any number of processes share. */
import { announceDirectory } from "@postcode/gateway/directory/changes/announceDirectory"
import { announceExpiringKeys } from "@postcode/gateway/keys/announceExpiringKeys"
import { Notices } from "@postcode/gateway/notices/Notices"
import { sendNotices } from "@postcode/gateway/notices/sendNotices"
import { watchMailServer } from "@postcode/gateway/notices/watchMailServer"
import { AccessRequests } from "@postcode/gateway/organizations/AccessRequests"
import { closeUnused } from "@postcode/gateway/suspension/closeUnused"
import { sendWebhooks } from "@postcode/gateway/webhooks/sendWebhooks"
import type { WebhookQueue } from "@postcode/gateway/webhooks/WebhookQueue"
import type { GatewayPorts, ListenFailed } from "@postcode/http"
import { layerWebhookTransport } from "@postcode/node/webhooks"
import { Effect, Layer, type Scope } from "effect"
import { type GatewaySettings, type ListeningService, type ServiceAddress, serveGatewayAt } from "./GatewayServer.ts"
import { layerMail, type MailInput } from "./MailInput.ts"
import { countedNotices, countedWebhooks, type MailMetrics } from "./telemetry/countedOutboxes.ts"
import type { ProcessMetrics } from "./telemetry/ProcessMetrics.ts"
import { watchReviews } from "./telemetry/watchReviews.ts"

/**
 * Listens until its scope closes; then drains.
 *
 * @param metrics those of this process; undefined if they are not read
 */
export const serveReplica = (
  address: ServiceAddress,
  settings: GatewaySettings,
  metrics: ProcessMetrics | undefined
): Effect.Effect<ListeningService, ListenFailed, GatewayPorts | Scope.Scope> =>
  Effect.gen(function* () {
    const mail = settings.mail === undefined ? undefined : metrics?.addMail()
    const notices = countedNotices(yield* Notices, mail)
    const serving = Effect.andThen(runSharedWork(settings, metrics, mail), serveGatewayAt(address, settings, metrics))
    return yield* Effect.provideService(serving, Notices, notices)
  })

/** Started before and stopped after the server. */
const runSharedWork = (
  { closeUnusedAfter_days: after_days, mail }: GatewaySettings,
  metrics: ProcessMetrics | undefined,
  mailMetrics: MailMetrics | undefined
) =>
  Effect.gen(function* () {
    const queue = countedWebhooks(yield* Effect.context<WebhookQueue>(), metrics)
    yield* announceExpiringKeys
    yield* announceDirectory
    yield* Effect.provide(sendWebhooks, Layer.provideMerge(layerWebhookTransport(), Layer.succeedContext(queue)))
    if (mail !== undefined) yield* sendMail(mail, mailMetrics)
    if (after_days !== undefined) yield* closeUnused({ after_days })
    if (metrics !== undefined) yield* watchReviews(metrics)
  })

const sendMail = (mail: MailInput, metrics: MailMetrics | undefined) =>
  Effect.gen(function* () {
    const { waiting } = yield* AccessRequests
    const transport = yield* Layer.build(yield* layerMail(mail))
    const sending = Effect.andThen(
      watchMailServer((isUsable) => {
        if (metrics !== undefined) metrics.usable.value = isUsable ? 1 : 0
      }),
      sendNotices(Effect.map(waiting(), ({ count }) => count))
    )
    yield* Effect.provide(sending, transport)
  })
