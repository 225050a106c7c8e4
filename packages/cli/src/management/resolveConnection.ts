/** Finds the service and the credential of a management command: standard input, the environment, or a profile. */

import { commandName } from "@postcode/server/process/CommandName"
import { CommandFailure, exitCodes, failUsage } from "@postcode/server/process/ExitCode"
import { variableOf } from "@postcode/server/process/Host"
import { lazily } from "@postcode/server/process/Lazy"
import { Effect, Redacted } from "effect"
import { defaultUrl } from "../commands/CommonFlags.ts"
import { type ConnectionOptions, readStandardInput, request } from "./connect.ts"
import { allowsInsecure, refuseInsecure } from "./insecureHttp.ts"
import {
  credentialHint,
  type FoundProfile,
  findProfile,
  otherService,
  type Profile,
  profileOfEnvironment
} from "./Profiles.ts"

/** The flags of the connection. */
export interface ConnectionFlags {
  readonly url: string | undefined
  /** Whether to read the token from standard input. */
  readonly tokenStdin: boolean
  readonly profile: string | undefined
  /** The data folder of a service on this machine. */
  readonly data: string | undefined
  /** Whether the token may be sent unencrypted to another machine. */
  readonly insecureHttp?: boolean
}

/**
 * A token on standard input goes first, then one in the environment, then a named profile, then the data folder, then the
 * default profile. The address of a profile is not combined with another token, and the token of a profile is sent to its
 * own address alone. The address of a data folder is the default of all other tokens.
 */
export const resolveConnection = (flags: ConnectionFlags): Effect.Effect<ConnectionOptions, CommandFailure> =>
  Effect.tap(findConnection(flags), ({ url }) =>
    Effect.flatMap(allowsInsecure(flags), (isAllowed) => refuseInsecure(url, isAllowed))
  )

const findConnection = (flags: ConnectionFlags): Effect.Effect<ConnectionOptions, CommandFailure> =>
  Effect.gen(function* () {
    const { profile, tokenStdin } = flags
    const variable = tokenStdin ? undefined : tokenVariable()
    if (profile !== undefined && (tokenStdin || variable !== undefined)) {
      return yield* failUsage(`--profile already sets a token: omit ${variable ?? "--token-stdin"}`)
    }
    const given = tokenStdin ? yield* tokenFromInput : variable && variableOf(variable)
    if (given !== undefined) {
      const url = flags.url ?? (yield* addressOnData(flags)) ?? defaultUrl
      const source = { name: variable ?? "standard input" }
      return { url, tokenStdin, token: Redacted.make(given), organization_id: undefined, source }
    }
    const named = profile ?? (yield* profileOfEnvironment)
    if (named === undefined && flags.data !== undefined) return yield* ofData(flags.data, flags)
    const found = yield* findProfile(named)
    return yield* found === undefined ? Effect.fail(noCredential()) : ofProfile(found, flags)
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
    return yield* failUsage(
      `ORG is missing: an operator's credential is for no organization, and ${commandName()} orgs list shows all`
    )
  })

/** The environment variable whose token is used; undefined if none is set. */
export const tokenVariable = (): string | undefined => tokenVariables.find((name) => variableOf(name) !== undefined)

/** The first one that is set counts. */
const tokenVariables = ["POSTCODE_MANAGEMENT_KEY", "POSTCODE_OPERATOR_TOKEN"] as const

const ofProfile = ({ isNamed, name, stored }: FoundProfile, flags: ConnectionFlags) => {
  const { organization_id, token, url } = stored
  if (flags.url !== undefined && flags.url !== url) {
    return isNamed ? Effect.fail(otherService(name, url)) : notForIt(flags.url, stored)
  }
  return token === undefined
    ? Effect.fail(noToken(name))
    : Effect.succeed({
        url,
        tokenStdin: false,
        token: Redacted.make(token),
        organization_id,
        source: { profile: name }
      })
}

/** The token of a data folder, too, is sent to its own address alone. */
const ofData = (data: string, flags: ConnectionFlags) =>
  Effect.gen(function* () {
    const { token, url } = yield* serviceOnData(data)
    if (flags.url !== undefined && flags.url !== url) {
      return yield* failUsage(
        `the service on ${data} is at ${url}: leave out --url (POSTCODE_URL), or --data (POSTCODE_DATA)`
      )
    }
    if (token === undefined) return yield* failUsage(`${data} keeps no operator token: set POSTCODE_OPERATOR_TOKEN`)
    return { url, tokenStdin: false, token: Redacted.make(token), organization_id: undefined, source: { name: data } }
  })

const addressOnData = ({ data }: ConnectionFlags) =>
  data === undefined ? Effect.undefined : Effect.map(serviceOnData(data), ({ url }) => url)

/** The service on a data folder, and its operator token. */
export const serviceOnData = (data: string) =>
  lazily(
    () => import("@postcode/server/data/dataConnection"),
    ({ dataConnection }) => dataConnection(data)
  )

const tokenFromInput = Effect.flatMap(Effect.promise(readStandardInput), (input) => {
  const token = String(input).trim()
  return token === ""
    ? Effect.fail(
        new CommandFailure(
          "standard input is empty: expected the token, as in --token-stdin < token.txt",
          exitCodes.notAllowed
        )
      )
    : Effect.succeed(token)
})

/** There is no credential. */
export class NoCredential extends CommandFailure {
  constructor(message: string) {
    super(message, exitCodes.notAllowed)
  }
}

const noCredential = () =>
  new NoCredential(
    `the management API needs a management key or the operator token: ${commandName()} login stores one, or set ` +
      `${tokenVariables.join(" or ")}, or send it over standard input with --token-stdin`
  )

/** The default profile is for another service. */
const notForIt = (url: string, other: Profile) =>
  Effect.flatMap(credentialHint(url, "token"), (hint) =>
    Effect.fail(
      new NoCredential(`there is no management key for ${url}: the default profile is for ${other.url}; ${hint}`)
    )
  )

/** A profile may have an API key alone. */
const noToken = (name: string) =>
  new NoCredential(
    `the profile ${name} has no management key and no operator token: ${commandName()} login --profile ${name} adds one`
  )
