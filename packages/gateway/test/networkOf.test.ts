import { describe, expect, it } from "vitest"
import { networkOf } from "../src/accounts/signUp/networkOf.ts"

describe("the network of a client", () => {
  it.each([
    [["192.0.2.1", "192.0.2.254", "::ffff:192.0.2.9"], "198.51.100.1"],
    [["2001:db8:77:1200::/64", "2001:db8:77:12ff:0:0:0:9", "2001:DB8:77:1234::1"], "2001:db8:77:1300::1"],
    [["::1", "0:0:0:0:0:0:0:2"], "1::"],
    [["not an address"], "another text"]
  ])("is one for %j, and not that of %s", (same, other) => {
    const networks = new Set(same.map(networkOf))
    expect(networks.size).toBe(1)
    expect(networks.has(networkOf(other))).toBe(false)
  })
})
