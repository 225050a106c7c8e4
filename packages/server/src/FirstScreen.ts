/** The screen after `postcode serve` starts: everything needed for a first request. */

import type { PriceList } from "@postcode/core/Prices"
import type { TestUser } from "@postcode/demo/page"
import type { ServedData } from "./data/serveData.ts"
import type { DemoKey, DemoOrganization } from "./demonstration/DemoOrganization.ts"
import type { Demonstration } from "./demonstration/openDemonstration.ts"
import { shownOrigin } from "./demonstration/PageAddress.ts"
import type { ClaimLink } from "./FirstOperator.ts"
import { commandName } from "./process/CommandName.ts"
import { host } from "./process/Host.ts"
import { emphasize } from "./process/Output.ts"
import { counted, grouped } from "./process/Progress.ts"
import type { StoreDescription } from "./store/OpenedStore.ts"

/** The content of the screen. */
export interface FirstScreen extends StoreDescription {
  readonly url: string
  /** The address of the widget's endpoints, if it is another host. */
  readonly platformUrl: string | undefined
  /** The address of the telemetry port, if any. */
  readonly operationsUrl: string | undefined
  readonly prices: PriceList
  /** Whether there are reserved keys and postcodes. */
  readonly hasSandbox: boolean
  /** The number of processes that serve requests. */
  readonly workers: number
  /** The operator token if it was generated now; undefined if the environment set it. */
  readonly generatedToken: string | undefined
  /** The data folder; undefined if there is none. */
  readonly data: Pick<ServedData, "path" | "secretsFile"> | undefined
  /** The console's address; undefined if it is disabled. */
  readonly consoleUrl: string | undefined
  /** The link for the first operator, if there is none. */
  readonly claim: ClaimLink | undefined
  /** The demonstration, if the service serves it. */
  readonly demonstration: Demonstration | undefined
}

/** Fits 100 columns; its commands can be run as printed. */
export const firstScreen = (screen: FirstScreen): string => {
  const { claim, consoleUrl, demonstration, url } = screen
  return [
    "",
    ...(demonstration === undefined ? [] : [emphasize(pageLine(url, demonstration)), ""]),
    emphasize(`Postcode Gateway at ${url}`),
    "",
    ...serviceEntries(screen),
    "",
    ...operatorEntry(screen),
    ...(claim === undefined ? entry("console", consoleUrl) : claimEntry(claim)),
    ...(demonstration === undefined ? [] : ["", ...organizationEntries(demonstration.organization)]),
    "",
    ...(demonstration === undefined ? firstSteps(screen) : demonstrationLines(screen, demonstration)),
    ""
  ].join("\n")
}

