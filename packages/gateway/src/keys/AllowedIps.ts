/** The client addresses that may use a secret key: IP addresses and CIDR ranges. */
import ipaddr from "ipaddr.js"
import { parseAddress } from "../webhooks/NetworkAddress.ts"

/**
 * The canonical form of an IP address or a CIDR range: `2001:DB8::/32` → `2001:db8::/32`. Undefined for everything else,
 * and for a range that does not begin with its first address, such as `10.0.0.7/8`.
 */
export const canonicalRange = (text: string): string | undefined => {
  const [written = "", bits, ...rest] = text.split("/")
  const address = parseAddress(written)
  if (address === undefined || rest.length > 0) return undefined
  if (bits === undefined) return address.toString()
  const isMapped = written.includes(":") && address instanceof ipaddr.IPv4
  const longest = address instanceof ipaddr.IPv4 ? 32 : 128
  if (isMapped || !/^(?:0|[1-9]\d{0,2})$/.test(bits) || Number(bits) > longest) return undefined
  const range = `${address}/${bits}`
  const first = address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6
  return first.networkAddressFromCIDR(range).toString() === address.toString() ? range : undefined
}

/**
 * Whether a client address is one of these addresses or in one of these ranges. An IPv4 address in a mapped or
 * translated IPv6 address counts as IPv4.
 *
 * @param allowed as `canonicalRange` writes them
 */
export const isAllowedIp = (allowed: ReadonlyArray<string>, address: string): boolean => {
  const client = parseAddress(address)
  return client !== undefined && rangesOf(allowed).some(([first, bits]) => isWithin(client, first, bits))
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [first: Address, bits: number]

const isWithin = (client: Address, first: Address, bits: number): boolean =>
  client.kind() === first.kind() && client.match(first, bits)

/** Parsed once for each list, which a key keeps as long as it does not change. */
const rangesOf = (allowed: ReadonlyArray<string>): ReadonlyArray<Range> => {
  const known = parsed.get(allowed)
  if (known !== undefined) return known
  const ranges = allowed.map((text): Range => {
    if (text.includes("/")) return ipaddr.parseCIDR(text)
    const address = ipaddr.parse(text)
    return [address, address instanceof ipaddr.IPv4 ? 32 : 128]
  })
  parsed.set(allowed, ranges)
  return ranges
}

const parsed = new WeakMap<ReadonlyArray<string>, ReadonlyArray<Range>>()
