import { assert, describe, it } from "@effect/vitest"
import { type AccessLevel, accessLevels } from "@postcode/core/AccessLevel"
import { environments } from "@postcode/core/Credits"
import { Result } from "effect"
import {
  authorizeBatch,
  authorizeLookup,
  authorizeOrigin,
  composeKey,
  isWellFormedKey,
  keyKinds,
  keyPrefix,
  type Principal,
  randomLength,
  type Scope,
  seesNames,
  visiblePrefix
} from "../../src/keys/ApiKey.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const random = alphabet.slice(5, 5 + randomLength)

const newPrincipal = (fields: Partial<Principal> = {}): Principal => ({
  key_id: "key_1",
  organization_id: "org_1",
  kind: "secret",
  environment: "test",
  scopes: ["lookup"],
  max_level: 5,
  granted_level: 5,
  organization_verified: true,
  organization_suspended: false,
  origins: [],
  allowed_ips: [],
  rate_limit_per_minute: undefined,
  organization_rate_limit_per_minute: undefined,
  ...fields
})

describe("the form of a key", () => {
  it("the prefix shows kind and environment, and is the same for publishable keys in both environments", () => {
    assert.strictEqual(keyPrefix("secret", "test"), "svc_test_")
    assert.strictEqual(keyPrefix("secret", "live"), "svc_live_")
    assert.strictEqual(keyPrefix("publishable", "test"), "svc_pk_")
    assert.strictEqual(keyPrefix("publishable", "live"), "svc_pk_")
  })

  // Made with another implementation of CRC-32.
  it.each([
    ["secret", "test", "0123456789ABCDEFGHIJKLMNOPQRSTUV", "svc_test_0123456789ABCDEFGHIJKLMNOPQRSTUV2nuRgb"],
    ["secret", "live", "abcdefghijklmnopqrstuvwxyz012345", "svc_live_abcdefghijklmnopqrstuvwxyz0123450QBORL"],
    ["publishable", "test", "00000000000000000000000000000000", "svc_pk_000000000000000000000000000000004ZC5dE"],
    ["publishable", "live", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "svc_pk_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz3Cq9q2"],
    ["secret", "test", "00000000000000000000000000000140", "svc_test_0000000000000000000000000000014000Iv8f"]
  ] as const)("a %s %s key ends in the CRC-32 of the rest, in base 62", (kind, environment, text, key) => {
    assert.strictEqual(composeKey(kind, environment, text), key)
    assert.isTrue(isWellFormedKey(key))
  })

  it("the visible part of a key is the prefix and four characters", () => {
    assert.strictEqual(visiblePrefix("svc_test_0123456789ABCDEFGHIJKLMNOPQRSTUV2nuRgb"), "svc_test_0123")
    assert.strictEqual(visiblePrefix("svc_pk_000000000000000000000000000000004ZC5dE"), "svc_pk_0000")
  })

  it("one wrong character is detected at any position", () => {
    for (const kind of keyKinds) {
      for (const environment of environments) {
        const key = composeKey(kind, environment, random)
        for (let at = 0; at < key.length; at++) {
          for (const character of `${alphabet}_- `) {
            if (character === key[at]) continue
            const typo = key.slice(0, at) + character + key.slice(at + 1)
            if (isWellFormedKey(typo)) assert.fail(`${typo} was taken for ${key}`)
          }
        }
      }
    }
  })

  it("two exchanged characters are detected", () => {
    const key = composeKey("secret", "live", random)
    for (let at = 0; at + 1 < key.length; at++) {
      const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2)
      if (swapped !== key) assert.isFalse(isWellFormedKey(swapped), swapped)
    }
  })

  it("any text that is not a whole key is malformed", () => {
    const key = composeKey("secret", "live", random)
    const others = [
      "",
      "svc_live_",
      key.slice(0, -1),
      `${key}a`,
      ` ${key}`,
      `${key}\n`,
      key.toLowerCase(),
      composeKey("secret", "live", random.slice(1)),
      composeKey("secret", "live", `${random}0`),
      composeKey("secret", "live", `é${random.slice(1)}`),
      key.replace("live", "prod"),
      "x".repeat(1_000_000),
      `svc_live_${"0".repeat(1_000_000)}`
    ]
    for (const other of others) assert.isFalse(isWellFormedKey(other), other.slice(0, 60))
  })
})

