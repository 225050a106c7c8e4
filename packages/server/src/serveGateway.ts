/** `postcode serve`: runs the service on a store in memory or on PostgreSQL until it is stopped. */

import type { SignUpSettings } from "@postcode/gateway/accounts/signUp/SignUpSettings"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import type { SecretPorts } from "@postcode/gateway/Store"
import type { Secrets } from "@postcode/gateway/store/Secrets"
import { isLoopbackAddress } from "@postcode/gateway/webhooks/NetworkAddress"
import { Context, Effect, Layer, type Scope } from "effect"
import { checkDatabaseFlags } from "./data/DatabaseFlags.ts"
import { chosenPort, listeningUrl, originsOf, shownOrigin } from "./demonstration/PageAddress.ts"
import { firstOperator, type NamedOperator, namedOperator } from "./FirstOperator.ts"
import { firstScreen } from "./FirstScreen.ts"
import { type GatewaySettings, layerSettings } from "./GatewayServer.ts"
import { hostedFiles } from "./hostedFiles.ts"
import { type MailInput, mailVariable, printedMail, readMail } from "./MailInput.ts"
import { CommandFailure, exitCodes } from "./process/ExitCode.ts"
import { host } from "./process/Host.ts"
import { lazily } from "./process/Lazy.ts"
import { say } from "./process/Output.ts"
import { untilTerminated } from "./process/RunMain.ts"
import type { ServedInput, ServeInput, StartedService } from "./ServeInput.ts"
import { readSecrets } from "./ServiceSecrets.ts"
import { serveReplica } from "./serveReplica.ts"
import type { OpenedStore } from "./store/OpenedStore.ts"
import { openMemoryStore } from "./store/openMemoryStore.ts"
import { layerStoreMeter } from "./telemetry/storeMeter.ts"
import type { Telemetry } from "./telemetry/TelemetryServer.ts"
import { readTracingSettings } from "./telemetry/TracingSettings.ts"
import { wrongUsage } from "./WrongUsage.ts"

/** Serves until SIGTERM, completes requests in flight, flushes its data, and ends. */
export const serveGateway = (given: ServeInput): Effect.Effect<void, CommandFailure> =>
  untilTerminated(
    Effect.scoped(
      Effect.gen(function* () {
        const input = isDemonstration(given) ? { ...given, port: yield* chosenPort(given.host, given.port) } : given
        // The database's URL may hold a password, and no worker needs it here.
        const { data: path, databaseUrl, operationsHost, operationsPort, ...rest } = input
        yield* checkDatabaseFlags(input)
        const hasDatabase = databaseUrl !== undefined || path !== undefined
        // Processes share nothing but the database.
        if (rest.workers > 1 && !hasDatabase) return yield* Effect.fail(databaseMissing(rest.workers))
        if (rest.workers > 1 && (rest.sandbox || rest.testDirectory === "sandbox"))
          return yield* Effect.fail(sandboxProcesses)
        const tracing = yield* readTracingSettings(host().env)
        const mail = (yield* readMail(host().env[mailVariable], input)) ?? demonstrationMail(input)
        const signUp = yield* readSignUp(input, mail)
        if (input.closeUnusedAfter_days !== undefined && mail === undefined) return yield* Effect.fail(ownersNotTold)
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
        if (data !== undefined && telemetry !== undefined) yield* data.watchBackups(telemetry.metrics.main)
        const { tokenIsMade, ...secrets } = yield* readSecrets(databaseUrl !== undefined, data?.secrets)
        const webhooksMayBePrivate = input.webhooksMayBePrivate || isLocalDemonstration(input)
        const settings = { ...rest, secrets, tracing, files, mail, signUp, webhooksMayBePrivate }
        const ports = Layer.merge(layerSettings(settings), layerStoreMeter(telemetry?.metrics.main))
        const served = { ...input, databaseUrl: data?.url ?? databaseUrl, data }
        const serving = Effect.provide(serveAndReport(served, settings, tokenIsMade, named, telemetry), ports)
        yield* data === undefined ? serving : Effect.raceFirst(serving, data.lost)
      })
    )
  )

/** Whether the service shows the demonstration: it has nothing else to serve, and keeps nothing. */
const isDemonstration = ({ data, databaseUrl, directory }: ServeInput): boolean =>
  data === undefined && databaseUrl === undefined && directory === undefined

/** The demonstration shows how sign-up works without a mail server. */
const demonstrationMail = (input: ServeInput): MailInput | undefined => {
  const { gatewayUrl, host, port } = input
  if (!isDemonstration(input)) return undefined
  const publicOrigin = input.publicOrigin ?? gatewayUrl
  const origins = originsOf({ host, port, isSeparate: false, publicOrigin })
  return printedMail(shownOrigin(listeningUrl(host, port), publicOrigin, origins))
}

const ownersNotTold = wrongUsage(
  `--close-unused-after: needs ${mailVariable}, because the owners of an organization are told before it is closed`
)

const readSignUp = (input: ServeInput, mail: MailInput | undefined): Effect.Effect<SignUpSettings, CommandFailure> => {
  const { signUp: mode = isDemonstration(input) ? "open" : "off", signUpDomains: domains } = input
  if ((mode === "domains") !== domains.length > 0) return Effect.fail(domainsMissing)
  return Effect.succeed({ mode, domains, isMailPrinted: mail !== undefined && mail.server === undefined })
}

const domainsMissing = new CommandFailure(
  "--sign-up domains and --sign-up-domains belong together: set both, or neither",
  exitCodes.wrongUsage
)

