/** The two secrets of the service. They come from the environment, or are made for this start. */
import { isOperatorToken, maximumOperatorToken, minimumOperatorToken, randomAlphanumeric } from "@postcode/http"
import { Effect } from "effect"
import { CommandFailure, exitCodes } from "../ExitCode.ts"

export interface ServiceSecrets {
  readonly operatorToken: string
  readonly pepper: string
  /** Whether the token was made just now, so that nobody knows it yet. */
  readonly tokenIsMade: boolean
}

/** @param shared whether other replicas need the same secrets, so that none may be made */
export const readSecrets = (shared: boolean): Effect.Effect<ServiceSecrets, CommandFailure> =>
  Effect.gen(function* () {
    const token = yield* fromEnvironment("POSTCODE_OPERATOR_TOKEN")
    const pepper = yield* fromEnvironment("POSTCODE_IDENTIFIER_PEPPER")
    const missing = [
      ...(token === undefined ? ["POSTCODE_OPERATOR_TOKEN"] : []),
      ...(pepper === undefined ? ["POSTCODE_IDENTIFIER_PEPPER"] : [])
    ]
    if (shared && missing.length > 0) return yield* Effect.fail(secretsMissing(missing))
    return { operatorToken: token ?? newSecret(), pepper: pepper ?? newSecret(), tokenIsMade: token === undefined }
  })

const secretsMissing = (names: ReadonlyArray<string>): CommandFailure =>
  new CommandFailure(
    `${names.join(" and ")}: needed with a database, the same for all replicas and at every start; ` +
      `make one with: openssl rand -hex 32\nsee postcode serve --help`,
    exitCodes.wrongUsage
  )

/** A token or pepper of 190 bits. */
const newSecret = (): string => randomAlphanumeric(32)

/** A secret never comes as an argument, where every process of the machine could read it. */
const fromEnvironment = (name: string): Effect.Effect<string | undefined, CommandFailure> => {
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
