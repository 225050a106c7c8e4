/** The origins of the demonstration page. Its keys name them, so they are determined before the service listens. */
import { randomInt } from "node:crypto"
import { networkInterfaces } from "node:os"
import { checkPort } from "@postcode/http"
import { Effect } from "effect"

/** The origins of the page, and whether its policy names the platform's. */
export interface PageAddress {
  readonly host: string
  readonly port: number
  /**
   * Whether the page's policy names them: only if the platform has its own port. A policy cannot name an IPv6 address.
   */
  readonly isSeparate: boolean
  /** The public origin if a proxy is in front of the service. */
  readonly publicOrigin: string | undefined
}

/** The origins of a listening address in a browser; the public one first. */
export const originsOf = ({
  host,
  isSeparate,
  port,
  publicOrigin
}: PageAddress): readonly [string, ...ReadonlyArray<string>] => {
  const own = isWildcard(host) ? ownAddresses() : [host]
  const names = own.filter((name) => !(isSeparate && isIpv6(name))).map(nameInUrl)
  const urls = ["localhost", "127.0.0.1", ...names]
    .map((name) => `http://${name}:${port}`)
    .filter((url) => URL.canParse(url))
  const origins = urls.map((url) => new URL(url).origin)
  const first = publicOrigin ?? new URL(`http://localhost:${port}`).origin
  return [first, ...new Set(origins.filter((origin) => origin !== first))]
}

/**
 * The origin to name to people: that of the listening address, unless it is a wildcard such as 0.0.0.0, which a browser
 * cannot open.
 *
 * @param url of the listening address
 * @param origins as `originsOf` has them
 */
export const shownOrigin = (
  url: string,
  publicOrigin: string | undefined,
  origins: readonly [string, ...ReadonlyArray<string>]
): string => {
  const origin = URL.canParse(url) ? new URL(url).origin : url
  return publicOrigin ?? (origins.includes(origin) ? origin : origins[0])
}

/** The URL of a listening address. */
export const listeningUrl = (host: string, port: number): string => `http://${nameInUrl(host)}:${port}`

const isIpv6 = (name: string): boolean => name.includes(":")

const nameInUrl = (name: string): string => (isIpv6(name) ? `[${name}]` : name)

/** Whether an address is a wildcard, in any spelling, such as `0`. */
const isWildcard = (host: string): boolean => {
  const url = `http://${nameInUrl(host)}`
  return URL.canParse(url) && ["0.0.0.0", "[::]"].includes(new URL(url).hostname)
}

/** An IPv6 link-local address needs an interface, which an origin cannot name. */
const ownAddresses = (): ReadonlyArray<string> =>
  Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.filter(({ address }) => !address.startsWith("fe80:")).map(({ address }) => address)
  )

/**
 * The port, or a free one for 0. Outside the ephemeral range, so that no other process gets it meanwhile. If none is
 * free, listening will fail with the reason.
 */
export const chosenPort = (host: string, port: number, attempts = 20): Effect.Effect<number> => {
  if (port !== 0) return Effect.succeed(port)
  const candidate = randomInt(20_000, 32_768)
  return Effect.matchEffect(checkPort({ host, port: candidate }), {
    onSuccess: () => Effect.succeed(candidate),
    onFailure: () => (attempts === 1 ? Effect.succeed(candidate) : chosenPort(host, port, attempts - 1))
  })
}
