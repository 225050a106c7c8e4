/** Failures of an import, with messages for the operator. */
import { isSqlError } from "effect/sql/SqlError"
import type { Client } from "pg"

/** A failed import. The message has the reason and, if known, a remedy. */
export class ImportFailure extends Error {
  override readonly name: string = "ImportFailure"
}

/** The connection ended during the commit, so the edition may be current or not. */
export class ImportInDoubt extends ImportFailure {
  override readonly name = "ImportInDoubt"
}

/**
 * Commits the transaction that makes an edition current.
 *
 * @param remedy for `ImportInDoubt`
 */
export const commitOrDoubt = async (client: Client, edition: number, remedy: string): Promise<void> => {
  await client.query("COMMIT").catch((cause: unknown) => {
    const doubt = `edition ${edition} may or may not be current: the database did not confirm it; ${remedy}`
    throw new ImportInDoubt(doubt, { cause })
  })
}

/** Turns an error of the connection or a statement into an `ImportFailure`; other errors are returned unchanged. */
export const explainFailure = (error: unknown, url: string): unknown => {
  if (error instanceof ImportFailure || !(error instanceof Error)) return error
  const { database, server, user } = partsOf(url)
  const wrapped = (reason: string) => new ImportFailure(reason, { cause: error })
  const cause = causeOf(error)
  const { message } = cause
  const { code } = cause as { readonly code?: unknown }
  if (typeof code !== "string") return error
  if (unreachable.has(code)) return wrapped(`no database responds at ${server}: ${message}`)
  switch (code) {
    case "28P01":
    case "28000":
      return wrapped(`the database at ${server} does not let ${user} in: ${message}`)
    case "3D000":
      return wrapped(`the server at ${server} has no ${database}: create it first`)
    case "42501":
      return wrapped(`${user} lacks a permission: ${message}; an import needs a role that owns the schema postcode`)
    case "53100":
      return wrapped(`the database has no space left: ${message}; nothing was changed`)
    default:
      return isSqlState(code) ? wrapped(`the database failed, and nothing was changed: ${message}`) : error
  }
}

/** The parts of an address that messages may show: it may contain a password. */
const partsOf = (url: string): { readonly database: string; readonly server: string; readonly user: string } => {
  if (!URL.canParse(url)) return { database: "such database", server: "this address", user: "this user" }
  const { host, pathname, username } = new URL(url)
  return {
    database: `database ${pathname.slice(1)}`,
    server: host === "" ? "the socket" : host,
    user: username === "" ? "this user" : `user ${decoded(username)}`
  }
}

/** The percent-decoded text; a malformed text is returned unchanged. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The server's or system's error within a `SqlError`; the first one if a name resolved to several addresses. */
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
