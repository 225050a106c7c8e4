/** Refuses wildcard origins below a public suffix, such as `co.uk` or `github.io`. */
import { InvalidParameter } from "@postcode/gateway/Errors"
import { Effect } from "effect"
import { getDomain } from "tldts"

/** Fails if a wildcard of a key's origins allows names that anyone can register. */
export const requireOwnNames = (origins: ReadonlyArray<string> = []): Effect.Effect<void, InvalidParameter> => {
  const shared = origins.find(isShared)
  if (shared === undefined) return Effect.void
  return Effect.fail(
    new InvalidParameter({
      parameter: "origins",
      message: `origins: anyone can register a name that ${shared} allows: list your hosts by their full names`
    })
  )
}

/** Each name that the wildcard allows is a domain that can be registered, or a public suffix itself. */
const isShared = (origin: string): boolean => {
  if (!origin.includes("*")) return false
  const { hostname } = new URL(origin.replace("*", "a"))
  const domain = getDomain(hostname, { allowPrivateDomains: true })
  return domain === null || domain === hostname
}
