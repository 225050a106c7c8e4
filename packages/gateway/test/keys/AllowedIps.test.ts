import { assert, describe, it } from "@effect/vitest"
import { canonicalRange, isAllowedIp } from "../../src/keys/AllowedIps.ts"

describe("canonicalRange", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["203.0.113.0/24", "203.0.113.0/24"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["203.0.113.7/32", "203.0.113.7/32"],
    ["2001:DB8::1", "2001:db8::1"],
    ["2001:db8:0:0::/32", "2001:db8::/32"],
    ["::1", "::1"],
    ["2001:db8::1/128", "2001:db8::1/128"],
    ["::ffff:203.0.113.7", "203.0.113.7"]
  ])("%s → %s, which is its own canonical form", (text, canonical) => {
    assert.strictEqual(canonicalRange(text), canonical)
    assert.strictEqual(canonicalRange(canonical), canonical)
  })

  it.each([
    "",
    "shop.example",
    "203.0.113",
    "203.0.113.256",
    "0313.0.0.1",
    "0xcb.0.0.1",
    "3405803783",
    "203.0.113.7/24",
    "203.0.113.0/33",
    "203.0.113.0/",
    "203.0.113.0/024",
    "203.0.113.0/-1",
    "203.0.113.0/24/24",
    "203.0.113.0/255.255.255.0",
    "2001:db8::1/32",
    "2001:db8::/129",
    "::ffff:203.0.113.0/120",
    "fe80::1%eth0",
    " 203.0.113.7",
    "*"
  ])("%j is neither an address nor a range that begins with its first address", (text) => {
    assert.isUndefined(canonicalRange(text))
  })
})

describe("isAllowedIp", () => {
  const allowed = ["203.0.113.7", "198.51.100.0/25", "2001:db8::/32", "2001:db9::1"]

  it.each([
    "203.0.113.7",
    "::ffff:203.0.113.7",
    "::ffff:cb00:7107",
    "64:ff9b::203.0.113.7",
    "198.51.100.0",
    "198.51.100.127",
    "2001:db8::",
    "2001:0DB8:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db9::1"
  ])("%s is in the list", (address) => {
    assert.isTrue(isAllowedIp(allowed, address))
  })

  it.each([
    "203.0.113.8",
    "198.51.100.128",
    "2001:db7:ffff::",
    "2001:db9::2",
    "::203.0.113.7",
    "unknown",
    "",
    "203.0.113.7, 198.51.100.1"
  ])("%j is not in the list", (address) => {
    assert.isFalse(isAllowedIp(allowed, address))
  })

  it("a range of all IPv4 addresses contains no IPv6 address, and vice versa", () => {
    assert.isTrue(isAllowedIp(["0.0.0.0/0"], "203.0.113.7"))
    assert.isFalse(isAllowedIp(["0.0.0.0/0"], "2001:db8::1"))
    assert.isFalse(isAllowedIp(["::/0"], "203.0.113.7"))
  })
})
