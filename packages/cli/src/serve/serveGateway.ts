/** `postcode serve`: the service on a store in memory or on PostgreSQL, until it is told to stop. */

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

/** All flags of `postcode serve`, as they were read. */
export interface ServeInput extends Omit<GatewaySettings, "files" | "secrets" | "tracing"> {
  readonly port: number
  /** The port of the platform's host; undefined if the gateway's serves the widget as well. */
  readonly platformPort: number | undefined
  /** Where browsers find the gateway, for the widget's page on the platform's host, and for the demonstration's. */
  readonly gatewayUrl: string | undefined
  /** Whether there is no console. */
  readonly noConsole: boolean
  readonly host: string
  readonly directory: string | undefined
  /** The database; without one everything is kept in memory. */
  readonly databaseUrl: Redacted.Redacted | undefined
  /** How many connections to it the pool has. */
  readonly databaseConnections: number
  /** How many threads answer; if 1, it is the main thread itself. */
  readonly workers: number
  /** The port for operators, and its host; undefined if there is none. */
  readonly operationsPort: number | undefined
  readonly operationsHost: string
}

/** Serves until SIGTERM, finishes what is in flight, stores what is left, and ends well. */
export const serveGateway = (input: ServeInput): Effect.Effect<void, CommandFailure> =>
  untilTerminated(
    Effect.scoped(
      Effect.gen(function* () {
        yield* checkWorkers(input)
        const { tokenIsMade, ...secrets } = yield* readSecrets(input.databaseUrl !== undefined)
        const tracing = yield* readTracingSettings(host().env)
        const settings = { ...settingsOf(input, secrets, yield* hostedFiles(input)), tracing }
        const named = yield* namedOperator
        // Begun first and so ended last: it shows how the service starts, and how it drains.
        const telemetry = yield* openTelemetry(input)
        const ports = Layer.merge(layerSettings(settings), layerStoreMeter(telemetry?.metrics.numbersOf("main")))
        yield* Effect.provide(serveAndSay(input, settings, tokenIsMade, named, telemetry), ports)
      })
    )
  )

/** Threads share nothing but the directory, so what they store has to be in a database. */
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

/** Says how to use it once it answers, and serves until it is interrupted. */
const serveAndSay = (
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
    // Begun before and so ended after the server, which has to say at once that it stops.
    const queue = countedWebhooks(store.ports, telemetry?.metrics.numbersOf("main"))
    yield* Effect.provide(sendWebhooks, Layer.provideMerge(layerWebhookTransport(), Layer.succeedContext(queue)))
    const { platform, url } = yield* listen(
      { ...input, ...demonstration?.at },
      { ...settings, files: [...settings.files, ...(demonstration?.files ?? [])] },
      { ...store, ...(demonstration && { ports: demonstration.ports }) },
      telemetry
    )
    if (telemetry !== undefined) yield* telemetry.ready(Context.get(store.ports, CurrentDirectory), connections)
    const publicUrl = input.publicOrigin ?? url
    const claim = yield* Effect.provide(firstOperator(publicUrl, named), store.ports)
    const madeToken = tokenIsMade ? settings.secrets.operatorToken : undefined
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
        madeToken,
        claim,
        demonstration
      })
    )
    say(`ready ${url}`)
    return yield* Effect.never
  })

/** Loaded only where it is shown. */
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
  const numbersOf = telemetry && ((thread: string) => telemetry.metrics.numbersOf(thread))
  const listening =
    forWorkers === undefined
      ? serveGatewayAt({ host, port, platformPort }, settings, numbersOf?.("main"))
      : Effect.andThen(
          numbersOf === undefined ? Effect.void : measureThread(numbersOf("main")),
          runWorkers({ ...forWorkers, workers, host, port, platformPort, settings, numbersOf })
        )
  return listening.pipe(
    Effect.provide(ports),
    Effect.mapError(({ message }) => new CommandFailure(message))
  )
}
