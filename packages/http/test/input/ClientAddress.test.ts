import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { addressSubject, clientAddress, trustedProxies } from "../../src/input/ClientAddress.ts"

const seed = { seed: 20_260_131, numRuns: 1_000 }

describe("trustedProxies", () => {
  it("accepts addresses and ranges of IPv4 and IPv6", () => {
    const proxies = trustedProxies(["192.0.2.1", "10.0.0.0/8", "::1", "2001:db8::/32", "0.0.0.0/32", "fe80::/128"])
    for (const address of ["192.0.2.1", "10.0.0.0", "10.255.255.255", "::1", "0:0:0:0:0:0:0:1", "2001:db8:1::1"]) {
      expect(proxies.has(address)).toBe(true)
    }
    for (const address of ["192.0.2.2", "11.0.0.0", "::2", "2001:db9::1", "0.0.0.1", "unknown", ""]) {
      expect(proxies.has(address)).toBe(false)
    }
  })

  it("trusts no address if the list is empty", () => {
    const proxies = trustedProxies([])
    for (const address of ["127.0.0.1", "::1", "10.0.0.1"]) expect(proxies.has(address)).toBe(false)
  })

  const wrong = [
    "",
    "proxy",
    "10.0.0",
    "10.0.0.0/33",
    "::1/129",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10.0.0.0/a"
  ]
  it.each([...wrong, "*", " 10.0.0.1", "10.0.0.0/1e1", "010.0.0.1"])("refuses %j, and names it", (entry) => {
    expect(() => trustedProxies(["::1", entry])).toThrow(`trusted proxies: "${entry}" is neither`)
  })
})

describe("clientAddress", () => {
  const proxies = trustedProxies(["10.0.0.0/8", "2001:db8::/32", "127.0.0.1"])

  it("is the peer unless the peer is a trusted proxy", () => {
    expect(clientAddress("203.0.113.9", "198.51.100.1", proxies)).toBe("203.0.113.9")
    expect(clientAddress("203.0.113.9", undefined, proxies)).toBe("203.0.113.9")
    expect(clientAddress("10.0.0.1", undefined, proxies)).toBe("10.0.0.1")
    expect(clientAddress("unknown", "198.51.100.1", proxies)).toBe("unknown")
  })

  const chains: ReadonlyArray<readonly [string, string]> = [
    ["198.51.100.1", "198.51.100.1"],
    ["1.1.1.1, 198.51.100.1", "198.51.100.1"],
    ["1.1.1.1,198.51.100.1,10.1.1.1", "198.51.100.1"],
    [" 198.51.100.1 ,\t2001:db8::7 , 10.1.1.1 ", "198.51.100.1"],
    ["10.3.3.3, 10.2.2.2", "10.3.3.3"],
    ["::ffff:198.51.100.1", "198.51.100.1"],
    ["198.51.100.1, ::ffff:10.1.1.1", "198.51.100.1"],
    ["2400:cb00::1", "2400:cb00::1"],
    ["", "10.0.0.1"],
    ["unknown", "10.0.0.1"],
    ["198.51.100.1, garbage", "10.0.0.1"],
    ["198.51.100.1, garbage, 10.2.2.2", "10.2.2.2"],
    ["198.51.100.1:4711", "198.51.100.1"],
    ["1.1.1.1:1, 198.51.100.1:65535, 10.1.1.1:80", "198.51.100.1"],
    ["[2400:cb00::1]", "2400:cb00::1"],
    ["[2400:cb00::1]:4711", "2400:cb00::1"],
    ["[2400:cb00::1]:4711,[2001:db8::7]:443", "2400:cb00::1"],
    ["[::ffff:198.51.100.1]:4711", "198.51.100.1"],
    ["::FFFF:198.51.100.1", "198.51.100.1"],
    ["[fe80::1%eth0]:4711", "fe80::1%eth0"],
    ["2400:cb00::1:4711", "2400:cb00::1:4711"]
  ]
  it.each(chains)("behind a proxy: %j → %s", (forwardedFor, expected) => {
    expect(clientAddress("10.0.0.1", forwardedFor, proxies)).toBe(expected)
    expect(clientAddress("::ffff:10.0.0.1", forwardedFor, proxies)).toBe(expected)
  })

  const unreadable = [
    "",
    " ",
    "unknown",
    "_hidden",
    "_SEVKISEK:4711",
    '"198.51.100.1"',
    '"[2400:cb00::1]:4711"',
    "for=198.51.100.1",
    "198.51.100.1:",
    "198.51.100.1:http",
    "198.51.100.1:123456",
    "198.51.100.1 :80",
    "198.51.100.1/32",
    "198.51.100.001",
    "[198.51.100.1]",
    "[198.51.100.1]:80",
    "[2400:cb00::1",
    "2400:cb00::1]",
    "[2400:cb00::1]:",
    "[2400:cb00::1]4711",
    "[]",
    "[]:80",
    "proxy.example",
    "'; drop table"
  ]
  it.each(unreadable)(
    "an entry that is not an address is reported, and its proxy counts as the client: %j",
    (entry) => {
      const reported: Array<string> = []
      const of = (forwardedFor: string) =>
        clientAddress("10.0.0.1", forwardedFor, proxies, (address) => reported.push(address))
      expect(of(entry)).toBe("10.0.0.1")
      expect(of(`198.51.100.1, ${entry}`)).toBe("10.0.0.1")
      expect(of(`198.51.100.1,${entry} , 10.2.2.2:80`)).toBe("10.2.2.2")
      expect(reported).toEqual(["10.0.0.1", "10.0.0.1", "10.2.2.2"])
    }
  )

  it("reports nothing that a client may have written, and nothing of a peer that is not trusted", () => {
    const fail = () => expect.unreachable()
    expect(clientAddress("10.0.0.1", "unknown, 198.51.100.1:80", proxies, fail)).toBe("198.51.100.1")
    expect(clientAddress("203.0.113.9", "unknown", proxies, fail)).toBe("203.0.113.9")
    expect(clientAddress("10.0.0.1", undefined, proxies, fail)).toBe("10.0.0.1")
  })

  it("ignores all entries before the last untrusted address", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())), (claims) => {
        const chain = [...claims, "198.51.100.1", "10.7.7.7"].join(",")
        expect(clientAddress("10.0.0.1", chain, proxies)).toBe("198.51.100.1")
      }),
      seed
    )
  })

  it("accepts any header", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (peer, header) => {
        expect(typeof addressSubject(clientAddress(peer, header, proxies))).toBe("string")
      }),
      seed
    )
  })
})

