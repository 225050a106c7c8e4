/** Why an import cannot be, in words for whoever started it. */
import { isSqlError } from "effect/sql/SqlError"

/** An import that cannot be: its message says why, and what would help. */
export class ImportFailure extends Error {
  override readonly name: string = "ImportFailure"
}

/** Nobody knows whether the edition came into force: the connection ended after that was asked for. */
export class ImportInDoubt extends ImportFailure {
  override readonly name = "ImportInDoubt"
}

/** Turns what a connection or a statement failed with into a reason that says what would help. */
export const explainFailure = (error: unknown, url: string): unknown => {
  if (error instanceof ImportFailure || !(error instanceof Error)) return error
  const { database, server, user } = placesIn(url)
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
      return wrapped(`the server at ${server} has no ${database}: create it first`)
    case "42501":
      return wrapped(`${user} may not do this: ${message}; an import needs a role that owns the schema postcode`)
    case "53100":
      return wrapped(`the database has no room left: ${message}; nothing was changed`)
    default:
      return isSqlState(code) ? wrapped(`the database failed, and nothing was changed: ${message}`) : error
  }
}

/** What may be said of an address: never the whole of it, as it may hold a password. */
const placesIn = (url: string): { readonly database: string; readonly server: string; readonly user: string } => {
  if (!URL.canParse(url)) return { database: "such database", server: "this address", user: "this user" }
  const { host, pathname, username } = new URL(url)
  return {
    database: `database ${pathname.slice(1)}`,
    server: host === "" ? "the socket" : host,
    user: username === "" ? "this user" : `user ${decoded(username)}`
  }
}

/** Text as it was before it was encoded; a `%` that encodes nothing stays. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
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
