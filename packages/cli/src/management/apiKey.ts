/** The service and the API key of commands that use one: POSTCODE_KEY, or a profile. */
import { createPostcodeClient, type PostcodeClient } from "@postcode/client"
import { CommandFailure, exitCodes, failUsage, messageOf } from "@postcode/server/process/ExitCode"
import { variableOf } from "@postcode/server/process/Host"
import { Effect, Redacted } from "effect"
import { defaultUrl } from "../commands/CommonFlags.ts"
import { allowsInsecure, refuseInsecure } from "./insecureHttp.ts"
import { credentialHint, findProfile, otherService, profileOfEnvironment } from "./Profiles.ts"
import { serviceOnData } from "./resolveConnection.ts"
import type { Source } from "./Source.ts"

/** The flags of commands that use an API key. */
export interface KeyFlags {
  readonly url: string | undefined
  readonly profile: string | undefined
  /** The data folder of a service on this machine. */
  readonly data: string | undefined
  /** Whether a key may be sent unencrypted to another machine. */
  readonly insecureHttp?: boolean
}

/** The address of a service, and the key for it. */
export interface KeyConnection {
  /** Without a slash at the end. */
  readonly url: string
  /** Undefined for anonymous requests. */
  readonly key: Redacted.Redacted<string> | undefined
  /** Where the key comes from, for messages. */
  readonly source: Source | undefined
}

/** A connection with a key. */
export type KeyedConnection = KeyConnection & { readonly key: Redacted.Redacted<string> }

/** Whether there is a key. */
export const hasKey = (connection: KeyConnection): connection is KeyedConnection => connection.key !== undefined

/**
 * A key in the environment goes first, then that of a profile. The key of a profile is sent to its own address alone: for
 * another address, the default profile is ignored, and a named one is refused. A data folder is the address of its service,
 * and has no key.
 */
export const resolveKey = (flags: KeyFlags): Effect.Effect<KeyConnection, CommandFailure> =>
  Effect.tap(findKey(flags), ({ key, url }) =>
    key === undefined
      ? Effect.void
      : Effect.flatMap(allowsInsecure(flags), (isAllowed) => refuseInsecure(url, isAllowed))
  )

const findKey = (flags: KeyFlags): Effect.Effect<KeyConnection, CommandFailure> =>
  Effect.gen(function* () {
    const { profile } = flags
    const url = yield* addressOf(flags)
    const variable = variableOf(keyVariable)
    if (variable !== undefined) {
      if (profile !== undefined) return yield* failUsage(`--profile already sets a key: omit ${keyVariable}`)
      return { url: url ?? defaultUrl, key: Redacted.make(variable), source: { name: keyVariable } }
    }
    const found = yield* findProfile(profile)
    if (found === undefined) return anonymous(url ?? defaultUrl)
    const { isNamed, name, stored } = found
    if (url !== undefined && url !== stored.url) {
      return isNamed ? yield* Effect.fail(otherService(name, stored.url)) : anonymous(url)
    }
    if (stored.key === undefined) return anonymous(stored.url)
    return { url: stored.url, key: Redacted.make(stored.key), source: { profile: name } }
  })

/** The address that is given; undefined to take that of a profile, or the default one. */
const addressOf = ({ data, profile, url }: KeyFlags): Effect.Effect<string | undefined, CommandFailure> =>
  Effect.gen(function* () {
    const named = profile ?? (yield* profileOfEnvironment)
    if (url !== undefined || data === undefined || named !== undefined) return url
    return (yield* serviceOnData(data)).url
  })

/** The same for commands that need a key. */
export const requireKey = (flags: KeyFlags): Effect.Effect<KeyedConnection, CommandFailure> =>
  Effect.flatMap(resolveKey(flags), (connection) =>
    hasKey(connection) ? Effect.succeed(connection) : noKey(connection)
  )

const noKey = ({ url }: KeyConnection): Effect.Effect<never, CommandFailure> =>
  Effect.flatMap(credentialHint(url, "key"), (hint) =>
    Effect.fail(new CommandFailure(`this needs an API key: ${hint}, or set ${keyVariable}`, exitCodes.notAllowed))
  )

/** @throws CommandFailure if the key cannot be sent */
export const clientWithKey = (
  { key, url }: Pick<KeyConnection, "key" | "url">,
  settings: { readonly retries?: number } = {}
): PostcodeClient => {
  try {
    return createPostcodeClient({
      baseUrl: url,
      ...(key !== undefined && { apiKey: Redacted.value(key) }),
      ...settings
    })
  } catch (error) {
    throw new CommandFailure(messageOf(error), exitCodes.notAllowed)
  }
}

/** The environment variable of the key. */
export const keyVariable = "POSTCODE_KEY"

const anonymous = (url: string): KeyConnection => ({ url, key: undefined, source: undefined })
