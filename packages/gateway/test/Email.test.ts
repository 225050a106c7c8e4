import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { readEmail } from "../src/accounts/Account.ts"
import { parseEmail } from "../src/Email.ts"

describe("an email address", () => {
  it.for([
    [" Ada+Shop@People.Example ", "ada+shop@people.example"],
    ["ñandú@people.example", "ñandú@people.example"],
    // Browsers send the ASCII form of a domain, and programs the other one: both are one account.
    ["ada@BÜCHER.example", "ada@xn--bcher-kva.example"],
    ["ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"],
    ["ada@пример.рф", "ada@xn--e1afmkfd.xn--p1ai"],
    ["ada@ọ̀ṣun.example", "ada@xn--un-4tb851zdpa.example"]
  ] as const)("%s has a canonical form", ([raw, canonical]) => {
    expect(parseEmail(raw)).toBe(canonical)
  })

  it.for([
    "ada",
    "ada@localhost",
    "ada@b@people.example",
    "ada@bücher.example/x",
    "ada@bücher.example:80",
    "ada@bücher .example",
    "ada@ü@people.example",
    `ada@${"ü".repeat(64)}.example`
  ])("%s is none", (raw) => {
    expect(parseEmail(raw)).toBeUndefined()
  })

  it.for([".ada@people.example", "ada.@people.example", "ada..obi@people.example"])(
    "%s is none for an account: mail servers refuse it",
    (raw) => {
      expect(Result.isFailure(readEmail(raw))).toBe(true)
    }
  )
})
