import { availableParallelism } from "node:os"
import { defaultPriceList, type PriceList, priceFall } from "@postcode/core/Prices"
import { signUpModes } from "@postcode/gateway/accounts/signUp/SignUpSettings"
import { type DatedPage, datedPageForm, readDatedPage } from "@postcode/gateway/accounts/Terms"
import { buyCreditsUrlForm, isBuyCreditsUrl } from "@postcode/gateway/credits/BuyCreditsUrl"
import { parseEmail } from "@postcode/gateway/Email"
import { readSender, type Sender, senderForm } from "@postcode/gateway/notices/Sender"
import { closingNotice_days } from "@postcode/gateway/organizations/Organization"
import { readSupportContact, supportContactForm } from "@postcode/gateway/SupportContact"
import { isMapStyle, mapStyleForm } from "@postcode/gateway/widget/MapStyle"
import { isNetwork } from "@postcode/http/ClientAddress"
import { lazily } from "@postcode/server/process/Lazy"
import { Result } from "effect"
import { Command, Flag } from "effect/cli"
import { booleanFlag, booleanText, list, oneOf, optionalFlag, type Reader, text, wholeNumber } from "../Parameters.ts"
import { version } from "../Version.ts"
import { data, databaseUrl, directory, postgresBin } from "./CommonFlags.ts"

/** A trusted proxy or range. */
export const network: Reader<string> = (given) =>
  isNetwork(given) ? Result.succeed(given) : Result.fail("an IP address or a range such as 10.0.0.0/8")

const maxPrice = 1_000_000

/** `2=1,3=2,session=1,address=1`: prices in credits by level; others keep their default. Level 1 is free. */
export const priceList: Reader<PriceList> = (given) => {
  const expected = `prices such as 2=1,3=2,4=3,5=3,session=1,address=1, each from 0 to ${maxPrice}`
  const named = new Map<string, number>()
  for (const part of given.split(",")) {
    const [, name = "", price = ""] = /^\s*([2-5]|session|address)=(\d{1,7})\s*$/.exec(part) ?? []
    if (name === "" || named.has(name) || Number(price) > maxPrice) return Result.fail(expected)
    named.set(name, Number(price))
  }
  const { address_search, lookup, widget_session } = defaultPriceList
  const prices: PriceList = {
    lookup: {
      2: named.get("2") ?? lookup[2],
      3: named.get("3") ?? lookup[3],
      4: named.get("4") ?? lookup[4],
      5: named.get("5") ?? lookup[5]
    },
    widget_session: named.get("session") ?? widget_session,
    address_search: named.get("address") ?? address_search
  }
  const fall = priceFall(prices)
  return fall === undefined
    ? Result.succeed(prices)
    : Result.fail(`prices that do not fall from level to level, but ${fall}`)
}

/** More processes are useless on any machine and take memory. */
const maxWorkers = 64

/** A number of processes, or `auto` for one per processor. */
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

const mapStyle: Reader<string> = (given) => (isMapStyle(given) ? Result.succeed(given) : Result.fail(mapStyleForm))

/** The page where organizations buy credits. */
const buyCreditsUrl: Reader<string> = (given) =>
  isBuyCreditsUrl(given) ? Result.succeed(given) : Result.fail(buyCreditsUrlForm)

/** The sender of mail. */
const sender: Reader<Sender> = (given) => {
  const found = readSender(given)
  return found === undefined ? Result.fail(senderForm) : Result.succeed(found)
}

/** A domain of email addresses, in the form in which addresses are stored. */
const domain: Reader<string> = (given) => {
  const found = parseEmail(`somebody@${given}`)
  return found === undefined
    ? Result.fail("a domain such as example.ng")
    : Result.succeed(found.slice(found.indexOf("@") + 1))
}

/** Where customers ask questions. */
const supportContact: Reader<string> = (given) => {
  const found = readSupportContact(given)
  return found === undefined ? Result.fail(supportContactForm) : Result.succeed(found)
}

/** A page and the day of its version. */
const datedPage: Reader<DatedPage> = (given) => {
  const found = readDatedPage(given)
  return found === undefined ? Result.fail(datedPageForm) : Result.succeed(found)
}

/** Settings are flags or environment variables of the same name: `--key-rate-limit` is `POSTCODE_KEY_RATE_LIMIT`. */
const environmentOf = (name: string): string => `POSTCODE_${name.toUpperCase().replaceAll("-", "_")}`

