/** Which addresses of the network lead into the public internet, and which to a machine or a network of one's own. */

/** Whether an IPv4 or IPv6 address is one that anybody on the internet can be reached at. False for what is no address. */
export const isPublicAddress = (text: string): boolean => {
  const v4 = parseV4(text)
  if (v4 !== undefined) return isPublicV4(v4)
  const v6 = parseV6(text)
  if (v6 === undefined) return false
  const inner = embeddedV4(v6)
  return inner === undefined ? isPublicV6(v6) : isPublicV4(inner)
}

/** Whether an address is of this very machine. */
export const isLoopbackAddress = (text: string): boolean => {
  const v6 = parseV6(text)
  const v4 = parseV4(text) ?? (v6 && embeddedV4(v6))
  return v4 === undefined ? v6?.join(":") === "0:0:0:0:0:0:0:1" : isWithin(v4, 0x7f000000, 8)
}

/** The IPv4 address that an IPv6 address stands for, mapped or translated, in any spelling; undefined for all others. */
export const ipv4Within = (text: string): string | undefined => {
  const v6 = parseV6(text)
  const v4 = v6 && embeddedV4(v6)
  return v4 === undefined ? undefined : [24, 16, 8, 0].map((bits) => Math.floor(v4 / 2 ** bits) % 256).join(".")
}

/** What the IANA registry of special addresses keeps from the internet, with multicast and what is reserved. */
const specialV4: ReadonlyArray<readonly [network: number, bits: number]> = [
  [0x00000000, 8], // this network
  [0x0a000000, 8], // private
  [0x64400000, 10], // carrier-grade NAT
  [0x7f000000, 8], // loopback
  [0xa9fe0000, 16], // link-local, with the metadata of clouds
  [0xac100000, 12], // private
  [0xc0000000, 24], // protocol assignments
  [0xc0000200, 24], // documentation
  [0xc0586300, 24], // 6to4 relays
  [0xc0a80000, 16], // private
  [0xc6120000, 15], // benchmarks
  [0xc6336400, 24], // documentation
  [0xcb007100, 24], // documentation
  [0xe0000000, 3] // multicast, reserved, broadcast
]

/** Addresses of clouds in networks that are public otherwise. */
const metadataV4 = 0xa83f8110

const isPublicV4 = (address: number): boolean =>
  address !== metadataV4 && !specialV4.some(([network, bits]) => isWithin(address, network, bits))

const isWithin = (address: number, network: number, bits: number): boolean =>
  Math.floor(address / 2 ** (32 - bits)) === Math.floor(network / 2 ** (32 - bits))

/** Global unicast, without the blocks that are protocols' own, 6to4, Teredo and documentation. */
const isPublicV6 = ([first = 0, second = 0]: ReadonlyArray<number>): boolean =>
  first >> 13 === 1 &&
  !(first === 0x2001 && (second < 0x200 || second === 0x0db8)) &&
  first !== 0x2002 &&
  !(first === 0x3fff && second < 0x1000)

/** The IPv4 address that a mapped or a NAT64 address stands for. */
const embeddedV4 = (groups: ReadonlyArray<number>): number | undefined => {
  const prefix = groups.slice(0, 6).join(":")
  const isEmbedded = prefix === "0:0:0:0:0:65535" || prefix === "100:65435:0:0:0:0"
  return isEmbedded ? (groups[6] as number) * 0x10000 + (groups[7] as number) : undefined
}

/** Four decimal numbers, as one. */
const parseV4 = (text: string): number | undefined => {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number)
  return parts?.every((part) => part < 256) ? parts.reduce((sum, part) => sum * 256 + part, 0) : undefined
}

/** Eight groups; no zone. */
const parseV6 = (text: string): ReadonlyArray<number> | undefined => {
  const dotted = /^(.*:)([\d.]+)$/.exec(text)
  const tail = dotted?.[2]?.includes(".") ? parseV4(dotted[2]) : undefined
  const plain =
    dotted !== null && tail !== undefined
      ? `${dotted[1]}${Math.floor(tail / 0x10000).toString(16)}:${(tail % 0x10000).toString(16)}`
      : text
  const halves = plain.split("::").map((half) => (half === "" ? [] : half.split(":")))
  const [before = [], after] = halves
  const given = before.length + (after?.length ?? 0)
  const isWhole = halves.length === 2 ? given < 8 : halves.length === 1 && given === 8
  if (!isWhole || ![...before, ...(after ?? [])].every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined
  const groups = [...before, ...Array<string>(8 - given).fill("0"), ...(after ?? [])]
  return groups.map((group) => Number.parseInt(group, 16))
}
