/** `postcode serve`: runs the service on a store in memory or on PostgreSQL until it is stopped. */

import { CurrentDirectory } from "@postcode/core/directory/CurrentDirectory"
import type { Secrets } from "@postcode/core/store/Secrets"
import { sendWebhooks } from "@postcode/core/webhooks/sendWebhooks"
import type { SessionTokens } from "@postcode/core/widget/SessionTokens"
import type { HostedFile } from "@postcode/http"
import { layerWebhookTransport } from "@postcode/node/webhooks"
import { Context, Effect, Layer, type Redacted, type Scope } from "effect"
import type { OpenedDemonstration } from "../demonstration/openDemonstration.ts"
import type { OpenedDirectory } from "../directory/openDirectory.ts"
import { CommandFailure, exitCodes } from "../ExitCode.ts"
import { host } from "../Host.ts"
import { lazily } from "../Lazy.ts"
import { say } from "../Output.ts"
import { untilTerminated } from "../RunMain.ts"
import { countedWebhooks } from "../telemetry/countedWebhooks.ts"
import { measureThread } from "../telemetry/measureThread.ts"
import { layerStoreMeter } from "../telemetry/storeMeter.ts"
import type { Telemetry } from "../telemetry/TelemetryServer.ts"
import { readTracingSettings } from "../telemetry/TracingSettings.ts"
import { firstOperator, type NamedOperator, namedOperator } from "./FirstOperator.ts"
import { firstScreen } from "./FirstScreen.ts"
import {
  type GatewaySettings,
  type ListeningService,
  layerSettings,
  type SettingsPorts,
  serveGatewayAt
} from "./GatewayServer.ts"
import { hostedFiles } from "./hostedFiles.ts"
import { readSecrets, type ServiceSecrets } from "./ServiceSecrets.ts"
import type { OpenedStore } from "./store/OpenedStore.ts"
import { openMemoryStore } from "./store/openMemoryStore.ts"
import { runWorkers } from "./workers/WorkerPool.ts"

/** The flags of `postcode serve`. */
export interface ServeInput extends Omit<GatewaySettings, "files" | "secrets" | "tracing"> {
  readonly port: number
  /** The platform's port; undefined if the gateway's serves the widget as well. */
  readonly platformPort: number | undefined
  /** The gateway's public origin, for the widget's page on the platform's host and for the demonstration's. */
  readonly gatewayUrl: string | undefined
  /** Whether the console is disabled. */
  readonly noConsole: boolean
  readonly host: string
  readonly directory: string | undefined
  /** The database; undefined to store everything in memory. */
  readonly databaseUrl: Redacted.Redacted | undefined
  /** The number of pooled connections. */
  readonly databaseConnections: number
  /** The number of threads; if 1, only the main thread. */
  readonly workers: number
  /** The telemetry port and its host; undefined for none. */
  readonly operationsPort: number | undefined
  readonly operationsHost: string
}

/** Serves until SIGTERM, completes requests in flight, flushes its data, and ends. */
export const serveGateway = (input: ServeInput): Effect.Effect<void, CommandFailure> =>
  untilTerminated(
    Effect.scoped(
      Effect.gen(function* () {
        yield* checkWorkers(input)
        const { tokenIsMade, ...secrets } = yield* readSecrets(input.databaseUrl !== undefined)
        const tracing = yield* readTracingSettings(host().env)
        const settings = { ...settingsOf(input, secrets, yield* hostedFiles(input)), tracing }
        const named = yield* namedOperator
        // Started first and stopped last: it reports starting and draining.
        const telemetry = yield* openTelemetry(input)
        const ports = Layer.merge(layerSettings(settings), layerStoreMeter(telemetry?.metrics.main))
        yield* Effect.provide(serveAndReport(input, settings, tokenIsMade, named, telemetry), ports)
      })
    )
  )

/** Threads share only the directory, so their data must be in a database. */
const checkWorkers = ({ databaseUrl, workers }: ServeInput): Effect.Effect<void, CommandFailure> =>
  workers === 1 || databaseUrl !== undefined
    ? Effect.void
    : Effect.fail(
        new CommandFailure(
          `--workers: ${workers} threads need a database, which they share: set --database-url or DATABASE_URL, ` +
            "or serve with --workers 1",
          exitCodes.wrongUsage
        )
      )

const openTelemetry = ({
  operationsHost: host,
  operationsPort: port
}: ServeInput): Effect.Effect<Telemetry | undefined, CommandFailure, Scope.Scope> =>
  port === undefined
    ? Effect.succeed(undefined)
    : lazily(
        () => import("../telemetry/TelemetryServer.ts"),
        ({ serveTelemetry }) => serveTelemetry({ host, port })
      )

