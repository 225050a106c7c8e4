import { weakSecrets } from "@postcode/conformance/devices"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { assertOptions, type GatewayOptions } from "../../src/pipeline/GatewayOptions.ts"

const operatorToken = Redacted.make("an-operator-token-for-tests-alone")

describe("options of the service", () => {
  it("an operator token that is not redacted is refused and not shown", () => {
    const options = { operatorToken: "an-operator-token-for-tests-alone" } as unknown as GatewayOptions
    expect(() => assertOptions(options)).toThrow("operatorToken: expected a Redacted string")
    expect(() => assertOptions(options)).not.toThrow("for-tests-alone")
  })

  it("a weak operator token is refused and not shown, and the message describes how to create a strong one", () => {
    for (const secret of Object.values(weakSecrets)) {
      const refused = () => assertOptions({ operatorToken: Redacted.make(secret) })
      expect(refused).toThrow(/^operatorToken: expected 32 to 512 printable ASCII characters.* openssl rand -hex 32/)
      if (secret !== "") expect(refused).not.toThrow(secret)
    }
  })

  it("a public origin is valid only as browsers send it", () => {
    for (const publicOrigin of ["https://postcode.example", "http://localhost:3000"]) {
      assertOptions({ operatorToken, publicOrigin })
    }
    const wrong = [
      "",
      "postcode.example",
      "https://postcode.example/",
      "https://Postcode.example",
      "https://a.example:443"
    ]
    for (const publicOrigin of [...wrong, "null", "file:///", "https://postcode.example/console"]) {
      expect(() => assertOptions({ operatorToken, publicOrigin })).toThrow("publicOrigin")
    }
  })

  it("the style of maps is an address without a password, or a path", () => {
    const valid = [
      "https://tiles.example/{scheme}.json",
      "http://127.0.0.1:8080/style.json?key=public",
      "https://[::1]/style",
      "https://tiles.example",
      "/demo/map/{scheme}.json"
    ]
    for (const mapStyle of valid) assertOptions({ operatorToken, mapStyle })
    const wrong = [
      "",
      "style.json",
      "//tiles.example/style.json",
      "/\\tiles.example/style.json",
      "javascript:alert(1)",
      "data:application/json,{}",
      "https://user:secret@tiles.example/style.json",
      "https://tiles.example/a b.json",
      "https://tiles.example/\n",
      "https://tiles.example:port/",
      `https://tiles.example/${"a".repeat(2_000)}`,
      7 as unknown as string
    ]
    for (const mapStyle of wrong) {
      const refused = () => assertOptions({ operatorToken, mapStyle })
      expect(refused).toThrow(/^mapStyle: expected the http or https address of a MapLibre style/)
      expect(refused).not.toThrow("secret")
    }
  })

  it.each([
    "keyRateLimit_per_minute",
    "publishableKeyRateLimit_per_minute",
    "organizationRateLimit_per_minute",
    "addressRateLimit_per_minute",
    "sessionRateLimit_per_minute"
  ])("%s must be a whole number from 1 on", (name) => {
    assertOptions({ operatorToken, [name]: 1 })
    for (const limit of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => assertOptions({ operatorToken, [name]: limit })).toThrow(name)
    }
  })
})
