/** The network of a client: what one customer of an internet provider can have. */

/**
 * The /24 of an IPv4 address, and the /56 of an IPv6 address, in any spelling. Any other text is returned as it is.
 *
 * @example networkOf("192.0.2.77") // "192.0.2"
 * @example networkOf("2001:db8:77:1234::9") // "20010db8007712"
 */
export const networkOf = (address: string): string => {
  const ipv4 = /^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i.exec(address)?.[1]
  if (ipv4 !== undefined) return ipv4
  if (!/^[\da-f:.]+(?:\/\d+)?$/i.test(address) || !address.includes(":")) return address
  const [head = "", tail] = address.toLowerCase().split("/")[0]?.split("::") ?? []
  const first = head === "" ? [] : head.split(":")
  const last = tail === undefined || tail === "" ? [] : tail.split(":")
  const groups = [...first, ...Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0"), ...last]
  const hex = groups.map((group) => group.padStart(4, "0")).join("")
  return hex.slice(0, 56 / 4)
}
