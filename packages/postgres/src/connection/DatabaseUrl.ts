/**
 * The address of a database. The two drivers parse an address differently: an address that they would interpret
 * differently is refused, and any other is rewritten so that both read the same.
 */
import { Effect, Redacted } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"

/** Fails if the address has several hosts, or a TLS setting that the two drivers read differently. */
export const readDatabaseUrl = (url: Redacted.Redacted): Effect.Effect<Redacted.Redacted, SqlError> =>
  Effect.suspend(() => {
    const expected = mistakeInAddress(Redacted.value(url))
    if (expected === undefined) return Effect.succeed(Redacted.make(withPlainMode(Redacted.value(url))))
    const message = `the address of the database: expected ${expected}`
    return Effect.fail(new SqlError({ reason: new ConnectionError({ cause: new Error(message), message }) }))
  })

/** The supported modes. All but `disable` encrypt, and check the server's certificate and name. */
const modes = ["disable", "require", "verify-ca", "verify-full"]

/** Parameters that one of the drivers reads and the other ignores. */
const knownToOne = ["ssl", "sslcert", "sslkey", "sslnegotiation", "sslrootcert", "uselibpqcompat"]

/** Several hosts, `host1:5432,host2:5432`, which no driver here knows. The password may have a comma. */
const severalHosts = /^\w+:\/\/(?:[^/?@]*@)?[^/?@]*,[^/?@]*(?:[/?]|$)/

/** The expectation that the address does not meet; undefined if both drivers read it alike. */
export const mistakeInAddress = (url: string): string | undefined => {
  if (severalHosts.test(url)) return "an address with one host, such as that of HAProxy before several nodes"
  if (!URL.canParse(url)) return undefined
  const { searchParams } = new URL(url)
  if (searchParams.getAll("sslmode").some((mode) => !modes.includes(mode))) {
    return `an address with sslmode ${modes.slice(0, -1).join(", ")} or ${modes.at(-1)}, or without sslmode, which is disable`
  }
  const [unknown] = knownToOne.filter((name) => searchParams.has(name))
  if (unknown === undefined) return undefined
  return `an address without ${unknown}: sslmode=verify-full encrypts, and NODE_EXTRA_CA_CERTS names a file with further authorities`
}

/**
 * The same address with a mode that all versions of both drivers read alike, whatever the environment variables are.
 */
export const withPlainMode = (url: string): string => {
  if (!URL.canParse(url)) return url
  const plain = new URL(url)
  const mode = plain.searchParams.getAll("sslmode").at(-1) ?? "disable"
  plain.searchParams.set("sslmode", mode === "disable" ? "disable" : "verify-full")
  return plain.href
}
