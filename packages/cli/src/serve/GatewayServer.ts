/** The gateway behind a listening server, the same whichever thread it runs on. */
import type { Host } from "@postcode/api"
import { type PriceList, Prices } from "@postcode/core/Credits"
import type { PasskeyCeremonies } from "@postcode/core/ports/PasskeyCeremonies"
import type { Passwords } from "@postcode/core/ports/Passwords"
import type { Secrets } from "@postcode/core/ports/Secrets"
import type { SessionTokens } from "@postcode/core/ports/SessionTokens"
import type { WebhookSecrets } from "@postcode/core/ports/WebhookSecrets"
import { WebhooksMayBePrivate } from "@postcode/core/Webhook"
import {
  type GatewayOptions,
  type GatewayPorts,
  type HostedFile,
  type ListenFailed,
  type Listening,
  makeGateway,
  type ServeOptions,
  serve
} from "@postcode/http"
import { Effect, Layer, Redacted, Scope } from "effect"
import { makeAccessLog } from "./AccessLog.ts"
import { layerServiceLog } from "./ServiceLog.ts"
import { layerSecrets, type ServiceSecrets } from "./ServiceSecrets.ts"

/** What a gateway is told. Plain data, so that it can be sent to another thread. */
export interface GatewaySettings {
  readonly secrets: ServiceSecrets
  readonly trustedProxies: ReadonlyArray<string>
  readonly keyRateLimit: number | undefined
  readonly addressRateLimit: number | undefined
  readonly sessionRateLimit: number | undefined
  /** Where browsers reach the service; undefined if it goes by their requests. */
  readonly publicOrigin: string | undefined
  readonly prices: PriceList
  readonly accessLog: boolean
  readonly webhooksMayBePrivate: boolean
  /** What it answers beside the contract. */
  readonly files: ReadonlyArray<HostedFile>
}

/** What a gateway needs beside its store. */
export const layerSettings = ({ prices, secrets, webhooksMayBePrivate }: GatewaySettings): Layer.Layer<SettingsPorts> =>
  Layer.mergeAll(
    layerSecrets(secrets),
    Layer.succeed(Prices, prices),
    Layer.succeed(WebhooksMayBePrivate, webhooksMayBePrivate),
    layerServiceLog
  )

/** The ports that stand on what a gateway is told. */
export type SettingsPorts = PasskeyCeremonies | Passwords | Secrets | SessionTokens | WebhookSecrets

/** Where the service is to listen. */
export interface ServiceAddress extends Pick<ServeOptions, "host" | "port" | "reusePort"> {
  /** The port of the platform's host, if it is apart: then the widget's endpoints are there, and only there. */
  readonly platformPort: number | undefined
}

/** Where it listens: the gateway, and the platform if that is apart. */
export interface ListeningService extends Listening {
  readonly platform: Listening | undefined
}

/** Listens until its scope closes; then it drains, and writes what is left of the access log. Hosts apart drain at once. */
export const serveGatewayAt = (
  { platformPort, ...at }: ServiceAddress,
  settings: GatewaySettings
): Effect.Effect<ListeningService, ListenFailed, GatewayPorts | Scope.Scope> =>
  Effect.gen(function* () {
    if (platformPort === undefined) return { ...(yield* serveHost("both", at, settings)), platform: undefined }
    const hosts = yield* Effect.acquireRelease(Scope.make("parallel"), (hosts, exit) => Scope.close(hosts, exit))
    const inOwnScope = (host: Host, port: number) =>
      Effect.flatMap(Scope.fork(hosts, "sequential"), (scope) =>
        Effect.provideService(serveHost(host, { ...at, port }, settings), Scope.Scope, scope)
      )
    const gateway = yield* inOwnScope("gateway", at.port)
    return { ...gateway, platform: yield* inOwnScope("platform", platformPort) }
  })

const serveHost = (
  host: Host,
  at: ServeOptions,
  settings: GatewaySettings
): Effect.Effect<Listening, ListenFailed, GatewayPorts | Scope.Scope> =>
  Effect.gen(function* () {
    const {
      accessLog,
      addressRateLimit,
      files,
      keyRateLimit,
      publicOrigin,
      secrets,
      sessionRateLimit,
      trustedProxies
    } = settings
    const options: GatewayOptions = {
      host,
      operatorToken: Redacted.make(secrets.operatorToken),
      trustedProxies,
      files,
      ...(keyRateLimit !== undefined && { keyRateLimit_per_minute: keyRateLimit }),
      ...(addressRateLimit !== undefined && { addressRateLimit_per_minute: addressRateLimit }),
      ...(sessionRateLimit !== undefined && { sessionRateLimit_per_minute: sessionRateLimit }),
      ...(publicOrigin !== undefined && { publicOrigin }),
      ...(accessLog && { onAnswer: yield* makeAccessLog })
    }
    return yield* serve(yield* makeGateway(options), at)
  })
