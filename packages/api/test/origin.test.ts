import { Option, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { Origin } from "../src/keys/origin.ts"

const takes = (text: string): boolean => Option.isSome(Schema.decodeUnknownOption(Origin)(text))

describe("Origin", () => {
  it.each([
    "https://shop.example",
    "http://localhost:5173",
    "https://shop.example:8443",
    "http://shop.example:443",
    "https://a-b.c--d.example",
    "https://xn--mgbh0fb.example",
    "http://127.0.0.1:3000",
    "http://[::1]:3000",
    "http://[2001:db8::1]",
    "http://a:65535"
  ])("accepts %s, as a browser sends it", (text) => {
    expect(new URL(text).origin).toBe(text)
    expect(takes(text)).toBe(true)
  })

  it.each(["https://*.shop.example", "https://*.shop.example:8443", "https://*.a.b.c.example"])(
    "accepts %s, with a wildcard for one label",
    (text) => expect(takes(text)).toBe(true)
  )

  it.each(["capacitor://localhost", "ionic://localhost"])("accepts %s, as the web view of an app sends it", (text) => {
    expect(takes(text)).toBe(true)
  })

  it.each([
    [
      "a wildcard elsewhere, of a scheme, or for the names of a whole domain",
      [
        "*",
        "https://*",
        "https://*.example",
        "https://*.*.shop.example",
        "https://a.*.shop.example",
        "https://a*.shop.example",
        "https://*shop.example",
        "http://*.shop.example",
        "*://shop.example",
        "https://*.shop.example:*",
        "https://*.shop.example:443",
        "https://*.shop.example/",
        "https://*.0.1",
        "https://*.Shop.example"
      ]
    ],
    [
      "what no frame of an app sends",
      [
        "capacitor://shop.example",
        "capacitor://localhost:80",
        "capacitor://localhost/",
        "capacitor://",
        "app://localhost"
      ]
    ],
    ["the port that its scheme has anyway", ["https://shop.example:443", "http://shop.example:80"]],
    [
      "a port that there is not",
      ["http://localhost:99999", "http://localhost:65536", "http://a:0", "http://a:", "http://a:080"]
    ],
    [
      "a host that no name can have",
      ["https://-", "https://-a.example", "https://a-.example", "https://a..b", "https://"]
    ],
    ["a label of more than 63 characters", [`https://${"a".repeat(64)}.example`]],
    ["an address that is written otherwise", ["http://1.2", "http://256.0.0.1", "http://127.0.0.01", "http://0x7f.1"]],
    [
      "an IPv6 address that is written otherwise",
      ["http://[0:0:0:0:0:0:0:1]", "http://[::01]", "http://[:::]", "http://[::1"]
    ],
    ["more than an origin", ["https://a.example/", "https://a.example?b", "https://u@a.example", " https://a.example"]],
    ["upper case", ["https://A.example", "HTTPS://a.example"]],
    ["another scheme", ["ftp://a.example", "file://", "null", "a.example", ""]]
  ])("refuses %s", (_, texts) => {
    for (const text of texts) expect(takes(text), text).toBe(false)
  })

  it("the message describes a valid origin, and does not repeat the input", () => {
    const result = Schema.decodeUnknownResult(Origin)("https://canary.example:443")
    expect(String(result._tag === "Failure" && result.failure.message)).toBe(
      "expected a web origin in lower case without a path, such as https://shop.example, https://*.shop.example or http://localhost:5173, or that of an app: capacitor://localhost or ionic://localhost"
    )
  })

  it("refuses a text of 60,000 characters, whatever they are", () => {
    for (const text of [
      `https://${"a".repeat(60_000)}`,
      `https://${"a.".repeat(30_000)}`,
      `https://${"-".repeat(60_000)}`
    ]) {
      expect(takes(text)).toBe(false)
    }
  })

  it("shows its pattern in JSON Schema", () => {
    const { schema } = Schema.toJsonSchemaDocument(Origin)
    expect("https://shop.example:8443").toMatch(new RegExp(String(schema.pattern), "u"))
    expect("https://shop.example/").not.toMatch(new RegExp(String(schema.pattern), "u"))
  })
})
