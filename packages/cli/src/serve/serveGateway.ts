/** `postcode serve`: the service on a store in memory, until it is told to stop. */
import { Directory } from "@postcode/core/Directory"
import {
  type GatewayPorts,
  isOperatorToken,
  type Listening,
  maximumOperatorToken,
  minimumOperatorToken,
  randomAlphanumeric
} from "@postcode/http"
import { layerDirectory, MemoryStore } from "@postcode/memory"
import { shareDirectory } from "@postcode/node"
import { Effect, Layer, type Scope } from "effect"
import { type OpenedDirectory, openDirectory } from "../directory/openDirectory.ts"
import { CommandFailure, exitCodes } from "../ExitCode.ts"
import { say } from "../Output.ts"
import { untilTerminated } from "../RunMain.ts"
import { runWorkers } from "../workers/WorkerPool.ts"
import { makeDemoOrganization } from "./DemoOrganization.ts"
import { firstScreen } from "./FirstScreen.ts"
import { type GatewaySettings, layerSettings, serveGatewayAt } from "./GatewayServer.ts"

export interface ServeInput extends Omit<GatewaySettings, "operatorToken" | "pepper"> {
  readonly port: number
  readonly host: string
  readonly directory: string | undefined
  /** How many threads answer; if 1, it is the main thread itself. */
  readonly workers: number
}

/** Serves until SIGTERM, finishes what is in flight, and ends well. */
export const serveGateway = (input: ServeInput): Effect.Effect<void, CommandFailure> =>
  untilTerminated(
    Effect.scoped(
      Effect.gen(function* () {
        const givenToken = yield* secretFromEnvironment("POSTCODE_OPERATOR_TOKEN")
        const givenPepper = yield* secretFromEnvironment("POSTCODE_IDENTIFIER_PEPPER")
        const settings = settingsOf(input, givenToken ?? newSecret(), givenPepper ?? newSecret())
        const { image, opened } = share(input, yield* openDirectory({ path: input.directory, quiet_ms: 0 }))
        const ports = Layer.mergeAll(
          MemoryStore.layer,
          layerDirectory(opened.directory, opened.attributesOf),
          layerSettings(settings)
        )
        const served = Effect.gen(function* () {
          const organization = input.directory === undefined ? yield* makeDemoOrganization : undefined
          const { url } = yield* listen(input, settings, image)
          const madeToken = givenToken === undefined ? settings.operatorToken : undefined
          const { directory: path, prices, workers } = input
          say(firstScreen({ url, opened, path, prices, workers, madeToken, organization }))
          say(`ready ${url}`)
        })
        yield* Effect.provide(served, ports)
        yield* Effect.never
      })
    )
  )

const settingsOf = (input: ServeInput, operatorToken: string, pepper: string): GatewaySettings => {
  const { accessLog, addressRateLimit, keyRateLimit, prices, trustedProxies } = input
  return { operatorToken, pepper, prices, trustedProxies, keyRateLimit, addressRateLimit, accessLog }
}

interface Shared {
  readonly opened: OpenedDirectory
  /** The directory's snapshot for other threads; undefined if there are none. */
  readonly image: SharedArrayBuffer | undefined
}

/** Puts the directory where all threads see it, so that it is there once however many there are. */
const share = ({ workers }: ServeInput, opened: OpenedDirectory): Shared => {
  if (workers === 1) return { opened, image: undefined }
  const image = opened.image ?? shareDirectory(opened.directory)
  return { opened: { ...opened, directory: Directory.open(image, { verify: false }) }, image }
}

const listen = (
  { host, port, workers }: ServeInput,
  settings: GatewaySettings,
  image: SharedArrayBuffer | undefined
): Effect.Effect<Listening, CommandFailure, GatewayPorts | Scope.Scope> =>
  Effect.mapError(
    image === undefined
      ? serveGatewayAt({ host, port }, settings)
      : runWorkers({ workers, host, port, settings, image }),
    ({ message }) => new CommandFailure(message)
  )

/** A token or pepper of 190 bits. */
const newSecret = (): string => randomAlphanumeric(32)

/** A secret never comes as an argument, where every process of the machine could read it. */
const secretFromEnvironment = (name: string): Effect.Effect<string | undefined, CommandFailure> => {
  const secret = process.env[name]
  if (secret === undefined || secret === "") return Effect.succeed(undefined)
  return isOperatorToken(secret)
    ? Effect.succeed(secret)
    : Effect.fail(
        new CommandFailure(
          `${name}: expected ${minimumOperatorToken} to ${maximumOperatorToken} printable ASCII characters without spaces\nsee postcode serve --help`,
          exitCodes.wrongUsage
        )
      )
}
