/** The service inside another app, from plain values: no Effect in the app's code. */
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { assertPriceList, defaultPriceList, type PriceList } from "@postcode/core/Prices"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { BuyCreditsUrl, buyCreditsUrlForm, isBuyCreditsUrl } from "@postcode/gateway/credits/BuyCreditsUrl"
import { Prices } from "@postcode/gateway/credits/Prices"
import { announceDirectory } from "@postcode/gateway/directory/changes/announceDirectory"
import { layerDirectory, layerFixedDirectory } from "@postcode/gateway/directory/layerDirectory"
import { announceExpiringKeys } from "@postcode/gateway/keys/announceExpiringKeys"
import type { Store } from "@postcode/gateway/Store"
import { closeStoredSandbox } from "@postcode/gateway/suspension/closeStoredSandbox"
import { sendWebhooks } from "@postcode/gateway/webhooks/sendWebhooks"
import { indexAddressesInWorker, mergeInWorker } from "@postcode/node"
import {
  assertPeppers,
  assertSessionKeys,
  layerNodeSecrets,
  layerSessionTokens,
  type Pepper,
  randomAlphanumeric,
  type SigningKey
} from "@postcode/node/secrets"
import { layerWebhookTransport } from "@postcode/node/webhooks"
import { Effect, Layer, Redacted } from "effect"
import { assertFiles } from "../documents/HostedFile.ts"
import { trustedProxies } from "../input/ClientAddress.ts"
import { type GatewayOptions, optionFaults } from "../pipeline/GatewayOptions.ts"
import { type EmbeddedGateway, openGateway } from "./EmbeddedGateway.ts"

/** Only `operatorToken` and `store` are always required. */
export interface CreateGatewayOptions extends Omit<GatewayOptions, "operatorToken"> {
  /** Authorizes management requests: 32 to 512 printable ASCII characters without spaces, and no repetition. */
  readonly operatorToken: string
  /** `memoryStore()` of `@postcode/memory` or `postgresStore({ url })` of `@postcode/postgres`. */
  readonly store: Store
  /** The directory to serve. Required if the store keeps none; by default, that of the store. */
  readonly directory?: DirectorySource | undefined
  /**
   * The key of the hashes of end users' identifiers: a secret, or several with their versions, the current one first.
   * Required if the store is shared or outlives the process; otherwise random by default.
   */
  readonly identifierPepper?: string | ReadonlyArray<PlainPepper> | undefined
  /**
   * The key that signs tokens of widget sessions: a secret, or several with their ids, the signing one first. Required
   * if the store is shared or outlives the process; otherwise random by default.
   */
  readonly sessionKeys?: string | ReadonlyArray<PlainSessionKey> | undefined
  /** The prices in credits; see `PriceList` of `@postcode/core/Prices`. */
  readonly prices?: PriceList | undefined
  /**
   * Your page where organizations buy credits, `https://pay.example/{organization_id}`, with `{environment}` if it sells
   * test credits, too. The console and the errors of requests without enough credits link to it.
   */
  readonly buyCreditsUrl?: string | undefined
}

/**
 * A directory, with or without the attributes of its units: without attributes, lookups show names only. With a store that
 * is shared, it cannot be changed, because the other processes would not know.
 */
export type DirectorySource =
  | Directory
  | {
      readonly directory: Directory
      readonly attributes: (id: number, postcode: Postcode) => UnitAttributes
    }

/** A pepper for the hashes of identifiers, as a plain string. */
export interface PlainPepper {
  /** 1 to 999,999. */
  readonly version: number
  readonly secret: string
}

/** A key that signs the tokens of widget sessions, as a plain string. */
export interface PlainSessionKey {
  /** 1 to 32 characters of `[A-Za-z0-9_-]`. */
  readonly id: string
  readonly secret: string
}

/**
 * Opens the service, and sends its webhooks until it is closed.
 *
 * ```ts
 * const gateway = await createGateway({ operatorToken, directory: demoDirectory(), store: memoryStore() })
 * createServer(gateway.nodeHandler).listen(8080)
 * ```
 *
 * @throws Error with a line for each invalid option, or if the store cannot be opened
 */
export const createGateway = async (options: CreateGatewayOptions): Promise<EmbeddedGateway> => {
  assertValid(options)
  const { buyCreditsUrl, directory, identifierPepper, operatorToken, prices, sessionKeys, store, ...gatewayOptions } =
    options
  const [pepper = madePepper(), ...formerPeppers] = peppersOf(identifierPepper)
  const [key = madeKey(), ...otherKeys] = keysOf(sessionKeys)
  const ports = Layer.provideMerge(
    Layer.merge(store.layer(directory && layerOf(directory, store)), layerSessionTokens([key, ...otherKeys])),
    layerNodeSecrets(pepper, formerPeppers)
  )
  const announcements = Effect.andThen(announceExpiringKeys, announceDirectory)
  const started = Effect.andThen(closeStoredSandbox, Effect.andThen(announcements, sendWebhooks))
  const webhooks = Layer.effectDiscard(started).pipe(Layer.provide(layerWebhookTransport()))
  const settings = Layer.merge(
    Layer.succeed(Prices, prices ?? defaultPriceList),
    Layer.succeed(BuyCreditsUrl, buyCreditsUrl)
  )
  return openGateway(
    { ...gatewayOptions, operatorToken: Redacted.make(operatorToken) },
    Layer.provideMerge(Layer.merge(webhooks, settings), ports)
  )
}

