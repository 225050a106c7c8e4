import { availableParallelism } from "node:os"
import { defaultPriceList, type PriceList, priceFall } from "@postcode/core/Credits"
import { isNetwork } from "@postcode/http/ClientAddress"
import { Result } from "effect"
import { Command } from "effect/cli"
import { databaseUrl, directory } from "../commands/CommonFlags.ts"
import { lazily } from "../Lazy.ts"
import { booleanFlag, flag, list, optionalFlag, type Reader, text, wholeNumber } from "../Parameters.ts"

const rateLimit = wholeNumber(1, 1_000_000)

/** A trusted proxy or range. */
export const network: Reader<string> = (given) =>
  isNetwork(given) ? Result.succeed(given) : Result.fail("an IP address or a range such as 10.0.0.0/8")

const maxPrice = 1_000_000

/** `2=1,3=2,session=1`: prices in credits by level; others keep their default. Level 1 is free. */
export const priceList: Reader<PriceList> = (given) => {
  const expected = `prices such as 2=1,3=2,4=3,5=3,session=1, each from 0 to ${maxPrice}`
  const named = new Map<string, number>()
  for (const part of given.split(",")) {
    const [, name = "", price = ""] = /^\s*([2-5]|session)=(\d{1,7})\s*$/.exec(part) ?? []
    if (name === "" || named.has(name) || Number(price) > maxPrice) return Result.fail(expected)
    named.set(name, Number(price))
  }
  const { lookup, widget_session } = defaultPriceList
  const prices: PriceList = {
    lookup: {
      2: named.get("2") ?? lookup[2],
      3: named.get("3") ?? lookup[3],
      4: named.get("4") ?? lookup[4],
      5: named.get("5") ?? lookup[5]
    },
    widget_session: named.get("session") ?? widget_session
  }
  const fall = priceFall(prices)
  return fall === undefined
    ? Result.succeed(prices)
    : Result.fail(`prices that do not fall from level to level, but ${fall}`)
}

/** More threads are useless on any machine and take memory. */
const maxWorkers = 64

/** A number of threads, or `auto` for one per processor. */
export const workerCount: Reader<number> = (given) =>
  given === "auto"
    ? Result.succeed(Math.min(availableParallelism(), maxWorkers))
    : Result.mapError(wholeNumber(1, maxWorkers)(given), (expected) => `${expected}, or auto`)

/**
 * The origin of a web server: `https://postcode.example`. It contains no character with a meaning in a content security
 * policy.
 */
export const webOrigin: Reader<string> = (given) => {
  const url = URL.parse(given)
  const isOrigin = url?.href === `${url?.origin}/` && /^https?:\/\/[\w.-]+(?::\d+)?$/.test(url.origin)
  return isOrigin
    ? Result.succeed(url.origin)
    : Result.fail("an address without a path, such as https://postcode.example")
}

const booleanText: Reader<boolean> = (given) =>
  given === "true" || given === "1"
    ? Result.succeed(true)
    : given === "false" || given === "0"
      ? Result.succeed(false)
      : Result.fail("true or false")