/** Prints the first screen, and serves until it is interrupted. */
const serveAndReport = (
  input: ServeInput,
  settings: GatewaySettings,
  tokenIsMade: boolean,
  named: NamedOperator | undefined,
  telemetry: Telemetry | undefined
): Effect.Effect<never, CommandFailure, Scope.Scope | SettingsPorts> =>
  Effect.gen(function* () {
    const { noConsole, prices, workers } = input
    const connections = input.databaseUrl === undefined ? undefined : input.databaseConnections
    const store = yield* openStore(input)
    const demonstration =
      store.demonstration && (yield* openDemonstrationOn(store, store.demonstration, input, settings))
    // Started before and stopped after the server, so that it reports stopping immediately.
    const queue = countedWebhooks(store.ports, telemetry?.metrics.main)
    yield* Effect.provide(sendWebhooks, Layer.provideMerge(layerWebhookTransport(), Layer.succeedContext(queue)))
    const { platform, url } = yield* listen(
      { ...input, ...demonstration?.at },
      { ...settings, files: [...settings.files, ...(demonstration?.files ?? [])] },
      { ...store, ...(demonstration && { ports: demonstration.ports }) },
      telemetry
    )
    if (telemetry !== undefined) yield* telemetry.metrics.ready(Context.get(store.ports, CurrentDirectory), connections)
    const publicUrl = input.publicOrigin ?? url
    const claim = yield* Effect.provide(firstOperator(publicUrl, named), store.ports)
    const generatedToken = tokenIsMade ? settings.secrets.operatorToken : undefined
    const consoleUrl = noConsole ? undefined : `${publicUrl}/console/`
    const platformUrl = platform?.url
    const operationsUrl = telemetry?.url
    say(
      firstScreen({
        ...store,
        url,
        consoleUrl,
        platformUrl,
        operationsUrl,
        prices,
        workers,
        generatedToken,
        claim,
        demonstration
      })
    )
    say(`ready ${url}`)
    return yield* Effect.never
  })

/** Loaded only if it is shown. */
const openDemonstrationOn = (
  store: OpenedStore,
  attributesOf: OpenedDirectory["attributesOf"],
  { gatewayUrl, host, platformPort, port }: ServeInput,
  { files, secrets }: GatewaySettings
): Effect.Effect<OpenedDemonstration, CommandFailure, Secrets | SessionTokens> =>
  lazily(
    () => import("../demonstration/openDemonstration.ts"),
    ({ openDemonstration }) =>
      openDemonstration({ asked: { host, port, platformPort }, gatewayUrl, attributesOf, files, secrets, store })
  )

const settingsOf = (
  input: ServeInput,
  secrets: ServiceSecrets,
  files: ReadonlyArray<HostedFile>
): Omit<GatewaySettings, "tracing"> => {
  const {
    accessLog,
    addressRateLimit,
    keyRateLimit,
    maxConnections,
    noLoadControl,
    organizationRateLimit,
    prices,
    publicOrigin,
    publishableKeyRateLimit,
    sessionRateLimit,
    trustedProxies,
    webhooksMayBePrivate
  } = input
  return {
    secrets,
    prices,
    trustedProxies,
    keyRateLimit,
    publishableKeyRateLimit,
    organizationRateLimit,
    addressRateLimit,
    sessionRateLimit,
    publicOrigin,
    accessLog,
    maxConnections,
    noLoadControl,
    files,
    webhooksMayBePrivate
  }
}

const openStore = (input: ServeInput): Effect.Effect<OpenedStore, CommandFailure, Scope.Scope | Secrets> => {
  const { databaseConnections: connections, databaseUrl: url, directory, workers } = input
  return url === undefined
    ? openMemoryStore(directory)
    : lazily(
        () => import("./store/openDatabaseStore.ts"),
        ({ openDatabaseStore }) => openDatabaseStore({ url, connections, directory, workers })
      )
}

const listen = (
  { host, platformPort, port, workers }: ServeInput,
  settings: GatewaySettings,
  { forWorkers, ports }: OpenedStore,
  telemetry: Telemetry | undefined
): Effect.Effect<ListeningService, CommandFailure, Scope.Scope | SettingsPorts> => {
  const metrics = telemetry?.metrics
  const listening =
    forWorkers === undefined
      ? serveGatewayAt({ host, port, platformPort }, settings, metrics?.main)
      : Effect.andThen(
          metrics === undefined ? Effect.void : measureThread(metrics.main),
          runWorkers({ ...forWorkers, workers, host, port, platformPort, settings, metrics })
        )
  return listening.pipe(
    Effect.provide(ports),
    Effect.mapError(({ message }) => new CommandFailure(message))
  )
}
