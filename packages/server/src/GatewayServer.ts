/** The gateway on a listening server, the same in every process. */
import type { Host } from "@postcode/api"
import type { PriceList } from "@postcode/core/Prices"
import { SignUpSettings } from "@postcode/gateway/accounts/signUp/SignUpSettings"
import { type DatedPage, Terms } from "@postcode/gateway/accounts/Terms"
import { BuyCreditsUrl } from "@postcode/gateway/credits/BuyCreditsUrl"
import { Prices } from "@postcode/gateway/credits/Prices"
import { OpeningCredits } from "@postcode/gateway/organizations/OpeningCredits"
import type { SecretPorts } from "@postcode/gateway/Store"
import { SupportContact } from "@postcode/gateway/SupportContact"
import { WebhooksMayBePrivate } from "@postcode/gateway/webhooks/Webhook"
import {
  type Gateway,
  type GatewayOptions,
  type GatewayPorts,
  type HostedFile,
  type ListenFailed,
  type Listening,
  makeGateway,
  type ServeOptions,
  serve,
  traceGateway
} from "@postcode/http"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { makeAccessLog } from "./log/AccessLog.ts"
import { layerServiceLog } from "./log/ServiceLog.ts"
import { layerMailSettings, type MailInput } from "./MailInput.ts"
import { layerSecrets, type ServiceSecrets } from "./ServiceSecrets.ts"
import { measureProcess } from "./telemetry/measureProcess.ts"
import type { ProcessMetrics } from "./telemetry/ProcessMetrics.ts"
import type { TracingSettings } from "./telemetry/TracingSettings.ts"
import { tracedPorts } from "./telemetry/tracedPorts.ts"

/** The gateway's settings. Structured-cloneable, to be sent to a worker. */
export interface GatewaySettings extends Omit<GatewayOptions, "host" | "loadControl" | "onAnswer" | "operatorToken"> {
  readonly secrets: ServiceSecrets
  readonly trustedProxies: ReadonlyArray<string>
  readonly files: ReadonlyArray<HostedFile>
  readonly loadControl: false | undefined
  readonly prices: PriceList
  /** The operator's page where organizations buy credits; undefined for none. */
  readonly buyCreditsUrl: string | undefined
  readonly accessLog: boolean
  /** Maximum open connections per process. */
  readonly maxConnections: number
  /** Where to send traces; undefined for none. */
  readonly tracing: TracingSettings | undefined
  readonly webhooksMayBePrivate: boolean
  /** Undefined if no mail is sent. */
  readonly mail: MailInput | undefined
  /** Where customers ask questions; undefined for nowhere. */
  readonly signUp: SignUpSettings
  /** The test credits of a new organization. */
  readonly testCredits: number
  readonly supportContact: string | undefined
  /** When organizations that were never used are closed; undefined for never. */
  readonly closeUnusedAfter_days: number | undefined
  readonly terms: DatedPage | undefined
  readonly privacy: DatedPage | undefined
}

/** The gateway's dependencies besides its store. */
export const layerSettings = ({
  buyCreditsUrl,
  mail,
  prices,
  privacy,
  secrets,
  signUp,
  supportContact,
  terms,
  testCredits,
  webhooksMayBePrivate
}: GatewaySettings): Layer.Layer<SecretPorts> =>
  Layer.mergeAll(
    layerSecrets(secrets),
    Layer.succeed(Prices, prices),
    Layer.succeed(BuyCreditsUrl, buyCreditsUrl),
    Layer.succeed(WebhooksMayBePrivate, webhooksMayBePrivate),
    Layer.succeed(SupportContact, supportContact),
    Layer.succeed(Terms, { terms, privacy }),
    Layer.succeed(SignUpSettings, signUp),
    Layer.succeed(OpeningCredits, { test: testCredits, live: 0 }),
    layerMailSettings(mail),
    layerServiceLog
  )

/** The listening address. */
export interface ServiceAddress extends Pick<ServeOptions, "host" | "port"> {
  /** The platform's port, if separate: only it then serves the widget's endpoints. */
  readonly platformPort: number | undefined
}

/** The bound address: the gateway's, and the platform's if separate. */
export interface ListeningService extends Listening {
  readonly platform: Listening | undefined
}

