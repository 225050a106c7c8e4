/** Why an import cannot be, in words for whoever started it. */
import { isSqlError } from "effect/sql/SqlError"

export class ImportFailure extends Error {
  override readonly name = "ImportFailure"
}

/** Turns what a connection or a statement failed with into a reason that says what would help. */
export const explainFailure = (error: unknown, url: string): unknown => {
  if (error instanceof ImportFailure || !(error instanceof Error)) return error
  const { host, pathname, username } = URL.canParse(url) ? new URL(url) : { host: url, pathname: "", username: "" }
  const server = host === "" ? "the socket" : host
  const user = username === "" ? "this user" : `user ${decodeURIComponent(username)}`
  const wrapped = (reason: string) => new ImportFailure(reason, { cause: error })
  const cause = causeOf(error)
  const { message } = cause
  const { code } = cause as { readonly code?: unknown }
  if (typeof code !== "string") return error
  if (unreachable.has(code)) return wrapped(`no database answers at ${server}: ${message}`)
  switch (code) {
    case "28P01":
    case "28000":
      return wrapped(`the database at ${server} does not let ${user} in: ${message}`)
    case "3D000":
      return wrapped(`the server at ${server} has no database ${pathname.slice(1)}: create it first`)
    case "42501":
      return wrapped(`${user} may not do this: ${message}; an import needs a role that owns the schema postcode`)
    case "53100":
      return wrapped(`the database has no room left: ${message}; nothing was changed`)
    default:
      return isSqlState(code) ? wrapped(`the database failed, and nothing was changed: ${message}`) : error
  }
}

/** What the server or the system said: below what effect makes of it, and the first of several for a name. */
const causeOf = (error: Error): Error => {
  const inner = isSqlError(error) ? error.reason.cause : error instanceof AggregateError ? error.errors[0] : undefined
  return inner instanceof Error ? causeOf(inner) : error
}

const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code)

const unreachable: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "EAI_AGAIN",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "ETIMEDOUT"
])
