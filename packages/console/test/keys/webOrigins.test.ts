/** What people type as the place of a page, and why a page may not use a key. */
import { originPattern, servesOrigin } from "@postcode/gateway/keys/WebOrigin"
import { describe, expect, it } from "vitest"
import { adviceOn } from "../../src/screens/keys/origins/originAdvice.ts"
import { faultIn, linesOf, readAddress } from "../../src/screens/keys/origins/webOrigins.ts"

describe("the address of a page", () => {
  it.each([
    ["https://shop.example/checkout?step=2#pay", "https://shop.example"],
    ["HTTPS://Shop.Example/", "https://shop.example"],
    ["https://shop.example:443/a", "https://shop.example"],
    ["https://shop.example:8443", "https://shop.example:8443"],
    ["http://shop.example:80", "http://shop.example"],
    ["shop.example/checkout", "https://shop.example"],
    ["shop.example:8443", "https://shop.example:8443"],
    ["localhost:5173", "http://localhost:5173"],
    ["127.0.0.1:3000/x", "http://127.0.0.1:3000"],
    ["[::1]:3000", "http://[::1]:3000"],
    ["  https://shop.example  ", "https://shop.example"]
  ])("%s has an origin as browsers send it", (typed, origin) => {
    expect(readAddress(typed).origin).toBe(origin)
    expect(readAddress(typed).origin).toMatch(originPattern)
    expect(readAddress(typed).origin).toBe(new URL(readAddress(typed).origin ?? "").origin)
  })

  it.each([
    ["https://*.shop.example", /wildcard/],
    ["file:///home/ada/page.html", /file:/],
    ["data:text/html,hello", /data:/],
    ["https://", /not the address/],
    ["http://a b", /not the address/],
    ["https://shop_.example", /not a valid host/]
  ])("%s has no origin, and the reason is shown", (typed, why) => {
    expect(readAddress(typed).origin).toBeUndefined()
    expect(readAddress(typed).fault).toMatch(why)
  })
})

describe("a line of origins", () => {
  it("is valid only if it is written as browsers send it", () => {
    for (const line of [
      "https://shop.example",
      "http://localhost:5173",
      "https://shop.example:8443",
      "https://*.shop.example",
      "capacitor://localhost"
    ]) {
      expect(faultIn(line)).toBeUndefined()
    }
  })

  it.each([
    ["https://shop.example/", /slash/],
    ["https://shop.example/checkout", /path/],
    ["https://Shop.example", /lower case/],
    ["shop.example", /scheme/],
    ["https://shop.example:443", /port/]
  ])("%s gets an error with the corrected origin", (line, why) => {
    expect(faultIn(line)).toMatchObject({ line, origin: "https://shop.example", why: expect.stringMatching(why) })
  })

  it("is one of several, with any white space between them", () => {
    expect(linesOf(" https://a.example \n\n\thttps://b.example\r\n")).toEqual([
      "https://a.example",
      "https://b.example"
    ])
  })
})

describe("the reason why a page may not use a key", () => {
  const listed = ["https://shop.example", "http://localhost:5173"]
  it.each([
    ["http://shop.example", /lists https:\/\/shop\.example: the page is on http\./],
    ["https://shop.example:8443", /the page’s port is 8443/],
    ["https://www.shop.example", /with and without www/],
    ["https://pay.shop.example", /pay\.shop\.example is another host/],
    ["http://localhost:3000", /lists http:\/\/localhost:5173: the page’s port is 3000/],
    ["http://127.0.0.1:5173", /127\.0\.0\.1 as another host/],
    ["https://other.example", /other hosts/],
    ["https://shop.example.evil.example", /other hosts/]
  ])("%s: the difference to the most similar listed origin", (origin, why) => {
    expect(servesOrigin({ kind: "publishable", origins: listed }, origin)).toBe(false)
    expect(adviceOn(origin, listed)).toMatch(why)
  })

  it("a key without origins serves no page", () => {
    expect(adviceOn("https://shop.example", [])).toMatch(/lists no origin/)
  })
})
