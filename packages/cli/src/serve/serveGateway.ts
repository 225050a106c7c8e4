/** `postcode serve`: the service on a store in memory, until it is told to stop. */
import { type PriceList, Prices } from "@postcode/core/Credits"
import {
  type GatewayOptions,
  isOperatorToken,
  layerNodeSecrets,
  makeGateway,
  maximumOperatorToken,
  minimumOperatorToken,
  randomAlphanumeric,
  serve
} from "@postcode/http"
import { layerDirectory, MemoryStore } from "@postcode/memory"
import { Effect, Layer, Redacted } from "effect"
import { type OpenedDirectory, openDirectory } from "../directory/openDirectory.ts"
import { CommandFailure, exitCodes } from "../ExitCode.ts"
import { say } from "../Output.ts"
import { untilTerminated } from "../RunMain.ts"
import { makeAccessLog } from "./AccessLog.ts"
import { makeDemoOrganization } from "./DemoOrganization.ts"
import { firstScreen } from "./FirstScreen.ts"
import { layerServiceLog } from "./ServiceLog.ts"

export interface ServeInput {
  readonly port: number
  readonly host: string
  readonly directory: string | undefined
  readonly trustedProxies: ReadonlyArray<string>
  readonly keyRateLimit: number | undefined
  readonly addressRateLimit: number | undefined
  readonly prices: PriceList
  readonly accessLog: boolean
}

/** Serves until SIGTERM, finishes what is in flight, and ends well. */
export const serveGateway = (input: ServeInput): Effect.Effect<void, CommandFailure> =>
  untilTerminated(
    Effect.scoped(
      Effect.gen(function* () {
        const givenToken = yield* secretFromEnvironment("POSTCODE_OPERATOR_TOKEN")
        const pepper = (yield* secretFromEnvironment("POSTCODE_IDENTIFIER_PEPPER")) ?? randomAlphanumeric(tokenLength)
        const opened = yield* openDirectory({ path: input.directory, quiet_ms: 0 })
        const ports = Layer.mergeAll(
          MemoryStore.layer,
          layerDirectory(opened.directory, opened.attributesOf),
          layerNodeSecrets({ version: 1, secret: Redacted.make(pepper) }),
          Layer.succeed(Prices, input.prices),
          layerServiceLog
        )
        yield* Effect.provide(serveOn(input, opened, givenToken), ports)
        yield* Effect.never
      })
    )
  )

const serveOn = (input: ServeInput, opened: OpenedDirectory, givenToken: string | undefined) =>
  Effect.gen(function* () {
    const operatorToken = givenToken ?? randomAlphanumeric(tokenLength)
    const organization = input.directory === undefined ? yield* makeDemoOrganization : undefined
    const gateway = yield* makeGateway(yield* gatewayOptions(input, operatorToken))
    const { url } = yield* Effect.mapError(serve(gateway, input), ({ message }) => new CommandFailure(message))
    const madeToken = givenToken === undefined ? operatorToken : undefined
    say(firstScreen({ url, opened, path: input.directory, prices: input.prices, madeToken, organization }))
    say(`ready ${url}`)
  })

/** What a generated token or pepper has: 190 bits. */
const tokenLength = 32

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

const gatewayOptions = (input: ServeInput, operatorToken: string) =>
  Effect.gen(function* () {
    const options: GatewayOptions = {
      operatorToken: Redacted.make(operatorToken),
      trustedProxies: input.trustedProxies,
      ...(input.keyRateLimit !== undefined && { keyRateLimit_per_minute: input.keyRateLimit }),
      ...(input.addressRateLimit !== undefined && { addressRateLimit_per_minute: input.addressRateLimit }),
      ...(input.accessLog && { onAnswer: yield* makeAccessLog })
    }
    return options
  })
