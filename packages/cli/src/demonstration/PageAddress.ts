/** Where the demonstration page is, as browsers see it. Its keys and its policy name it, so it is known beforehand. */
import { randomInt } from "node:crypto"
import { networkInterfaces } from "node:os"
import { checkPort } from "@postcode/http"
import { Effect } from "effect"

/** Where the page is, and what of that its policy has to say. */
export interface PageAddress {
  readonly host: string
  readonly port: number
  /**
   * Whether the page's policy has to name them, as it does where the platform is on another port: no policy can name an
   * address of IPv6.
   */
  readonly isApart: boolean
  /** What browsers call it if something stands in front: another origin than any that is seen from here. */
  readonly publicOrigin: string | undefined
}

/** The origins under which a browser may open what listens there; the public one first. */
export const originsOf = ({
  host,
  isApart,
  port,
  publicOrigin
}: PageAddress): readonly [string, ...ReadonlyArray<string>] => {
  const own = isWildcard(host) ? ownAddresses() : [host]
  const names = own.filter((name) => !(isApart && isIpv6(name))).map(nameInUrl)
  const urls = ["localhost", "127.0.0.1", ...names]
    .map((name) => `http://${name}:${port}`)
    .filter((url) => URL.canParse(url))
  const origins = urls.map((url) => new URL(url).origin)
  const first = publicOrigin ?? new URL(`http://localhost:${port}`).origin
  return [first, ...new Set(origins.filter((origin) => origin !== first))]
}

const isIpv6 = (name: string): boolean => name.includes(":")

const nameInUrl = (name: string): string => (isIpv6(name) ? `[${name}]` : name)

/** In any of its spellings, such as `0`. */
const isWildcard = (host: string): boolean => {
  const url = `http://${nameInUrl(host)}`
  return URL.canParse(url) && ["0.0.0.0", "[::]"].includes(new URL(url).hostname)
}

/** A link-local address of IPv6 works only together with an interface, which no origin names. */
const ownAddresses = (): ReadonlyArray<string> =>
  Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.filter(({ address }) => !address.startsWith("fe80:")).map(({ address }) => address)
  )

/**
 * The port, or a free one for 0. It is none of those that systems deal out by themselves, so nobody is given it
 * meanwhile. Where none is to be had, listening there will fail, and say why.
 */
export const chosenPort = (host: string, port: number, attempts = 20): Effect.Effect<number> => {
  if (port !== 0) return Effect.succeed(port)
  const candidate = randomInt(20_000, 32_768)
  return Effect.matchEffect(checkPort({ host, port: candidate }), {
    onSuccess: () => Effect.succeed(candidate),
    onFailure: () => (attempts === 1 ? Effect.succeed(candidate) : chosenPort(host, port, attempts - 1))
  })
}
