/** The service's secrets: from the environment, or generated at the start. */

import { isStrongSecret, strongSecretForm } from "@postcode/gateway/store/StrongSecret"
import {
  isSigningKeyId,
  layerNodeSecrets,
  layerSessionTokens,
  maxPeppers,
  randomAlphanumeric
} from "@postcode/node/secrets"
import { Effect, Layer, Redacted } from "effect"
import type { CommandFailure } from "./process/ExitCode.ts"
import { host } from "./process/Host.ts"
import { wrongUsage } from "./WrongUsage.ts"

/** Structured-cloneable, to be sent to a worker. */
export interface ServiceSecrets {
  readonly operatorToken: string
  /** Peppers of identifier hashes: the current one, and previous ones that remain valid. */
  readonly peppers: OneOrMore<PepperText>
  /** Keys of session tokens: the signing one, and others that remain valid. */
  readonly sessionKeys: OneOrMore<SessionKeyText>
}

interface PepperText {
  readonly version: number
  readonly secret: string
}

interface SessionKeyText {
  readonly id: string
  readonly secret: string
}

/** The secrets, and how they were obtained. */
export interface ReadSecrets extends ServiceSecrets {
  /** Whether the operator token was generated now. */
  readonly tokenIsMade: boolean
}

/** The ports that depend on these secrets. */
export const layerSecrets = ({ peppers, sessionKeys }: Omit<ServiceSecrets, "operatorToken">) => {
  const [pepper, ...formerPeppers] = redactAll(peppers)
  return Layer.merge(layerNodeSecrets(pepper, formerPeppers), layerSessionTokens(redactAll(sessionKeys)))
}

/**
 * @param shared whether other replicas need the same secrets: then none is generated
 * @param stored those of a data folder, by variable, for what the environment does not set
 */
export const readSecrets = (
  shared: boolean,
  stored: Readonly<Record<string, string>> = {}
): Effect.Effect<ReadSecrets, CommandFailure> =>
  Effect.gen(function* () {
    const read = <A>(name: string, parse: (text: string) => A | undefined, form: string) =>
      parseSecret(name, host().env[name] || stored[name], parse, form)
    const token = yield* read("POSTCODE_OPERATOR_TOKEN", readToken, strongSecretForm)
    const peppers = yield* read("POSTCODE_IDENTIFIER_PEPPER", readPeppers, pepperForm)
    const sessionKeys = yield* read("POSTCODE_SESSION_KEYS", readSessionKeys, sessionKeyForm)
    const missing = Object.entries({
      POSTCODE_OPERATOR_TOKEN: token,
      POSTCODE_IDENTIFIER_PEPPER: peppers,
      POSTCODE_SESSION_KEYS: sessionKeys
    }).flatMap(([name, value]) => (value === undefined ? [name] : []))
    if (shared && missing.length > 0) return yield* Effect.fail(secretsMissing(missing))
    return {
      operatorToken: token ?? randomAlphanumeric(32),
      peppers: peppers ?? [{ version: firstVersion, secret: randomAlphanumeric(32) }],
      sessionKeys: sessionKeys ?? [{ id: "made-at-start", secret: randomAlphanumeric(43) }],
      tokenIsMade: token === undefined
    }
  })

type OneOrMore<A> = readonly [A, ...ReadonlyArray<A>]

const redactAll = <A extends { readonly secret: string }>(secrets: OneOrMore<A>) => {
  const redact = (it: A) => ({ ...it, secret: Redacted.make(it.secret) })
  const [first, ...others] = secrets
  return [redact(first), ...others.map(redact)] as const
}

const secretsMissing = (names: ReadonlyArray<string>): CommandFailure =>
  wrongUsage(
    `${names.join(", ").replace(/, (\w+)$/, " and $1")}: needed with a database, the same for all replicas and at every start; ` +
      `create a secret with: openssl rand -hex 32${
        names.includes("POSTCODE_SESSION_KEYS") ? ", and name a session key: first:<secret>" : ""
      }`
  )

/** A secret is never an argument: every process of the machine could read it. */
const parseSecret = <A>(
  name: string,
  text: string | undefined,
  read: (text: string) => A | undefined,
  form: string
): Effect.Effect<A | undefined, CommandFailure> => {
  if (text === undefined || text === "") return Effect.succeed(undefined)
  const value = read(text)
  return value === undefined ? Effect.fail(wrongUsage(`${name}: expected ${form}`)) : Effect.succeed(value)
}

const readToken = (text: string): string | undefined => (isStrongSecret(text) ? text : undefined)

const pepperForm =
  `a pepper, or up to ${maxPeppers} by version, the present one first: 2:<pepper>,1:<pepper>; a pepper has no commas ` +
  `and colons, and is ${strongSecretForm}`

/** The version of a pepper without one. */
const firstVersion = 1

/** A single pepper needs no version. */
const readPeppers = (text: string): OneOrMore<PepperText> | undefined => {
  const named = /[:,]/.test(text) ? text : `${firstVersion}:${text}`
  const peppers = readNamed(named, (version) => /^[1-9]\d{0,5}$/.test(version), maxPeppers)
  if (peppers?.some(({ secret }) => secret.includes(":"))) return undefined
  return peppers?.map(({ name, secret }) => ({ version: Number(name), secret })) as OneOrMore<PepperText> | undefined
}

const sessionKeyForm =
  "a key as <id>:<secret>, or several of them with commas between, the one that signs first; an id has 1 to 32 " +
  `characters of A-Za-z0-9_-, a secret has no commas and is ${strongSecretForm}`

const readSessionKeys = (text: string): OneOrMore<SessionKeyText> | undefined =>
  readNamed(text, isSigningKeyId)?.map(({ name, secret }) => ({ id: name, secret })) as
    | OneOrMore<SessionKeyText>
    | undefined

/** Secrets as `name:secret`, separated by commas. Undefined if an entry is invalid, a name is repeated, or there are too many. */
const readNamed = (text: string, isName: (name: string) => boolean, maximum = Number.POSITIVE_INFINITY) => {
  const secrets = text.split(",").map((part) => {
    const colon = part.indexOf(":")
    return { name: part.slice(0, Math.max(colon, 0)), secret: part.slice(colon + 1) }
  })
  const isValid =
    secrets.length <= maximum &&
    secrets.every(({ name, secret }) => isName(name) && isStrongSecret(secret)) &&
    new Set(secrets.map(({ name }) => name)).size === secrets.length
  return isValid ? secrets : undefined
}