describe("lookups by kind, scope and level of the key", () => {
  const outcome = (principal: Principal | undefined, level: AccessLevel) => {
    const result = authorizeLookup(principal, level)
    return Result.isSuccess(result) ? result.success : result.failure._tag
  }

  it("level 1 is public, and each level above needs a key", () => {
    assert.deepStrictEqual(
      accessLevels.map((level) => outcome(undefined, level)),
      [1, ...Array(4).fill("AuthRequired")]
    )
  })

  it("level 1 needs no scope and no level of a key", () => {
    assert.strictEqual(outcome(newPrincipal({ scopes: [], max_level: 1, granted_level: 1 }), 1), 1)
  })

  it.each([[["lookup"]], [["search", "lookup"]]] as const)(
    "with the scopes %j: refused above the key's maximum, capped at the grant",
    (scopes) => {
      for (const max_level of accessLevels) {
        for (const granted_level of accessLevels) {
          for (const level of accessLevels) {
            const principal = newPrincipal({ scopes, max_level, granted_level })
            const expected = level > max_level ? "LevelNotGranted" : Math.min(level, granted_level)
            assert.strictEqual(outcome(principal, level), expected)
          }
        }
      }
    }
  )

  it.each([[[]], [["search"]]] as ReadonlyArray<[ReadonlyArray<Scope>]>)(
    "with the scopes %j every level from 2 on lacks the scope, also above the maximum",
    (scopes) => {
      for (const max_level of accessLevels) {
        for (const level of accessLevels.slice(1)) {
          assert.strictEqual(outcome(newPrincipal({ scopes, max_level }), level), "InsufficientScope")
        }
      }
    }
  )

  it("a publishable key is served level 2 at most, and refused above its maximum as any key", () => {
    for (const max_level of accessLevels) {
      for (const granted_level of accessLevels) {
        for (const level of accessLevels) {
          const principal = newPrincipal({ kind: "publishable", max_level, granted_level })
          const expected = level > max_level ? "LevelNotGranted" : Math.min(level, granted_level, 2)
          assert.strictEqual(outcome(principal, level), expected)
        }
      }
    }
  })

  it("test keys have the same rights as live keys", () => {
    for (const environment of environments) assert.strictEqual(outcome(newPrincipal({ environment }), 4), 4)
  })

  it("every caller may send a batch, except with a publishable key", () => {
    for (const principal of [undefined, newPrincipal()]) assert.isTrue(Result.isSuccess(authorizeBatch(principal)))
    const refused = authorizeBatch(newPrincipal({ kind: "publishable" }))
    assert.strictEqual(Result.isFailure(refused) && refused.failure._tag, "KeyTypeNotAllowed")
  })

  it("a refusal names the level or the scope", () => {
    const message = (principal: Principal | undefined, level: AccessLevel) =>
      Result.match(authorizeLookup(principal, level), { onSuccess: () => "", onFailure: (error) => error.message })
    assert.include(message(undefined, 3), "level 3")
    assert.include(message(newPrincipal({ scopes: ["search"] }), 3), "`lookup`")
    assert.include(message(newPrincipal({ max_level: 2 }), 3), "level 2")
  })
})

describe("names in search results by scope and level of the key", () => {
  it("keys with the scope `search` whose maximum and grant are both 2 or more", () => {
    assert.isFalse(seesNames(undefined))
    for (const scopes of [["lookup"], ["search", "lookup"], ["search"], []] as ReadonlyArray<ReadonlyArray<Scope>>) {
      for (const max_level of accessLevels) {
        for (const granted_level of accessLevels) {
          const expected = scopes.includes("search") && max_level >= 2 && granted_level >= 2
          assert.strictEqual(seesNames(newPrincipal({ scopes, max_level, granted_level })), expected)
        }
      }
    }
  })
})

describe("where a key may be used", () => {
  const shop = newPrincipal({ kind: "publishable", origins: ["https://shop.example", "http://localhost:5173"] })
  const passes = (principal: Principal, origin: string | undefined) =>
    Result.isSuccess(authorizeOrigin(principal, origin))

  it("a publishable key is bound to the origins that it lists, exactly as browsers send them", () => {
    for (const origin of shop.origins) assert.isTrue(passes(shop, origin))
    for (const origin of [
      "http://shop.example",
      "https://shop.example:8443",
      "https://shop.example/",
      "https://www.shop.example",
      "https://shop.example.evil.example",
      "HTTPS://SHOP.EXAMPLE",
      "null",
      ""
    ]) {
      assert.isFalse(passes(shop, origin), origin)
    }
  })

  it("a publishable key without origins is refused in browsers", () => {
    assert.isFalse(passes(newPrincipal({ kind: "publishable" }), "https://shop.example"))
  })

  it("a request without an origin passes, because it is not from a browser", () => {
    assert.isTrue(passes(shop, undefined))
  })

  it("a secret key is bound to no origin", () => {
    assert.isTrue(passes(newPrincipal(), "https://anywhere.example"))
  })

  it("the refusal names the origin if it is well formed", () => {
    const message = (origin: string) =>
      Result.match(authorizeOrigin(shop, origin), { onSuccess: () => "", onFailure: (error) => error.message })
    assert.include(message("https://other.example:8443"), "https://other.example:8443")
    for (const origin of ["<script>", "https://a b", "null", `https://${"x".repeat(300)}`]) {
      assert.notInclude(message(origin), origin)
    }
  })
})
