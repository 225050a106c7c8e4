import { isLoopbackAddress, isPublicAddress } from "@postcode/gateway/webhooks/NetworkAddress"
import { describe, expect, it } from "vitest"

describe("isPublicAddress", () => {
  const publicOnes = [
    "8.8.8.8",
    "1.0.0.1",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "223.255.255.255",
    "::ffff:8.8.8.8",
    "::FFFF:808:808",
    "64:ff9b::8.8.8.8",
    "64:ff9b::808:808",
    "2001:4860:4860::8888",
    "2606:4700:4700::1111",
    "2a00:1450:4001:81b:0:0:0:200e"
  ]
  it.each(publicOnes)("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  const others = [
    ["0.0.0.0", "0.255.255.255", "::"],
    ["127.0.0.1", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1"],
    ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255"],
    ["fc00::1", "fdff:ffff::1", "fec0::1"],
    ["169.254.0.1", "169.254.255.255", "fe80::1", "febf::1", "fe80::1%eth0"],
    ["169.254.169.254", "fd00:ec2::254", "168.63.129.16"],
    ["100.64.0.0", "100.127.255.255", "198.18.0.1", "198.19.255.255"],
    ["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "ff02::1"],
    ["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:7f00:1", "0:0:0:0:0:ffff:a9fe:a9fe", "::127.0.0.1", "::7f00:1"],
    ["64:ff9b::127.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::8.8.8.8"],
    ["2002:7f00:1::", "2002:808:808::1", "2001::1", "2001:1ff::1", "2001:db8::1", "3fff:fff::1"],
    ["192.0.0.1", "192.0.2.1", "198.51.100.1", "203.0.113.1"],
    ["", "localhost", "1.2.3", "256.1.1.1", "1.2.3.4.5", "0x7f.0.0.1", "1:2:3", "1::2::3", "12345::", "::1.2.3", "g::"]
  ].flat()
  it.each(others)("%s is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe("isLoopbackAddress", () => {
  it.each(["127.0.0.1", "127.1.2.3", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"])("%s is this machine", (address) => {
    expect(isLoopbackAddress(address)).toBe(true)
  })

  it.each(["126.255.255.255", "128.0.0.0", "10.0.0.1", "::", "::2", "::ffff:10.0.0.1", "localhost", ""])(
    "%s is not",
    (address) => {
      expect(isLoopbackAddress(address)).toBe(false)
    }
  )
})
