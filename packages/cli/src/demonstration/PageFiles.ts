/** The files of the demonstration page: the page itself, what it loads, and what it has to know of this start. */
import { extname } from "node:path"
import type { HostedFile } from "@postcode/http"
import type { FailingKeys } from "./PageKeys.ts"
import type { Person } from "./People.ts"
import { pageAssets } from "./pageAssets.ts"

/** What the page knows of this start. It is sent to it as JSON. */
export interface PageSettings {
  /** Where it may be opened: its keys work there only. */
  readonly origins: OneOrMore<string>
  /** The port of the platform's host; null if it is that of the page. */
  readonly platform_port: number | null
  readonly key: string
  readonly failing_keys: FailingKeys
  readonly expired_token: string
  readonly people: OneOrMore<Person>
  /** One that exists. */
  readonly postcode: string
  /** Whether the service has the widget as a page of its own, for a frame. */
  readonly has_embed: boolean
  /** The address of no service. */
  readonly nowhere: typeof nowhere
}

type OneOrMore<A> = readonly [A, ...ReadonlyArray<A>]

/** Where nobody will ever be: the name is reserved for that (RFC 6761). */
export const nowhere = "http://nobody.invalid"

/** @param platforms the origins of the platform's host, if it is another one */
export const pageFiles = async (
  settings: PageSettings,
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
        // The picker asks where its person is.
        "permissions-policy": "camera=(), display-capture=(), microphone=(), payment=(), usb=()",
        "referrer-policy": "no-referrer"
      },
      host: "gateway"
    },
    ...rest.map(({ content, name }) => file(name, content)),
    ...picker.map(({ content, name }) => file(`picker/${name}`, content)),
    file("settings.json", JSON.stringify(settings))
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

/** As strict as a page with the picker on it may be: it needs no exception. */
const policy = (platforms: ReadonlyArray<string>): string => {
  const services = ["'self'", ...platforms].join(" ")
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src ${services} ${nowhere}; ` +
    `frame-src ${services}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ` +
    "require-trusted-types-for 'script'; trusted-types 'none'"
  )
}
