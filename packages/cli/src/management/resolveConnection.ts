/** Finds the service and the credential of a management command: standard input, the environment, or a profile. */
import { Effect, Redacted, Result } from "effect"
import { commandName } from "../CommandName.ts"
import { defaultUrl, profileName } from "../commands/CommonFlags.ts"
import { CommandFailure, exitCodes } from "../ExitCode.ts"
import { host } from "../Host.ts"
import { lazily } from "../Lazy.ts"
import { type ConnectionOptions, readStandardInput, request } from "./connect.ts"
import { defaultProfile, type Profile, readProfile } from "./Profiles.ts"

/** The flags of the connection. */
export interface ConnectionFlags {
  readonly url: string | undefined
  /** Whether to read the token from standard input. */
  readonly tokenStdin: boolean
  readonly profile: string | undefined
  /** The data folder of a service on this machine. */
  readonly data: string | undefined
}

/**
 * A token on standard input goes first, then one in the environment, then a named profile, then the data folder, then the
 * default profile. The address of a profile is not combined with another token, and the token of a profile is sent to its
 * own address alone. The address of a data folder is the default of all other tokens.
 */
export const resolveConnection = (flags: ConnectionFlags): Effect.Effect<ConnectionOptions, CommandFailure> =>
  Effect.gen(function* () {
    const { profile, tokenStdin } = flags
    const variable = tokenStdin ? undefined : tokenVariable()
    if (profile !== undefined && (tokenStdin || variable !== undefined)) {
      return yield* wrong(`--profile has a token of its own: leave out ${variable ?? "--token-stdin"}`)
    }
    const given = tokenStdin ? yield* tokenFromInput : variable && variableOf(variable)
    if (given !== undefined) {
      const url = flags.url ?? (yield* addressOnData(flags)) ?? defaultUrl
      return { url, tokenStdin, token: Redacted.make(given), organization_id: undefined }
    }
    const name = profile ?? (yield* profileOfEnvironment)
    if (name === undefined && flags.data !== undefined) return yield* ofData(flags.data, flags)
    const stored = yield* readProfile(name ?? defaultProfile)
    if (stored !== undefined) return yield* ofProfile(name ?? defaultProfile, stored, flags)
    return yield* Effect.fail(name === undefined ? noCredential() : noProfile(name))
  })

/** The profile that `POSTCODE_PROFILE` names. */
export const profileOfEnvironment: Effect.Effect<string | undefined, CommandFailure> = Effect.suspend(() => {
  const given = variableOf("POSTCODE_PROFILE")
  if (given === undefined) return Effect.undefined
  const name = profileName(given)
  return Result.isSuccess(name) ? Effect.succeed(name.success) : wrong(`POSTCODE_PROFILE: expected ${name.failure}`)
})

/** The organization of a command: the named one, or the one that the credential is for. */
export const ownOrganization = (
  options: ConnectionOptions,
  named: string | undefined
): Effect.Effect<string, CommandFailure> =>
  Effect.gen(function* () {
    if (named !== undefined) return named
    const { organization_id = (yield* request(options, "GET /v1/admin/whoami", {})).organization_id } = options
    if (organization_id !== undefined) return organization_id
    return yield* wrong("ORG is missing: the credential is an operator's, and names no organization")
  })

/** The failure for a profile that does not exist. */
export const noProfile = (name: string): CommandFailure =>
  new CommandFailure(`there is no profile ${name}: ${commandName()} login --profile ${name} makes it`)

/** The environment variable whose token is used; undefined if none is set. */
export const tokenVariable = (): string | undefined => tokenVariables.find((name) => variableOf(name) !== undefined)

/** The first one that is set counts. */
const tokenVariables = ["POSTCODE_MANAGEMENT_KEY", "POSTCODE_OPERATOR_TOKEN"] as const

const ofProfile = (name: string, { organization_id, token, url }: Profile, flags: ConnectionFlags) =>
  flags.url === undefined || flags.url === url
    ? Effect.succeed({ url, tokenStdin: false, token: Redacted.make(token), organization_id })
    : wrong(`the profile ${name} is for ${url}: leave out --url (POSTCODE_URL), or choose another profile`)

/** The token of a data folder, too, is sent to its own address alone. */
const ofData = (data: string, flags: ConnectionFlags) =>
  Effect.gen(function* () {
    const { token, url } = yield* onData(data)
    if (flags.url !== undefined && flags.url !== url) {
      return yield* wrong(
        `the service on ${data} is at ${url}: leave out --url (POSTCODE_URL), or --data (POSTCODE_DATA)`
      )
    }
    if (token === undefined) return yield* wrong(`${data} keeps no operator token: set POSTCODE_OPERATOR_TOKEN`)
    return { url, tokenStdin: false, token: Redacted.make(token), organization_id: undefined }
  })

const addressOnData = ({ data }: ConnectionFlags) =>
  data === undefined ? Effect.undefined : Effect.map(onData(data), ({ url }) => url)

const onData = (data: string) =>
  lazily(
    () => import("../data/dataConnection.ts"),
    ({ dataConnection }) => dataConnection(data)
  )

const tokenFromInput = Effect.flatMap(Effect.promise(readStandardInput), (input) => {
  const token = String(input).trim()
  return token === ""
    ? Effect.fail(new CommandFailure("standard input holds no token", exitCodes.notAllowed))
    : Effect.succeed(token)
})

const noCredential = () =>
  new CommandFailure(
    `the management API needs a management key or the operator token: ${commandName()} login stores one, or set ` +
      `${tokenVariables.join(" or ")}, or send it over standard input with --token-stdin`,
    exitCodes.notAllowed
  )

/** An empty variable counts as not set. */
const variableOf = (variable: string): string | undefined => host().env[variable]?.trim() || undefined

const wrong = (message: string) => Effect.fail(new CommandFailure(message, exitCodes.wrongUsage))
