/** Converts typed page addresses to the origins that browsers send. */
import { originFamilyPattern, originPattern } from "@postcode/gateway/keys/WebOrigin"

/** The origin of a page, or a sentence why there is none. */
export type Reading =
  | { readonly origin: string; readonly fault?: undefined }
  | { readonly origin?: undefined; readonly fault: string }

/** Parses a page's address from a browser, or its host. */
export const readAddress = (typed: string): Reading => {
  const text = typed.trim()
  if (text.includes("*")) return { fault: "A wildcard can only be the first label of a host: https://*.shop.example." }
  const address = schemePattern.test(text) ? text : `${localPattern.test(text) ? "http" : "https"}://${text}`
  if (!URL.canParse(address))
    return { fault: "This is not the address of a page. Expected one such as https://shop.example." }
  const url = new URL(address)
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return { fault: `Pages at ${url.protocol} have no origin. Serve the page over https.` }
  }
  return originPattern.test(url.origin)
    ? { origin: url.origin }
    : { fault: "This is not a valid host. Expected one such as https://shop.example." }
}

/** The problem of a line of origins and its correction; undefined if browsers send it like this. */
export interface OriginFault {
  readonly line: string
  readonly why: string
  /** The correct origin, if it can be derived. */
  readonly origin: string | undefined
}

/** The problem of a line, if any. */
export const faultIn = (line: string): OriginFault | undefined => {
  if (originFamilyPattern.test(line)) return undefined
  const { fault, origin } = readAddress(line)
  if (origin === undefined) return { line, why: fault, origin }
  return origin === line ? undefined : { line, why: whyOtherwise(line, origin), origin }
}

/** The non-blank lines. */
export const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

const whyOtherwise = (line: string, origin: string): string => {
  if (!schemePattern.test(line)) return "The scheme is missing."
  const rest = line.toLowerCase()
  if (line !== rest && rest === origin) return "Browsers send it in lower case."
  if (rest.startsWith(`${origin}/`)) return "An origin has no path and no slash at the end."
  if (/^[^/]+\/\/[^/]+:\d+/.test(line) && !/:\d+$/.test(origin)) return "Browsers omit the default port of the scheme."
  return "Browsers send it differently."
}

const schemePattern = /^[a-z][a-z0-9+.-]*:(?:\/\/|(?!\d))/i
const localPattern = /^(?:localhost|127\.|\[::1\])/i