/** A label before the first of its lines. Undefined lines are omitted. */
const entry = (label: string, ...lines: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  lines.flatMap((line, i) => (line === undefined ? [] : [`  ${(i === 0 ? label : "").padEnd(15)}${line}`]))

const pageLine = (url: string, { origins, publicOrigin }: Demonstration): string =>
  `Open ${shownOrigin(url, publicOrigin, origins)} in a browser to try everything`

const serviceEntries = (screen: FirstScreen): ReadonlyArray<string> => {
  const { data, directory, hasAttributes, hasSandbox, operationsUrl, platformUrl, source, storage, url, workers } =
    screen
  const isKeptDemonstration = data !== undefined && isDemonstration(directory)
  return [
    ...entry(
      "directory",
      source,
      `${counted(directory.size, "unit")}, ${grouped(directory.activeSize)} of them active`,
      hasAttributes ? undefined : "a snapshot knows no addresses and buildings: levels 3 and 4 have nothing to add",
      isKeptDemonstration ? "the demonstration: real states and LGAs of Nigeria, invented units" : undefined,
      isKeptDemonstration ? "without --data, it has keys and a page to try everything, and keeps nothing" : undefined
    ),
    ...entry("workers", workers === 1 ? undefined : `${workers} processes share the port and the storage`),
    ...entry("widget", platformUrl),
    ...entry("metrics", operationsUrl && `${operationsUrl}/metrics`),
    ...entry("documents", `${url}/v1/docs`),
    ...entry("storage", storage),
    ...entry(
      "sandbox",
      hasSandbox ? "reserved keys and postcodes force every answer: docs/sandbox.md lists them" : undefined
    )
  ]
}

const operatorEntry = ({ data, generatedToken }: FirstScreen): ReadonlyArray<string> => {
  if (generatedToken !== undefined) {
    const hint = "opens the management API; made for this start, POSTCODE_OPERATOR_TOKEN sets another"
    return entry("operator", generatedToken, hint)
  }
  const place = data === undefined || hasTokenInEnvironment() ? "POSTCODE_OPERATOR_TOKEN" : data.secretsFile
  return entry("operator", `the token in ${place} opens the management API`)
}

const hasTokenInEnvironment = (): boolean => (host().env.POSTCODE_OPERATOR_TOKEN ?? "") !== ""

const claimEntry = ({ file, url }: ClaimLink): ReadonlyArray<string> =>
  entry(
    "console",
    url,
    "creates the first operator's account, once, within 7 days; keep it secret",
    file && `also in ${file}`
  )

const organizationEntries = ({ credits, id, keys, name }: DemoOrganization): ReadonlyArray<string> => [
  ...entry("organization", `${name}, ${id}: verified, granted level 5`),
  ...entry("credits", `${grouped(credits.test)} test, ${grouped(credits.live)} live`),
  ...keys.flatMap(({ environment, kind, origins, secret }) =>
    kind === "secret"
      ? entry(`${environment} key`, secret)
      : entry("browser key", secret, `for pages of ${placesOf(origins)}`)
  )
]

/** A browser key is bound to the same ports of each host. */
const placesOf = (origins: ReadonlyArray<string>): string => {
  const urls = origins.map((origin) => new URL(origin))
  const hosts = new Set(urls.map(({ hostname, protocol }) => `${protocol}//${hostname}`))
  return `${[...hosts].join(" and ")}, ports ${[...new Set(urls.map(({ port }) => port))].join(", ")}`
}

/** The steps from an empty store to a first key. */
const firstSteps = ({ data, directory, generatedToken, url }: FirstScreen): ReadonlyArray<string> => [
  emphasize("First steps: an organization, and a key for it"),
  "",
  ...(data === undefined ? [] : [`  export POSTCODE_DATA=${data.path}`]),
  ...(generatedToken === undefined ? [] : [`  export POSTCODE_OPERATOR_TOKEN=${generatedToken}`]),
  ...(data !== undefined || url === "http://127.0.0.1:3000" ? [] : [`  export POSTCODE_URL=${url}`]),
  `  ${commandName()} orgs create "Example Ltd"`,
  `  ${commandName()} keys create org_… --name "first key"`,
  ...(data !== undefined && isDemonstration(directory)
    ? ["", "  # Your directory, in place of the demonstration", `  ${commandName()} import PATH`]
    : [])
]

/** As the first start on a data folder names it. */
const isDemonstration = ({ version }: StoreDescription["directory"]): boolean => /^demo-\d+-\d+$/.test(version)

const demonstrationLines = (
  { generatedToken, platformUrl, prices, url }: FirstScreen,
  { organization, person, unit: { coordinate, postcode } }: Demonstration
): ReadonlyArray<string> => {
  const place = `lat=${coordinate.lat}&lng=${coordinate.lon}`
  const curl = (path: string) => `  curl -sw '\\n' '${url}${path}'`
  return [
    emphasize("Try it"),
    "",
    "  # Complete a partial code or name",
    curl("/v1/search/autocomplete?q=LA%20ike"),
    "",
    "  # Which unit is here, and which are around it?",
    curl(`/v1/search/reverse?${place}`),
    curl(`/v1/search/nearby?${place}&limit=3`),
    "",
    "  # Does this postcode exist? Free, and without a key",
    curl(`/v1/lookup?code=${postcode}`),
    "",
    `  # What is known of it? Level 4 takes a key and ${counted(prices.lookup[4], "credit")}`,
    `${curl(`/v1/lookup?code=${postcode}&level=4`)} \\`,
    `    -H 'X-API-Key: ${keyOf(organization, "secret")}'`,
    "",
    ...widgetSteps(platformUrl ?? url, keyOf(organization, "publishable"), person),
    "",
    "  # Manage organizations, keys and credits",
    `${curl("/v1/admin/organizations")} \\`,
    `    -H ${bearer(generatedToken)}`
  ]
}

const keyOf = ({ keys }: DemoOrganization, kind: DemoKey["kind"]): string =>
  keys.find((key) => key.kind === kind)?.secret ?? ""

/** The second command uses the output of the first. */
const widgetSteps = (
  url: string,
  key: string,
  { identifiers: [identifier], name }: TestUser
): ReadonlyArray<string> => [
  `  # What the widget does: a session for an end user, ${name}, and the postcodes that ${name} has saved`,
  `  TOKEN=$(curl -s '${url}/v1/widget/session' \\`,
  `    -H 'X-API-Key: ${key}' \\`,
  `    -H 'Content-Type: application/json' -d '{"identifier":"${identifier}"}' | cut -d '"' -f 6)`,
  `  curl -sw '\\n' '${url}/v1/widget/bookmarks' -H "Authorization: Bearer $TOKEN"`
]

/** A token in the environment is not printed: the shell inserts it. */
const bearer = (generatedToken: string | undefined): string =>
  generatedToken === undefined
    ? '"Authorization: Bearer $POSTCODE_OPERATOR_TOKEN"'
    : `'Authorization: Bearer ${generatedToken}'`
