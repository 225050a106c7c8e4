/** The client's address, and its rate-limit subject. */
import { BlockList, isIP, isIPv6 } from "node:net"
import { ipv4Within } from "@postcode/gateway/webhooks/NetworkAddress"
import ipaddr from "ipaddr.js"
import type { HttpRequest } from "../server/HttpMessage.ts"

/** Proxies whose `X-Forwarded-For` counts: IP addresses and CIDR ranges. */
export interface TrustedProxies {
  readonly has: (address: string) => boolean
}

/** The client's addresses of requests. */
export interface Addresses {
  readonly of: (request: HttpRequest) => string
  /** The rate-limit subject of the address. */
  readonly subjectOf: (request: HttpRequest) => string
}

/**
 * Reads the address of the client from a request, behind these proxies.
 *
 * @param trusted IP addresses and ranges of proxies, see `trustedProxies`
 * @param onUnreadable called as by `clientAddress`
 */
export const clientAddresses = (trusted: ReadonlyArray<string>, onUnreadable: OnUnreadable): Addresses => {
  const proxies = trustedProxies(trusted)
  const of = ({ header, peer_address }: HttpRequest) =>
    clientAddress(peer_address, header("x-forwarded-for"), proxies, onUnreadable)
  return { of, subjectOf: (request) => addressSubject(of(request)) }
}

/** Whether a text is an IP address or a CIDR range: `::1`, `10.0.0.0/8`. */
export const isNetwork = (text: string): boolean => {
  const [address = "", bits, ...rest] = text.split("/")
  const family = isIP(address)
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
  return family !== 0 && isRange && rest.length === 0
}

/**
 * Reads a list of addresses and ranges such as `10.0.0.0/8`, `::1`.
 *
 * @throws Error that names the invalid entry
 */
export const trustedProxies = (entries: ReadonlyArray<string>): TrustedProxies => {
  const list = new BlockList()
  for (const entry of entries) addEntry(list, entry)
  return { has: (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? "ipv6" : "ipv4") }
}

/** Called with the address of a trusted proxy that sent an entry that is not an address. */
export type OnUnreadable = (proxy: string) => void

/**
 * The client's address: the peer, or behind trusted proxies the last address in `X-Forwarded-For` that is not a trusted
 * proxy. Entries to the left of it are set by the client and ignored. A proxy whose entry is not an address counts as
 * the client, because the entries to the left of that one may be set by anyone.
 */
export const clientAddress = (
  peer: string,
  forwardedFor: string | undefined,
  proxies: TrustedProxies,
  onUnreadable: OnUnreadable = () => {}
): string => {
  let client = unmap(peer)
  if (forwardedFor === undefined || !proxies.has(client)) return client
  for (const hop of forwardedFor.split(",").reverse()) {
    const address = unmap(withoutPort(hop.trim()))
    if (isIP(address) === 0) {
      onUnreadable(client)
      return client
    }
    client = address
    if (!proxies.has(client)) return client
  }
  return client
}

/**
 * The rate-limit subject of an address: the address itself, or for IPv6 its /64, because one client has a whole /64.
 * Mapped and translated IPv4 addresses would all be in one /64, so they count as IPv4.
 */
export const addressSubject = (address: string): string =>
  ipaddr.IPv6.isValid(address) ? (ipv4Within(address) ?? `${network64(address)}/64`) : address

/**
 * Azure and AWS send the client's port, too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. A port needs brackets around an IPv6
 * address; without them, its digits are part of the address.
 */
const withoutPort = (entry: string): string => {
  const [, bracketed, other] = withPort.exec(entry) ?? []
  if (bracketed !== undefined) return isIPv6(bracketed) ? bracketed : entry
  return other ?? entry
}

const withPort = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/

/** An IPv6 socket reports IPv4 peers as `::ffff:192.0.2.1`. */
const unmap = (address: string): string => (/^::ffff:[\d.]+$/i.test(address) ? address.slice(7) : address)

/** The first four groups of an IPv6 address, in one format. */
const network64 = (address: string): string =>
  ipaddr.IPv6.parse(address)
    .parts.slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")

const addEntry = (list: BlockList, entry: string): void => {
  if (!isNetwork(entry)) {
    throw new Error(`trusted proxies: "${entry}" is neither an IP address nor a range such as 10.0.0.0/8`)
  }
  const [address = "", bits] = entry.split("/")
  const type = isIPv6(address) ? "ipv6" : "ipv4"
  if (bits === undefined) list.addAddress(address, type)
  else list.addSubnet(address, Number(bits), type)
}