const setting = <A>(name: string, read: Reader<A>, metavar: string, description: string): Flag.Flag<A | undefined> =>
  optionalFlag(name, { read, metavar, description, environment: environmentOf(name) })

const settingOr = <A>(fallback: NoInfer<A>, ...of: Parameters<typeof setting<A>>): Flag.Flag<A> =>
  Flag.map(setting(...of), (value) => value ?? fallback)

const switchSetting = (name: string, description: string): Flag.Flag<boolean> =>
  booleanFlag(name, description, { read: booleanText, environment: environmentOf(name) })

const requestsSetting = (name: string, of: string): Flag.Flag<number | undefined> =>
  setting(name, requests, "N", `Requests a minute ${of}`)

const port = wholeNumber(0, 65_535)
const requests = wholeNumber(1, 1_000_000)

export const serve = Command.make(
  "serve",
  {
    port: settingOr(3000, "port", port, "N", "Port to listen on, 0 for any free one; default: 3000"),
    host: settingOr("127.0.0.1", "host", text, "HOST", "Address to listen on, 0.0.0.0 for all; default: 127.0.0.1"),
    platformPort: setting(
      "platform-port",
      port,
      "N",
      "Port of the widget's endpoints, apart from all others; default: the same port"
    ),
    operationsPort: setting(
      "operations-port",
      port,
      "N",
      "Port of metrics and health for operators, without a key; default: none"
    ),
    operationsHost: settingOr("127.0.0.1", "operations-host", text, "HOST", "Address of that port; default: 127.0.0.1"),
    gatewayUrl: setting(
      "gateway-url",
      webOrigin,
      "URL",
      "Where browsers find the gateway: with --platform-port, or for the demonstration behind a proxy"
    ),
    directory,
    databaseUrl,
    data,
    postgresBin,
    databaseConnections: settingOr(
      10,
      "database-connections",
      wholeNumber(2, 1_000),
      "N",
      "Maximum number of connections of the pool, 2 to 1000, for all processes together; default: 10"
    ),
    trustedProxies: settingOr(
      [],
      "trusted-proxies",
      list(network),
      "LIST",
      "Proxies whose X-Forwarded-For is trusted: 10.0.0.0/8,::1"
    ),
    keyRateLimit_per_minute: requestsSetting("key-rate-limit", "of a secret key; 600 by default"),
    publishableKeyRateLimit_per_minute: requestsSetting(
      "publishable-key-rate-limit",
      "of a publishable key, from all addresses; 6,000 by default"
    ),
    organizationRateLimit_per_minute: requestsSetting(
      "organization-rate-limit",
      "of all keys of an organization; 6,000 by default"
    ),
    addressRateLimit_per_minute: requestsSetting(
      "address-rate-limit",
      "of an address without a secret key; 600 by default"
    ),
    sessionRateLimit_per_minute: setting(
      "session-rate-limit",
      requests,
      "N",
      "Widget sessions that an address may start a minute; default: 30"
    ),
    publicOrigin: setting(
      "public-url",
      webOrigin,
      "URL",
      "Where browsers reach the service; default: the host of their requests"
    ),
    mapStyle: setting(
      "map-style",
      mapStyle,
      "URL",
      "MapLibre style with streets for the maps of widgets and the console: https://tiles.example/{scheme}.json; default: none"
    ),
    workers: settingOr(
      1,
      "workers",
      workerCount,
      "N",
      "Processes that serve requests, 1 to 64, or auto for one a processor; more than 1 need a database; default: 1"
    ),
    prices: settingOr(
      defaultPriceList,
      "prices",
      priceList,
      "LIST",
      "Credits by level; 2=1,3=2,4=3,5=3,session=1,address=1 by default"
    ),
    buyCreditsUrl: setting(
      "buy-credits-url",
      buyCreditsUrl,
      "URL",
      "Your page where organizations buy credits, with {organization_id} and perhaps {environment}; default: none"
    ),
    mailFrom: setting(
      "mail-from",
      sender,
      "ADDRESS",
      "Sender of mail, with POSTCODE_SMTP_URL: 'Postcode Gateway <postcode@example.ng>'"
    ),
    mailPerAddress: setting(
      "mail-per-address",
      wholeNumber(1, 1_000),
      "N",
      "Mails that anyone can cause to one address in an hour; default: 5"
    ),
    mailPerClient: setting(
      "mail-per-client",
      wholeNumber(1, 100_000),
      "N",
      "Mails that the clients at one address can cause in an hour; default: 20"
    ),
    mailPerDay: setting(
      "mail-per-day",
      wholeNumber(1, 10_000_000),
      "N",
      "Mails in 24 hours in all; more wait; default: 10000"
    ),
    supportContact: setting(
      "support-contact",
      supportContact,
      "CONTACT",
      "Address or web page for questions, in the console, in mail and in errors; default: none"
    ),
    signUp: setting(
      "sign-up",
      oneOf(signUpModes),
      "MODE",
      "Sign-up of visitors: off, open to everybody, or open to the domains of --sign-up-domains; off, in the demonstration open by default"
    ),
    signUpDomains: settingOr(
      [],
      "sign-up-domains",
      list(domain),
      "LIST",
      "The only domains whose addresses may sign up: example.ng,example.com; with --sign-up domains"
    ),
    testCredits: settingOr(
      1_000,
      "test-credits",
      wholeNumber(0, 1_000_000_000),
      "N",
      "Test credits of a new organization; default: 1000"
    ),
    closeUnusedAfter_days: setting(
      "close-unused-after",
      wholeNumber(closingNotice_days + 1, 3_650),
      "DAYS",
      "Close organizations that were never used in so many days, e.g. 90; mail tells owners 14 days before; default: never"
    ),
    terms: setting(
      "terms-url",
      datedPage,
      "PAGE",
      "Your terms and the day of their version: 'https://example.ng/terms 2026-11-01'; default: none"
    ),
    privacy: setting(
      "privacy-url",
      datedPage,
      "PAGE",
      "Your privacy policy and the day of its version, as --terms-url; default: none"
    ),
    webhooksMayBePrivate: switchSetting(
      "private-webhooks",
      "Send webhooks to private addresses, too, and by http to this machine"
    ),
    noConsole: switchSetting("no-console", "Serve no web console at /console/ and no guides at /docs/"),
    sandbox: switchSetting(
      "sandbox",
      "Add reserved test keys and postcodes that force each response; the demonstration always has them"
    ),
    testDirectory: settingOr(
      "all",
      "test-directory",
      oneOf(["all", "sandbox"]),
      "WHICH",
      "What test keys see: all, or sandbox for the reserved postcodes only; default: all"
    ),
    maxConnections: settingOr(
      10_000,
      "max-connections",
      wholeNumber(1, 1_000_000),
      "N",
      "Maximum open connections of a process, default: 10000; one more is closed immediately"
    ),
    loadControl: Flag.map(
      switchSetting("no-load-control", "Never refuse requests because of the load: a proxy does that"),
      (isOff) => (isOff ? false : undefined)
    ),
    accessLog: switchSetting("access-log", "Write a JSON line for each response to standard error")
  },
  (input) =>
    lazily(
      () => import("@postcode/server/serveGateway"),
      ({ serveGateway }) => serveGateway({ ...input, version })
    )
).pipe(
  Command.withDescription(
    "Run the service. Without a database it keeps everything in memory: organizations, keys and credits are lost\n" +
      "  when it ends. On a database, any number of replicas form one service.\n" +
      "  POSTCODE_OPERATOR_TOKEN opens the management API; without a database, a missing one is generated and printed.\n" +
      "  POSTCODE_IDENTIFIER_PEPPER is the secret key of the hashes of end users' identifiers.\n" +
      "  POSTCODE_SESSION_KEYS signs the tokens of widget sessions: first:<secret>.\n" +
      "  With a database all three are required, and are the same for all replicas.\n" +
      "  POSTCODE_SMTP_URL is the mail server: smtps://user:password@host, or smtp://… for STARTTLS. Without it, no mail\n" +
      "  is sent.\n" +
      "  POSTCODE_ADMIN_EMAIL and POSTCODE_ADMIN_PASSWORD_FILE create the console's first operator; without them, the\n" +
      "  service prints a link that does so once."
  ),
  Command.withShortDescription("Run the service"),
  Command.withExamples([
    { command: "postcode serve", description: "With the demonstration directory, an organization and its keys" },
    { command: "postcode serve --directory ./nigeria --port 8080 --access-log" },
    { command: "DATABASE_URL=postgresql://… postcode serve", description: "On PostgreSQL, after postcode import" }
  ])
)