/**
 * Whether only this machine reaches the demonstration. Its webhooks may then lead to a program on this machine; otherwise
 * strangers could make it call private addresses.
 */
const isLocalDemonstration = (input: ServeInput): boolean =>
  isDemonstration(input) &&
  input.gatewayUrl === undefined &&
  input.publicOrigin === undefined &&
  input.trustedProxies.length === 0 &&
  (input.host === "localhost" || isLoopbackAddress(input.host))

const databaseMissing = (workers: number): CommandFailure =>
  new CommandFailure(
    `--workers: ${workers} processes need a database, which they share: set --data or --database-url, ` +
      "or serve with --workers 1",
    exitCodes.wrongUsage
  )

const sandboxProcesses = new CommandFailure(
  "--sandbox and --test-directory sandbox: expected one process: serve with --workers 1",
  exitCodes.wrongUsage
)

const openDataFolder = (path: string, { databaseConnections, postgresBin, workers }: ServeInput) =>
  lazily(
    () => import("./data/serveData.ts"),
    // A process has two connections at least.
    ({ serveData }) => serveData(path, postgresBin, databaseConnections + 2 * workers)
  )

/** Prints the first screen, and serves until it is interrupted. */
const serveAndReport = (
  input: ServedInput,
  settings: GatewaySettings,
  tokenIsMade: boolean,
  named: NamedOperator | undefined,
  telemetry: Telemetry | undefined
): Effect.Effect<never, CommandFailure, Scope.Scope | SecretPorts> =>
  Effect.gen(function* () {
    const { databaseUrl: url, noConsole, publicOrigin, workers } = input
    const service =
      workers === 1 || url === undefined
        ? yield* serveAlone(input, settings, telemetry)
        : yield* lazily(
            () => import("./workers/serveInWorkers.ts"),
            ({ serveInWorkers }) => serveInWorkers(input, url, settings, telemetry)
          )
    const { demonstration, platform } = service
    if (telemetry !== undefined) yield* telemetry.metrics.ready
    const publicUrl = publicOrigin ?? service.url
    if (input.data !== undefined) yield* input.data.announce(service.url)
    const screen = firstScreen({
      ...input,
      ...service,
      consoleUrl: noConsole ? undefined : `${publicUrl}/console/`,
      platformUrl: platform?.url,
      operationsUrl: telemetry?.url,
      hasSandbox: input.sandbox || input.testDirectory === "sandbox" || demonstration !== undefined,
      generatedToken: tokenIsMade ? settings.secrets.operatorToken : undefined,
      claim: yield* service.claim(publicUrl, named)
    })
    say(screen)
    say(`ready ${service.url}`)
    return yield* Effect.never
  })

/** In this process. */
const serveAlone = (
  input: ServedInput,
  settings: GatewaySettings,
  telemetry: Telemetry | undefined
): Effect.Effect<StartedService, CommandFailure, Scope.Scope | SecretPorts> =>
  Effect.gen(function* () {
    const { databaseConnections, databaseUrl, gatewayUrl, sandbox, testDirectory } = input
    const metrics = telemetry?.metrics.main
    const opened = yield* openStore(input)
    const store = yield* withSandbox(sandbox, testDirectory === "sandbox", opened)
    const { demonstration: attributesOf } = store
    // Loaded only if it is shown.
    const demonstration =
      attributesOf &&
      (yield* lazily(
        () => import("./demonstration/openDemonstration.ts"),
        ({ openDemonstration }) => openDemonstration({ ...settings, asked: input, gatewayUrl, attributesOf, store })
      ))
    const { ports } = demonstration ?? store
    const files = [...settings.files, ...(demonstration?.files ?? [])]
    const mapStyle = settings.mapStyle ?? demonstration?.mapStyle
    const address = { ...input, ...demonstration?.at }
    const listening = yield* serveReplica(address, { ...settings, files, mapStyle }, metrics).pipe(
      Effect.provide(ports),
      Effect.mapError(({ message }) => new CommandFailure(message))
    )
    metrics?.addDirectory(Context.get(ports, CurrentDirectory))
    if (databaseUrl !== undefined) metrics?.addDatabase(databaseConnections)
    return {
      ...store,
      ...listening,
      demonstration,
      claim: (origin, named) => Effect.provide(firstOperator(origin, named), store.ports)
    }
  })

const openStore = (input: ServedInput): Effect.Effect<OpenedStore, CommandFailure, Scope.Scope | Secrets> => {
  const { databaseConnections: connections, databaseUrl: url, directory } = input
  if (url === undefined) return openMemoryStore(directory)
  const database = { url, connections, directory, data: input.data?.path }
  return lazily(
    () => import("./store/openDatabaseStore.ts"),
    ({ openDatabaseStore, prepareDatabaseStore }) =>
      Effect.andThen(prepareDatabaseStore(database), openDatabaseStore(database))
  )
}

/** Reserved keys and postcodes, for the demonstration and with `--sandbox`. */
const withSandbox = (
  isAsked: boolean,
  isTestAlone: boolean,
  store: OpenedStore
): Effect.Effect<OpenedStore, CommandFailure, Scope.Scope | Secrets> => {
  if (!isAsked && !isTestAlone && store.demonstration === undefined) return Effect.succeed(store)
  return lazily(
    () => import("@postcode/demo/sandbox"),
    ({ openSandbox }) =>
      openSandbox({ isTestAlone }).pipe(
        Effect.map((reserved) => ({ ...store, ports: Context.merge(store.ports, reserved) })),
        Effect.provide(store.ports),
        Effect.mapError(({ message }) => new CommandFailure(`--sandbox: ${message}`))
      )
  )
}
