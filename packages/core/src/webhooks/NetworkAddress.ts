/** Which IP addresses are on the public internet, and which are private or of this machine. */
import ipaddr from "ipaddr.js"

/** Whether an IPv4 or IPv6 address is reachable by anybody on the internet. False for what is no address. */
export const isPublicAddress = (text: string): boolean => {
  const address = parseAddress(text)
  if (address?.range() !== "unicast") return false
  return address instanceof ipaddr.IPv4 ? !address.match(cloudMetadata) : address.match(globalUnicast)
}

/** Whether an address is of this machine. */
export const isLoopbackAddress = (text: string): boolean => parseAddress(text)?.range() === "loopback"

/** The IPv4 address that an IPv6 address stands for, mapped or translated (NAT64); undefined for all others. */
export const ipv4Within = (text: string): string | undefined => {
  const address = text.includes(":") ? parseAddress(text) : undefined
  return address instanceof ipaddr.IPv4 ? address.toString() : undefined
}

/** A network of Azure in an address range that is public otherwise. */
const cloudMetadata = ipaddr.IPv4.parseCIDR("168.63.129.16/32")
/** IPv6 outside it is not allocated. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96")

/**
 * Undefined for what is no address (a number alone, octal or hexadecimal parts), for one with a zone, and for the obsolete
 * `::192.0.2.1`, which `ipaddr.js` takes for a mapped one.
 */
const parseAddress = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!/^(?!::[\d.]+\.)[\da-f:.]+$/i.test(text) || !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.IPv6.parse(text)
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return address.match(nat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}