export const serve = Command.make(
  "serve",
  {
    port: flag("port", {
      read: wholeNumber(0, 65_535),
      metavar: "N",
      description: "Port to listen on, 0 for any free one; default: 3000",
      environment: "POSTCODE_PORT",
      fallback: 3000
    }),
    host: flag("host", {
      read: text,
      metavar: "HOST",
      description: "Address to listen on, 0.0.0.0 for all; default: 127.0.0.1",
      environment: "POSTCODE_HOST",
      fallback: "127.0.0.1"
    }),
    platformPort: optionalFlag("platform-port", {
      read: wholeNumber(0, 65_535),
      metavar: "N",
      description: "Port of the widget's endpoints, apart from all others; default: the same port",
      environment: "POSTCODE_PLATFORM_PORT"
    }),
    operationsPort: optionalFlag("operations-port", {
      read: wholeNumber(0, 65_535),
      metavar: "N",
      description: "Port of metrics and health for operators, without a key; default: none",
      environment: "POSTCODE_OPERATIONS_PORT"
    }),
    operationsHost: flag("operations-host", {
      read: text,
      metavar: "HOST",
      description: "Address of that port; default: 127.0.0.1",
      environment: "POSTCODE_OPERATIONS_HOST",
      fallback: "127.0.0.1"
    }),
    gatewayUrl: optionalFlag("gateway-url", {
      read: webOrigin,
      metavar: "URL",
      description: "Where browsers find the gateway: with --platform-port, or for the demonstration behind a proxy",
      environment: "POSTCODE_GATEWAY_URL"
    }),
    directory,
    databaseUrl,
    databaseConnections: flag("database-connections", {
      read: wholeNumber(2, 1_000),
      metavar: "N",
      description: "Most connections of the pool, 2 to 1000, those of all threads together; default: 10",
      environment: "POSTCODE_DATABASE_CONNECTIONS",
      fallback: 10
    }),
    trustedProxies: flag("trusted-proxies", {
      read: list(network),
      metavar: "LIST",
      description: "Proxies whose X-Forwarded-For counts: 10.0.0.0/8,::1",
      environment: "POSTCODE_TRUSTED_PROXIES",
      fallback: []
    }),
    keyRateLimit: optionalFlag("key-rate-limit", {
      read: rateLimit,
      metavar: "N",
      description: "Requests a minute of a secret key; 600 by default",
      environment: "POSTCODE_KEY_RATE_LIMIT"
    }),
    publishableKeyRateLimit: optionalFlag("publishable-key-rate-limit", {
      read: rateLimit,
      metavar: "N",
      description: "Requests a minute of a publishable key, from all addresses; 6,000 by default",
      environment: "POSTCODE_PUBLISHABLE_KEY_RATE_LIMIT"
    }),
    organizationRateLimit: optionalFlag("organization-rate-limit", {
      read: rateLimit,
      metavar: "N",
      description: "Requests a minute of all keys of an organization; 6,000 by default",
      environment: "POSTCODE_ORGANIZATION_RATE_LIMIT"
    }),
    addressRateLimit: optionalFlag("address-rate-limit", {
      read: rateLimit,
      metavar: "N",
      description: "Requests a minute of an address without a secret key; 600 by default",
      environment: "POSTCODE_ADDRESS_RATE_LIMIT"
    }),
    sessionRateLimit: optionalFlag("session-rate-limit", {
      read: rateLimit,
      metavar: "N",
      description: "Widget sessions that an address may start a minute; default: 30",
      environment: "POSTCODE_SESSION_RATE_LIMIT"
    }),
    publicOrigin: optionalFlag("public-url", {
      read: webOrigin,
      metavar: "URL",
      description: "Where browsers reach the service; default: the host of their requests",
      environment: "POSTCODE_PUBLIC_URL"
    }),
    workers: flag("workers", {
      read: workerCount,
      metavar: "N",
      description: "Threads that answer, 1 to 64, or auto for one a processor; above 1 with a database; default: 1",
      environment: "POSTCODE_WORKERS",
      fallback: 1
    }),
    prices: flag("prices", {
      read: priceList,
      metavar: "LIST",
      description: "Credits by level; 2=1,3=2,4=3,5=3,session=1 by default",
      environment: "POSTCODE_PRICES",
      fallback: defaultPriceList
    }),
    webhooksMayBePrivate: booleanFlag(
      "private-webhooks",
      "Send webhooks to private addresses, too, and by http to this machine",
      { read: booleanText, environment: "POSTCODE_PRIVATE_WEBHOOKS" }
    ),
    noConsole: booleanFlag("no-console", "Serve no web console at /console/", {
      read: booleanText,
      environment: "POSTCODE_NO_CONSOLE"
    }),
    maxConnections: flag("max-connections", {
      read: wholeNumber(1, 1_000_000),
      metavar: "N",
      description: "Maximum open connections of a thread, default: 10000; one more is closed at once",
      environment: "POSTCODE_MAX_CONNECTIONS",
      fallback: 10_000
    }),
    noLoadControl: booleanFlag("no-load-control", "Refuse nothing however much is asked: leave that to a proxy", {
      read: booleanText,
      environment: "POSTCODE_NO_LOAD_CONTROL"
    }),
    accessLog: booleanFlag("access-log", "Write a JSON line for each answer to standard error", {
      read: booleanText,
      environment: "POSTCODE_ACCESS_LOG"
    })
  },
  (input) =>
    lazily(
      () => import("./serveGateway.ts"),
      ({ serveGateway }) => serveGateway(input)
    )
).pipe(
  Command.withDescription(
    "Run the service. Without a database it keeps everything in memory: organizations, keys and credits are gone\n" +
      "  once it ends. On a database any number of replicas are one service.\n" +
      "  POSTCODE_OPERATOR_TOKEN opens the management API; without a database one is made and printed if need be.\n" +
      "  POSTCODE_IDENTIFIER_PEPPER is the secret behind the hashes of end users' identifiers.\n" +
      "  POSTCODE_SESSION_KEYS signs the tokens of widget sessions: first:<secret>.\n" +
      "  With a database all three have to be there, the same for all replicas.\n" +
      "  POSTCODE_ADMIN_EMAIL and POSTCODE_ADMIN_PASSWORD_FILE make the console's first operator; without them a link\n" +
      "  is printed that does so once."
  ),
  Command.withShortDescription("Run the service"),
  Command.withExamples([
    { command: "postcode serve", description: "With the demonstration directory, an organization and its keys" },
    { command: "postcode serve --directory ./nigeria --port 8080 --access-log" },
    { command: "DATABASE_URL=postgresql://… postcode serve", description: "On PostgreSQL, after postcode import" }
  ])
)
