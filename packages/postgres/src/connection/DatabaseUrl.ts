/**
 * What the address of a database says of TLS. Two drivers read it, each in its own way: what they would take for
 * different things is refused, and the rest is put in words that mean the same to both.
 */

/** The modes that an address may name. All but `disable` encrypt, and check the server's certificate and name. */
const modes = ["disable", "require", "verify-ca", "verify-full"]

/** One of the drivers knows these, and the other passes over them without a word. */
const knownToOne = ["ssl", "sslcert", "sslkey", "sslnegotiation", "sslrootcert", "uselibpqcompat"]

/** What was expected instead of what an address says of TLS; undefined if all is well. */
export const mistakeInTls = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const { searchParams } = new URL(url)
  if (searchParams.getAll("sslmode").some((mode) => !modes.includes(mode))) {
    return `an address with sslmode ${modes.slice(0, -1).join(", ")} or ${modes.at(-1)}, or without sslmode, which is disable`
  }
  const [unknown] = knownToOne.filter((name) => searchParams.has(name))
  if (unknown === undefined) return undefined
  return `an address without ${unknown}: sslmode=verify-full encrypts, and NODE_EXTRA_CA_CERTS names a file with further authorities`
}

/** The same address with a mode that all versions of both drivers take for the same, whatever the environment says. */
export const withPlainMode = (url: string): string => {
  if (!URL.canParse(url)) return url
  const plain = new URL(url)
  const mode = plain.searchParams.getAll("sslmode").at(-1) ?? "disable"
  plain.searchParams.set("sslmode", mode === "disable" ? "disable" : "verify-full")
  return plain.href
}
