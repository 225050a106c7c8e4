/** The web origins that a publishable key can be bound to. */
import { originFamilyPattern, originPattern } from "@postcode/gateway/keys/WebOrigin"
import { Option, Schema } from "effect"

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

/** Scheme, host and port exactly as browsers send them: any other spelling would never match a request. */
export const Origin = Schema.String.check(
  Schema.isPattern(listedPattern, { message }),
  Schema.makeFilter((text) => isCanonical(text) || message)
)