/**
 * Listens until its scope closes; then drains and flushes the access log. Both hosts drain together.
 *
 * @param metrics those of this process; undefined if they are not read
 */
export const serveGatewayAt = (
  { platformPort, ...at }: ServiceAddress,
  settings: GatewaySettings,
  metrics: ProcessMetrics | undefined
): Effect.Effect<ListeningService, ListenFailed, GatewayPorts | Scope.Scope> =>
  Effect.gen(function* () {
    const gateways: Array<Gateway> = []
    if (metrics !== undefined) yield* measureProcess(metrics, () => gateways.flatMap((gateway) => gateway.load() ?? []))
    const onAnswer = yield* answerListener(settings, metrics)
    const operatorToken = Redacted.make(settings.secrets.operatorToken)
    const openGateway = yield* withTracing(settings)
    const files = [...settings.files, ...(yield* streetFiles)]
    const serveHost = (host: Host, at: ServeOptions) =>
      Effect.flatMap(openGateway({ ...settings, files, host, operatorToken, onAnswer }), (gateway) => {
        gateways.push(gateway)
        return serve(metrics === undefined ? gateway : countingInFlight(gateway, metrics), {
          ...at,
          maxConnections: settings.maxConnections,
          ...(metrics !== undefined && connectionCounters(metrics))
        })
      })
    if (platformPort === undefined) return { ...(yield* serveHost("both", at)), platform: undefined }
    const hosts = yield* Effect.acquireRelease(Scope.make("parallel"), (hosts, exit) => Scope.close(hosts, exit))
    const inOwnScope = (host: Host, port: number) =>
      Effect.flatMap(Scope.fork(hosts, "sequential"), (scope) =>
        Effect.provideService(serveHost(host, { ...at, port }), Scope.Scope, scope)
      )
    const gateway = yield* inOwnScope("gateway", at.port)
    return { ...gateway, platform: yield* inOwnScope("platform", platformPort) }
  })

/** Each process has its own, which it reads when the first map is shown: they are too large to send to workers. */
const streetFiles = Effect.promise(async () => (await import("@postcode/widget/map")).mapFiles())

/** Creates gateways whose sampled requests are traced, if tracing is on. */
const withTracing = ({
  tracing,
  trustedProxies
}: GatewaySettings): Effect.Effect<typeof makeGateway, never, Scope.Scope> =>
  tracing === undefined
    ? Effect.succeed(makeGateway)
    : Effect.map(
        Effect.flatMap(
          Effect.promise(() => import("./telemetry/tracing.ts")),
          ({ makeTracing }) => makeTracing(tracing)
        ),
        (options) => (gatewayOptions) =>
          Effect.map(Effect.updateContext(makeGateway(gatewayOptions), tracedPorts<GatewayPorts>), (gateway) =>
            traceGateway(gateway, { ...options, trustedProxies })
          )
      )

/** Observes the responses of this process, on both hosts; undefined if nothing does. */
const answerListener = (
  { accessLog }: GatewaySettings,
  metrics: ProcessMetrics | undefined
): Effect.Effect<GatewayOptions["onAnswer"], never, Scope.Scope> =>
  Effect.map(accessLog ? makeAccessLog : Effect.undefined, (log) => {
    const count = metrics?.countAnswer
    if (log === undefined || count === undefined) return log ?? count
    return (record) => {
      log(record)
      count(record)
    }
  })

const connectionCounters = ({
  connections,
  connectionsRefused
}: ProcessMetrics): Pick<ServeOptions, "onConnection" | "onConnectionRefused"> => ({
  onConnection: (change) => connections.add(change),
  onConnectionRefused: () => connectionsRefused.add(1)
})

/** Counts requests that await something. Synchronous ones are never in flight. */
const countingInFlight = (gateway: Gateway, { inFlight }: ProcessMetrics): Gateway => ({
  ...gateway,
  answer: (request) => {
    const answering = gateway.answer(request)
    if (Exit.isExit(answering)) return answering
    return Effect.suspend(() => {
      inFlight.add(1)
      return Effect.onExit(answering, () => Effect.sync(() => inFlight.add(-1)))
    })
  }
})
