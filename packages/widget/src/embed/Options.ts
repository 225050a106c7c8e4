/** The options of the hosted page, after the `#` of its address, which browsers do not send to servers. */
import { segmentNames } from "@postcode/core/Postcode"
import { languageOf, languages } from "../languages/loadMessages.ts"
import { depthUntil, readCode } from "../TypedCode.ts"

/** The picker's options; an empty text is a missing option. */
export interface EmbedOptions {
  readonly publishableKey: string
  /** Whether the location opens a map. */
  readonly discover: boolean
  readonly label: string
  /** The primary language: `fr` of `fr-CA`. */
  readonly lang: string
  /** Whether saved postcodes are offered. */
  readonly saved: boolean
  readonly theme: string
  readonly until: string
  readonly value: string
  /** The origin of the framing page. */
  readonly parent: string
}

/** Names the invalid option and its valid values. */
export class InvalidOption extends Error {}

/**
 * The options of an address such as `…/embed#publishable-key=svc_pk_…&lang=ha`.
 *
 * @throws InvalidOption if one is unknown, repeated or invalid
 */
export const readOptions = ({ hash, search }: Pick<URL, "hash" | "search">): EmbedOptions => {
  if (search !== "") throw new InvalidOption("put the options after a #, which servers do not log, not after a ?")
  const given = new URLSearchParams(hash.slice(1))
  const seen = new Set<string>()
  for (const [name, text] of given) {
    const option = options.get(name)
    if (option === undefined) {
      throw new InvalidOption(`${shown(name)}: there is no such option, only ${[...options.keys()].join(", ")}`)
    }
    if (seen.has(name)) throw new InvalidOption(`${name}: expected once`)
    seen.add(name)
    if (!option.takes(text)) throw new InvalidOption(`${name}: expected ${option.expected}`)
  }
  const { "publishable-key": publishableKey = "", ...rest } = Object.fromEntries(given)
  const { discover = "", label = "", lang = "", parent = "", saved = "", theme = "", until = "", value = "" } = rest
  if (value !== "" && readCode(value, depthUntil(until)) === undefined) {
    throw new InvalidOption("value: expected a postcode that is at least as long as until requires")
  }
  const flags = { discover: discover !== "", saved: saved !== "" }
  return { publishableKey, label, lang: languageOf(lang), parent, ...flags, theme, until, value }
}

/** The framing page's origin if it is valid, even if other options are not. */
export const readParent = ({ hash }: Pick<URL, "hash">): string => {
  const parent = new URLSearchParams(hash.slice(1)).get("parent") ?? ""
  return isOrigin(parent) ? parent : ""
}

interface Option {
  readonly takes: (text: string) => boolean
  readonly expected: string
}

/** As browsers send it. */
const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

const oneOf = (...texts: ReadonlyArray<string>): Option => ({
  takes: (text) => texts.includes(text),
  expected: `one of ${texts.join(", ")}`
})

const options: ReadonlyMap<string, Option> = new Map([
  [
    "publishable-key",
    {
      takes: (text) => /^svc_pk_[0-9A-Za-z]{38}$/.test(text),
      expected: "a publishable key, svc_pk_…: a secret key must not leave your servers"
    }
  ],
  [
    "label",
    {
      takes: (text) => /^(?=.*\S)[^\p{Cc}\p{Zl}\p{Zp}]{1,100}$/u.test(text),
      expected: "1 to 100 characters on one line"
    }
  ],
  ["lang", { ...oneOf(...languages), takes: (text) => languages.includes(languageOf(text)) }],
  ["discover", oneOf("true")],
  ["saved", oneOf("true")],
  ["theme", oneOf("light", "dark")],
  ["until", oneOf(...segmentNames)],
  ["value", { takes: (text) => text !== "", expected: "a postcode" }],
  ["parent", { takes: isOrigin, expected: "the origin of the page around the frame, such as https://shop.example" }]
])

/** Escaped and shortened, since a name may be anything. */
const shown = (name: string): string => (/^[\w-]{1,40}$/.test(name) ? name : "an option")
