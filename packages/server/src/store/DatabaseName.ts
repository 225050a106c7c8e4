/** The part of a database URL that may be shown. */
import { Redacted } from "effect"

/** `db.example:5432/postcode`, without user and password. */
export const databaseName = (url: Redacted.Redacted): string => {
  const { hostname, pathname, port, searchParams } = new URL(Redacted.value(url))
  const host = hostname || (searchParams.get("host") ?? "localhost")
  return `${host}:${port || (searchParams.get("port") ?? "5432")}${pathname}`
}
