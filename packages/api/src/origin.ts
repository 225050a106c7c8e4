/** The web origins that a publishable key can be bound to. */
import { Option, Schema } from "effect"

const message =
  "expected a web origin in lower case without a path, such as https://shop.example or http://localhost:5173"

const parseUrl = Schema.decodeOption(Schema.URLFromString)

/**
 * Scheme, host and port, exactly as browsers send them: what differs in a character would never match a request. The
 * pattern refuses hosts that no name can have; the platform knows which port and which address are written as they are
 * sent.
 */
export const Origin = Schema.String.check(
  Schema.isPattern(
    /^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|\[[0-9a-f:]+\])(?::[1-9]\d{0,4})?$/u,
    { message }
  ),
  Schema.makeFilter((text) => Option.exists(parseUrl(text), ({ origin }) => origin === text) || message)
)
