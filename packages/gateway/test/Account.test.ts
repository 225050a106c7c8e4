import { checkPassword } from "@postcode/gateway/accounts/Account"
import { Redacted, Result } from "effect"
import { assert, describe, it } from "vitest"

describe("checkPassword", () => {
  it.each([
    "harmattan over kano",
    "tr0ub4dor&3xyz",
    "\u1ecd\u0300j\u1ecd\u0301 \u1e63\u00fare oko",
    "password of an old hen"
  ])("%s is accepted", (text) => {
    assert.isTrue(Result.isSuccess(checkPassword(Redacted.make(text))))
  })

  it.each([
    "elevenchars",
    "x".repeat(257),
    "abababababab",
    "111111111111",
    "password123!",
    "PASSWORDpassword",
    "welcome2026!!",
    "postcode-2026"
  ])("%s is not", (text) => {
    assert.isTrue(Result.isFailure(checkPassword(Redacted.make(text))))
  })

  it.each(["Adaeze.Okafor@shop.ng", "adaeze.okafor12", "adaeze.okafor@", "shop.ng shop.ng 2026"])(
    "%s is not for adaeze.okafor@shop.ng",
    (text) => {
      assert.isTrue(Result.isFailure(checkPassword(Redacted.make(text), "adaeze.okafor@shop.ng")))
      assert.isTrue(Result.isSuccess(checkPassword(Redacted.make(text), "someone@else.ng")))
    }
  )
})