const layerOf = (source: DirectorySource, { isShared }: Store) => {
  const { attributes, directory } = "attributes" in source ? source : { directory: source, attributes: () => ({}) }
  return isShared
    ? layerFixedDirectory(directory, attributes, fixedDirectory)
    : layerDirectory(directory, attributes, { merge: mergeInWorker, indexAddresses: indexAddressesInWorker })
}

const fixedDirectory = "this directory cannot be changed: it comes from the program, not from the store"

const peppersOf = (given: CreateGatewayOptions["identifierPepper"]): ReadonlyArray<Pepper> =>
  listOf(given, (secret) => ({ version: 1, secret })).map((it) => ({ ...it, secret: Redacted.make(it.secret) }))

const keysOf = (given: CreateGatewayOptions["sessionKeys"]): ReadonlyArray<SigningKey> =>
  listOf(given, (secret) => ({ id: "first", secret })).map((it) => ({ ...it, secret: Redacted.make(it.secret) }))

const listOf = <A>(given: string | ReadonlyArray<A> | undefined, name: (secret: string) => A): ReadonlyArray<A> =>
  given === undefined ? [] : typeof given === "string" ? [name(given)] : assertList(given)

const assertList = <A>(given: ReadonlyArray<A>): ReadonlyArray<A> => {
  const list: unknown = given
  if (Array.isArray(list) && list.every(isObject)) return given
  throw new TypeError("expected a secret, or a list of secrets with their versions or ids")
}

const madePepper = (): Pepper => ({ version: 1, secret: Redacted.make(randomAlphanumeric(32)) })
const madeKey = (): SigningKey => ({ id: "made-at-start", secret: Redacted.make(randomAlphanumeric(43)) })

const assertValid = (options: CreateGatewayOptions): void => {
  const faults = faultsOf(options)
  if (faults.length > 0) throw new Error(["createGateway was called with invalid options:", ...faults].join("\n- "))
}

const faultsOf = (options: CreateGatewayOptions): ReadonlyArray<string> => {
  // Callers without types may pass anything.
  if (!isObject(options)) return [`expected an object with operatorToken and store, such as ${anExample}`]
  const { buyCreditsUrl, directory, files = [], identifierPepper, operatorToken, prices, sessionKeys, store } = options
  const isStore = typeof store?.layer === "function"
  const isRequired = isStore && store.isShared
  return [
    ...Object.keys(options).flatMap((name) => (Object.hasOwn(optionNames, name) ? [] : [`${name}: unknown option`])),
    ...optionFaults({ ...options, operatorToken: Redacted.make(String(operatorToken ?? "")) }),
    ...(isStore ? store.faults.map((fault) => `store: ${fault}`) : [`store: expected ${knownStores}`]),
    ...(directory === undefined && isStore && !store.hasDirectory
      ? ["directory: expected a directory, which this store does not keep"]
      : []),
    ...(directory === undefined || isSource(directory) ? [] : [`directory: ${expectedDirectory}`]),
    ...(isRequired && identifierPepper === undefined ? [`identifierPepper: ${sharedSecret}`] : []),
    ...(isRequired && sessionKeys === undefined ? [`sessionKeys: ${sharedSecret}`] : []),
    ...(buyCreditsUrl === undefined || isBuyCreditsUrl(buyCreditsUrl)
      ? []
      : [`buyCreditsUrl: expected ${buyCreditsUrlForm}`]),
    ...faultIn("identifierPepper", () => assertPeppers(peppersOf(identifierPepper))),
    ...faultIn("sessionKeys", () => assertSessionKeys(keysOf(sessionKeys))),
    ...faultIn("trustedProxies", () => trustedProxies(options.trustedProxies ?? [])),
    ...faultIn("files", () => assertFiles(files, () => false)),
    ...faultIn("prices", () => prices !== undefined && assertPriceList(prices))
  ]
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isSource = (source: unknown): boolean => {
  if (!isObject(source)) return false
  const { attributes, directory = source } = source as { readonly attributes?: unknown; readonly directory?: unknown }
  const isKnown = isObject(directory) && typeof (directory as Partial<Directory>).postcodeAt === "function"
  return isKnown && (directory === source || typeof attributes === "function")
}

const anExample = 'createGateway({ operatorToken: "…", directory: demoDirectory(), store: memoryStore() })'
const expectedDirectory =
  "expected a Directory, or { directory, attributes } such as demoDirectory() of @postcode/demo; a promise of one is awaited before"

const knownStores = "memoryStore() of @postcode/memory or postgresStore({ url }) of @postcode/postgres"
const sharedSecret =
  "expected a secret, the same in all processes that share the store; create one with: openssl rand -hex 32"

const faultIn = (name: string, check: () => void): ReadonlyArray<string> => {
  try {
    check()
    return []
  } catch (error) {
    const { message } = error as Error
    return [message.startsWith(name) ? message : `${name}: ${message}`]
  }
}

/** Every option, so that a misspelled one is reported. */
const optionNames: Readonly<Record<keyof CreateGatewayOptions, true>> = {
  operatorToken: true,
  store: true,
  directory: true,
  identifierPepper: true,
  sessionKeys: true,
  prices: true,
  buyCreditsUrl: true,
  keyRateLimit_per_minute: true,
  publishableKeyRateLimit_per_minute: true,
  organizationRateLimit_per_minute: true,
  addressRateLimit_per_minute: true,
  sessionRateLimit_per_minute: true,
  trustedProxies: true,
  host: true,
  mapStyle: true,
  publicOrigin: true,
  files: true,
  loadControl: true,
  onAnswer: true
}
