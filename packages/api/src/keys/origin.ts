/** The web origins that a publishable key can be bound to. */
import { originFamilyPattern, originPattern } from "@postcode/core/WebOrigin"
import { Option, Schema } from "effect"
import { getDomain } from "tldts"

const message =
  "expected a web origin in lower case without a path, such as https://shop.example, https://*.shop.example or http://localhost:5173, or that of an app: capacitor://localhost or ionic://localhost"

const listedPattern = new RegExp(`${originPattern.source}|${originFamilyPattern.source}`, "u")

const parseUrl = Schema.decodeOption(Schema.URLFromString)

/** Browsers send the origins of apps as they are, and other origins as `URL` formats them. */
const isCanonical = (text: string): boolean => {
  if (!/^https?:/.test(text)) return true
  const example = text.replace("*", "a")
  return Option.exists(parseUrl(example), ({ origin }) => origin === example)
}

/**
 * Whether a wildcard spans the names of different owners, as under `co.uk` or `github.io`: each is a registrable domain,
 * or a public suffix.
 */
const spansOwners = (text: string): boolean => {
  if (!text.includes("*")) return false
  const { hostname } = new URL(text.replace("*", "a"))
  const domain = getDomain(hostname, { allowPrivateDomains: true })
  return domain === null || domain === hostname
}

const registrable =
  "expected a host below a domain of yours: anyone can register a name that this wildcard allows. List the full host instead"

/** Scheme, host and port exactly as browsers send them: any other spelling would never match a request. */
export const Origin = Schema.String.check(
  Schema.isPattern(listedPattern, { message }),
  Schema.makeFilter((text) => isCanonical(text) || message),
  Schema.makeFilter((text) => !listedPattern.test(text) || !isCanonical(text) || !spansOwners(text) || registrable)
)
