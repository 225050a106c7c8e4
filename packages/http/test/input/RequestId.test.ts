import { composeKey } from "@postcode/gateway/keys/ApiKey"
import { layerNodeSecrets } from "@postcode/node/secrets"
import { Effect, Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { requestIds, validRequestId } from "../../src/input/RequestId.ts"

describe("validRequestId", () => {
  it("keeps 1 to 64 characters of A–Z, a–z, 0–9 and . _ : -", () => {
    const characters = [..."ABCXYZabcxyz0189._:-"]
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 64 }), (id) => {
        expect(validRequestId(id)).toBe(id)
      }),
      { seed: 1 }
    )
    for (const id of ["1763733091123", "0123456789", "order-a12345678901", "12345678901b", crypto.randomUUID()]) {
      expect(validRequestId(id)).toBe(id)
    }
  })

  it("replaces an id that contains an API key", () => {
    const key = composeKey("secret", "live", "q7Vd2MfZ0bXk9RtLw4HnYc3JpAs8GuEe")
    for (const id of [key, `key:${key}`, `${key}-1`]) expect(validRequestId(id)).toBeUndefined()
  })

  it("replaces an id that may be a person's identification number", () => {
    for (const id of ["12345678901", "nin:12345678901", "12345678901-2", "a.12345678901.b", "1-12345678901"]) {
      expect(validRequestId(id)).toBeUndefined()
    }
  })

  it("replaces any other id", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (id) => {
        const allowed = id.length >= 1 && id.length <= 64 && [...id].every((char) => /[A-Za-z0-9._:-]/.test(char))
        expect(validRequestId(id)).toBe(allowed ? id : undefined)
      }),
      { seed: 1 }
    )
    for (const id of [undefined, "", "a\n", "\na", "a\r\nX: 1", "a ", "a".repeat(65), "\u0661"]) {
      expect(validRequestId(id)).toBeUndefined()
    }
  })
})

describe("requestIds", () => {
  it("gives a request without an id a valid and unique one", () => {
    const makeIds = requestIds(Redacted.make("the-operator-token-of-this-test-alone"))
    const requestIdOf = Effect.runSync(Effect.provide(makeIds, layerNodeSecrets({ version: 1, secret: pepper })))
    const ids = Array.from({ length: 1_000 }, () => requestIdOf(undefined))
    expect(ids.every((id) => validRequestId(id) === id)).toBe(true)
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    expect(ids.every((id) => uuid.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(1_000)
  })
})

const pepper = Redacted.make("a-pepper-of-this-test-alone-that-is-long")
