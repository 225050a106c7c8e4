/** `postcode serve`: runs the service on a store in memory or on PostgreSQL until it is stopped. */

import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { announceDirectory } from "@postcode/gateway/directory/changes/announceDirectory"
import { announceExpiringKeys } from "@postcode/gateway/keys/announceExpiringKeys"
import type { SecretPorts } from "@postcode/gateway/Store"
import type { Secrets } from "@postcode/gateway/store/Secrets"
import { closeStoredSandbox } from "@postcode/gateway/suspension/closeStoredSandbox"
import { sendWebhooks } from "@postcode/gateway/webhooks/sendWebhooks"
import { layerWebhookTransport } from "@postcode/node/webhooks"
import { Context, Effect, Layer, type Redacted, type Scope } from "effect"
import { checkDatabaseFlags } from "./data/DatabaseFlags.ts"
import type { ServedData } from "./data/serveData.ts"
import { firstOperator, type NamedOperator, namedOperator } from "./FirstOperator.ts"
import { firstScreen } from "./FirstScreen.ts"
import { type GatewaySettings, type ListeningService, layerSettings, serveGatewayAt } from "./GatewayServer.ts"
import { hostedFiles } from "./hostedFiles.ts"
import { CommandFailure, exitCodes } from "./process/ExitCode.ts"
import { host } from "./process/Host.ts"
import { lazily } from "./process/Lazy.ts"
import { say } from "./process/Output.ts"
import { untilTerminated } from "./process/RunMain.ts"
import { readSecrets } from "./ServiceSecrets.ts"
import type { OpenedStore } from "./store/OpenedStore.ts"
import { openMemoryStore } from "./store/openMemoryStore.ts"
import { countedWebhooks } from "./telemetry/countedWebhooks.ts"
import { measureThread } from "./telemetry/measureThread.ts"
import { layerStoreMeter } from "./telemetry/storeMeter.ts"
import type { Telemetry } from "./telemetry/TelemetryServer.ts"
import { readTracingSettings } from "./telemetry/TracingSettings.ts"
import { runWorkers } from "./workers/WorkerPool.ts"

/** The flags of `postcode serve`, and the version of the program that runs it. */
export interface ServeInput extends Omit<GatewaySettings, "files" | "secrets" | "tracing"> {
  readonly port: number
  /** The platform's port; undefined if the gateway's serves the widget as well. */
  readonly platformPort: number | undefined
  /** The gateway's public origin, for the widget's page on the platform's host and for the demonstration's. */
  readonly gatewayUrl: string | undefined
  /** Whether the console is disabled. */
  readonly noConsole: boolean
  /** Whether reserved keys and postcodes are added; the demonstration always has them. */
  readonly sandbox: boolean
  readonly host: string
  readonly directory: string | undefined
  /** The database; undefined to store everything in memory, or in a data folder. */
  readonly databaseUrl: Redacted.Redacted | undefined
  /** The folder of an embedded database; undefined for none. */
  readonly data: string | undefined
  /** The number of pooled connections. */
  readonly databaseConnections: number
  /** The number of threads; if 1, only the main thread. */
  readonly workers: number
  /** The telemetry port and its host; undefined for none. */
  readonly operationsPort: number | undefined
  readonly operationsHost: string
  /** Shown in the metrics. */
  readonly version: string
}

/** Serves until SIGTERM, completes requests in flight, flushes its data, and ends. */
export const serveGateway = (input: ServeInput): Effect.Effect<void, CommandFailure> =>
  untilTerminated(
    Effect.scoped(
      Effect.gen(function* () {
        // The database's URL may hold a password, and no worker needs it here.
        const { data: path, databaseUrl, operationsHost, operationsPort, ...given } = input
        yield* checkDatabaseFlags(input)
        const hasDatabase = databaseUrl !== undefined || path !== undefined
        // Threads share only the directory, so their data must be in a database.
        if (given.workers > 1 && !hasDatabase) return yield* Effect.fail(databaseMissing(given.workers))
        if (given.workers > 1 && given.sandbox) return yield* Effect.fail(sandboxThreads)
        const tracing = yield* readTracingSettings(host().env)
        const files = yield* hostedFiles(input)
        const named = yield* namedOperator
        // Started first and stopped last: it reports starting and draining.
        const telemetry =
          operationsPort === undefined
            ? undefined
            : yield* lazily(
                () => import("./telemetry/TelemetryServer.ts"),
                ({ serveTelemetry }) => serveTelemetry({ host: operationsHost, port: operationsPort }, input.version)
              )
        const data = path === undefined ? undefined : yield* openDataFolder(path, input)
        const { tokenIsMade, ...secrets } = yield* readSecrets(databaseUrl !== undefined, data?.secrets)
        const settings = { ...given, secrets, tracing, files }
        const ports = Layer.merge(layerSettings(settings), layerStoreMeter(telemetry?.metrics.main))
        const served = { ...input, databaseUrl: data?.url ?? databaseUrl, data }
        const serving = Effect.provide(serveAndReport(served, settings, tokenIsMade, named, telemetry), ports)
        yield* data === undefined ? serving : Effect.raceFirst(serving, data.lost)
      })
    )
  )

