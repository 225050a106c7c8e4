/** The files of the demonstration page, and its settings. */
import { extname } from "node:path"
import type { HostedFile } from "@postcode/http"
import type { FailingKeys } from "./PageKeys.ts"
import { pageAssets } from "./pageAssets.ts"
import type { TestUser } from "./TestUsers.ts"
import type { CountedState } from "./UnitCounts.ts"

/** The page's settings, sent as JSON. */
export interface PageSettings {
  /** The origins for which the page's keys are valid. */
  readonly origins: OneOrMore<string>
  /** The port of the platform's host; null if it is the page's. */
  readonly platform_port: number | null
  readonly key: string
  /** A secret key of the test environment, for the forms of the endpoints. */
  readonly test_key: string
  /** A unit for the examples, as texts. */
  readonly unit: { readonly code: string; readonly lat: string; readonly lng: string; readonly address: string }
  readonly failing_keys: FailingKeys
  readonly expired_token: string
  readonly people: OneOrMore<TestUser>
  /** Whether the service has the hosted widget page, for a frame. */
  readonly has_embed: boolean
  readonly has_console: boolean
  /** A URL at which no service answers. */
  readonly nowhere: typeof nowhere
}

type OneOrMore<A> = readonly [A, ...ReadonlyArray<A>]

/** A name that never resolves (RFC 6761). */
export const nowhere = "http://nobody.invalid"

/** @param platforms the origins of the platform's host, if it is another one */
export const pageFiles = async (
  settings: PageSettings,
  counts: ReadonlyArray<CountedState>,
  platforms: ReadonlyArray<string>
): Promise<ReadonlyArray<HostedFile>> => {
  const { page, picker } = await pageAssets()
  const rest = page.filter(({ name }) => name !== index)
  return [
    {
      path: "/",
      contentType: contentTypeOf(index),
      content: page.find(({ name }) => name === index)?.content ?? "",
      headers: {
        "content-security-policy": policy(platforms),
        "cross-origin-opener-policy": "same-origin",
        // The picker uses geolocation.
        "permissions-policy": "camera=(), display-capture=(), microphone=(), payment=(), usb=()",
        "referrer-policy": "no-referrer"
      },
      host: "gateway"
    },
    ...rest.map(({ content, name }) => file(name, content)),
    ...picker.map(({ content, name }) => file(`picker/${name}`, content)),
    file("settings.json", JSON.stringify(settings)),
    file("units.json", JSON.stringify(counts))
  ]
}

const index = "index.html"

const file = (name: string, content: string): HostedFile => ({
  path: `/demo/${name}`,
  contentType: contentTypeOf(name),
  content,
  host: "gateway"
})

const contentTypeOf = (name: string): string =>
  `${contentTypes.get(extname(name)) ?? "application/octet-stream"}; charset=utf-8`

const contentTypes: ReadonlyMap<string, string> = new Map([
  [".css", "text/css"],
  [".html", "text/html"],
  [".js", "text/javascript"],
  [".json", "application/json"],
  [".svg", "image/svg+xml"]
])

/** The strictest policy under which the picker works. */
const policy = (platforms: ReadonlyArray<string>): string => {
  const services = ["'self'", ...platforms].join(" ")
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src ${services} ${nowhere}; ` +
    `frame-src ${services}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ` +
    "require-trusted-types-for 'script'; trusted-types 'none'"
  )
}
