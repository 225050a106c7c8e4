/** The web origins that a publishable key can be bound to. */
import { originPattern } from "@postcode/core/WebOrigin"
import { Option, Schema } from "effect"

const message =
  "expected a web origin in lower case without a path, such as https://shop.example or http://localhost:5173"

const parseUrl = Schema.decodeOption(Schema.URLFromString)

/** Scheme, host and port exactly as browsers send them: any other spelling would never match a request. */
export const Origin = Schema.String.check(
  Schema.isPattern(originPattern, { message }),
  Schema.makeFilter((text) => Option.exists(parseUrl(text), ({ origin }) => origin === text) || message)
)