const databaseMissing = (workers: number): CommandFailure =>
  new CommandFailure(
    `--workers: ${workers} threads need a database, which they share: set --data or --database-url, ` +
      "or serve with --workers 1",
    exitCodes.wrongUsage
  )

const sandboxThreads = new CommandFailure(
  "--sandbox: expected one thread: serve with --workers 1",
  exitCodes.wrongUsage
)

const openDataFolder = (path: string, { databaseConnections, workers }: ServeInput) =>
  lazily(
    () => import("./data/serveData.ts"),
    // A thread has two connections at least.
    ({ serveData }) => serveData(path, databaseConnections + 2 * workers)
  )

/** The flags, with the database of the data folder, if any. */
interface ServedInput extends Omit<ServeInput, "data"> {
  readonly data: ServedData | undefined
}

/** Prints the first screen, and serves until it is interrupted. */
const serveAndReport = (
  input: ServedInput,
  settings: GatewaySettings,
  tokenIsMade: boolean,
  named: NamedOperator | undefined,
  telemetry: Telemetry | undefined
): Effect.Effect<never, CommandFailure, Scope.Scope | SecretPorts> =>
  Effect.gen(function* () {
    const { gatewayUrl, noConsole, publicOrigin } = input
    const opened = yield* openStore(input)
    yield* endStoredSandbox(opened)
    const store = yield* withSandbox(input.sandbox, opened)
    const { demonstration: attributesOf } = store
    // Loaded only if it is shown.
    const demonstration =
      attributesOf &&
      (yield* lazily(
        () => import("./demonstration/openDemonstration.ts"),
        ({ openDemonstration }) => openDemonstration({ ...settings, asked: input, gatewayUrl, attributesOf, store })
      ))
    // Started before and stopped after the server, so that it reports stopping immediately.
    const queue = countedWebhooks(store.ports, telemetry?.metrics.main)
    yield* Effect.provide(Effect.andThen(announceExpiringKeys, announceDirectory), store.ports)
    yield* Effect.provide(sendWebhooks, Layer.provideMerge(layerWebhookTransport(), Layer.succeedContext(queue)))
    const { platform, url } = yield* listen(
      { ...input, ...demonstration?.at },
      { ...settings, files: [...settings.files, ...(demonstration?.files ?? [])] },
      { ...store, ...(demonstration && { ports: demonstration.ports }) },
      telemetry
    )
    const connections = input.databaseUrl === undefined ? undefined : input.databaseConnections
    if (telemetry !== undefined) yield* telemetry.metrics.ready(Context.get(store.ports, CurrentDirectory), connections)
    const publicUrl = publicOrigin ?? url
    if (input.data !== undefined) yield* input.data.announce(url)
    const screen = firstScreen({
      ...input,
      ...store,
      url,
      consoleUrl: noConsole ? undefined : `${publicUrl}/console/`,
      platformUrl: platform?.url,
      operationsUrl: telemetry?.url,
      hasSandbox: input.sandbox || demonstration !== undefined,
      generatedToken: tokenIsMade ? settings.secrets.operatorToken : undefined,
      data: input.data,
      claim: yield* Effect.provide(firstOperator(publicUrl, named), store.ports),
      demonstration
    })
    say(screen)
    say(`ready ${url}`)
    return yield* Effect.never
  })

const openStore = (input: ServedInput): Effect.Effect<OpenedStore, CommandFailure, Scope.Scope | Secrets> => {
  const { data, databaseConnections: connections, databaseUrl: url, directory, workers } = input
  return url === undefined
    ? openMemoryStore(directory)
    : lazily(
        () => import("./store/openDatabaseStore.ts"),
        ({ openDatabaseStore }) => openDatabaseStore({ url, connections, directory, workers, data: data?.path })
      )
}

/** Reserved keys and postcodes, for the demonstration and with `--sandbox`. */
const withSandbox = (
  isAsked: boolean,
  store: OpenedStore
): Effect.Effect<OpenedStore, CommandFailure, Scope.Scope | Secrets> => {
  if (!isAsked && store.demonstration === undefined) return Effect.succeed(store)
  return lazily(
    () => import("@postcode/demo/sandbox"),
    ({ openSandbox }) =>
      openSandbox.pipe(
        Effect.map((reserved) => ({ ...store, ports: Context.merge(store.ports, reserved) })),
        Effect.provide(store.ports),
        Effect.mapError(({ message }) => new CommandFailure(`--sandbox: ${message}`))
      )
  )
}

/** Reserved keys that an earlier version stored end with every start. */
const endStoredSandbox = ({ ports }: OpenedStore): Effect.Effect<void, CommandFailure, Secrets> =>
  closeStoredSandbox.pipe(
    Effect.provide(ports),
    Effect.mapError(({ message }) => new CommandFailure(`stored keys of the sandbox could not be revoked: ${message}`))
  )

const listen = (
  { host, platformPort, port, workers }: ServedInput,
  settings: GatewaySettings,
  { forWorkers, ports }: OpenedStore,
  telemetry: Telemetry | undefined
): Effect.Effect<ListeningService, CommandFailure, Scope.Scope | SecretPorts> => {
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