describe("addressSubject", () => {
  it("is the address itself for IPv4, and the text for anything that is not an address", () => {
    for (const address of ["192.0.2.1", "unknown", ""]) expect(addressSubject(address)).toBe(address)
  })

  it("is the IPv4 address for a mapped or translated one, in any notation", () => {
    const spellings = [
      "::ffff:192.0.2.1",
      "::FFFF:192.0.2.1",
      "::ffff:c000:201",
      "0:0:0:0:0:ffff:c000:0201",
      "0000:0000:0000:0000:0000:FFFF:192.0.2.1",
      "64:ff9b::192.0.2.1",
      "64:ff9b:0:0:0:0:c000:201"
    ]
    for (const address of spellings) expect(addressSubject(address)).toBe("192.0.2.1")
    for (const address of ["::192.0.2.1", "::fffe:192.0.2.1", "64:ff9b:1::192.0.2.1"]) {
      expect(addressSubject(address)).toMatch(/\/64$/)
    }
  })

  it("is the same for all zones of a link, and for a proxy that is trusted by its network", () => {
    expect(addressSubject("fe80::1%eth0")).toBe(addressSubject("fe80::2%wlan1"))
    const proxies = trustedProxies(["fe80::/10"])
    expect(clientAddress("fe80::1%eth0", "198.51.100.1, fe80::9%eth0", proxies)).toBe("198.51.100.1")
  })

  it("is the same for all addresses of a /64, in any notation", () => {
    const spellings = [
      "2001:db8:0:1::",
      "2001:db8:0:1::1",
      "2001:0db8:0000:0001:0000:0000:0000:0001",
      "2001:DB8:0:1:ffff:ffff:ffff:ffff",
      "2001:db8:0:1:0:0:192.0.2.1",
      "2001:db8::1:0:0:0:0"
    ]
    for (const address of spellings) expect(addressSubject(address)).toBe("2001:db8:0:1/64")
    expect(addressSubject("fe80::1%eth0")).toBe(addressSubject("fe80::2"))
    expect(addressSubject("::1")).toBe("0:0:0:0/64")
    expect(addressSubject("2001:db8::")).toBe("2001:db8:0:0/64")
  })

  it("is different for another /64", () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
    const groups = fc.tuple(group, group, group, group, group, group, group, group)
    fc.assert(
      fc.property(groups, groups, (first, second) => {
        const [a, b] = [addressSubject(first.join(":")), addressSubject(second.join(":"))]
        expect(a === b).toBe(first.slice(0, 4).join() === second.slice(0, 4).join())
        expect(addressSubject(compressed(first))).toBe(a)
      }),
      seed
    )
  })
})

/** The same address with its first run of zeros left out, as the URL parser writes it. */
const compressed = (groups: ReadonlyArray<string>): string =>
  new URL(`http://[${groups.join(":")}]/`).hostname.slice(1, -1)
