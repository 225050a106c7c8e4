/** Classifies IP addresses as public, private or loopback. */
import ipaddr from "ipaddr.js"

/** Whether an IPv4 or IPv6 address is on the public internet. False for malformed addresses. */
export const isPublicAddress = (text: string): boolean => {
  const address = parseAddress(text)
  if (address?.range() !== "unicast") return false
  return address instanceof ipaddr.IPv4 ? !address.match(cloudMetadata) : address.match(globalUnicast)
}

/** Whether an address is a loopback address. */
export const isLoopbackAddress = (text: string): boolean => parseAddress(text)?.range() === "loopback"

/** The IPv4 address in a mapped or translated (NAT64) IPv6 address; undefined for all others. */
export const ipv4Within = (text: string): string | undefined => {
  const address = text.includes(":") ? parseAddress(text) : undefined
  return address instanceof ipaddr.IPv4 ? address.toString() : undefined
}

/** Azure's virtual public IP address, which is in an otherwise public range. */
const cloudMetadata = ipaddr.IPv4.parseCIDR("168.63.129.16/32")
/** The other IPv6 ranges are not allocated. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96")

/**
 * Parses an IPv4 or IPv6 address. An IPv4 address in a mapped or translated (NAT64) IPv6 address is returned as IPv4.
 * Undefined for malformed addresses (a number alone, octal or hexadecimal parts), for addresses with a zone, and for
 * the obsolete `::192.0.2.1`, which `ipaddr.js` takes for a mapped address.
 */
export const parseAddress = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!/^(?!::[\d.]+\.)[\da-f:.]+$/i.test(text) || !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.IPv6.parse(text)
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return address.match(nat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}
