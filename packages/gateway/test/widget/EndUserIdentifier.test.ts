import { assert, describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import fc from "fast-check"
import { identifierTypes, normalizeIdentifier, readIdentifier } from "../../src/widget/endUsers/EndUserIdentifier.ts"

const normalized = (raw: string): string | undefined => {
  const result = normalizeIdentifier(Redacted.make(raw), "identifier")
  return Result.isSuccess(result) ? Redacted.value(result.success) : undefined
}

describe("EndUserIdentifier", () => {
  it.each([
    ["12345678901", "12345678901"],
    [" 12345678901\n", "12345678901"],
    ["00000000000", "00000000000"],
    ["ada@example.ng", "ada@example.ng"],
    ["\tAda.Obi+Shop@Mail.Example.NG ", "ada.obi+shop@mail.example.ng"],
    ["o'neil_2@x-y.co.uk", "o'neil_2@x-y.co.uk"],
    ["ADÉ@example.ng", "adé@example.ng"],
    ["ade\u0301@example.ng", "ad\u00e9@example.ng"],
    ["12345678901@example.ng", "12345678901@example.ng"]
  ])("%j is normalized to %j", (raw, expected) => {
    assert.strictEqual(normalized(raw), expected)
    assert.strictEqual(normalized(expected), expected, "the one spelling is its own")
  })

  it.each([
    "",
    " ",
    "1234567890",
    "123456789012",
    "1234567890a",
    "12345 678901",
    "123-4567-8901",
    "१२३४५६७८९०१",
    "+2348012345678",
    "ada",
    "ada@",
    "@example.ng",
    "ada@example",
    "ada@example.n",
    "ada@exam ple.ng",
    "a da@example.ng",
    "ada@@example.ng",
    "ada@b@example.ng",
    "ada@-example.ng",
    "ada@example-.ng",
    "ada@example..ng",
    "ada@.example.ng",
    "ada@example.ng.",
    "ada@example.123",
    "Ada <ada@example.ng>",
    "ada@example.ng, obi@example.ng",
    "mailto:ada@example.ng",
    "ad\ufffd@example.ng",
    "ad\ud83d@example.ng",
    "\udfffad@example.ng",
    "a\u0000da@example.ng",
    "a\u001bda@example.ng",
    "a\u0085da@example.ng",
    "ad\u037ea@example.ng"
  ])("%j is neither a NIN nor an email address", (raw) => {
    assert.isUndefined(normalized(raw))
  })

  it("an address with a part that is too long is refused", () => {
    const tooLong = [
      `${"a".repeat(65)}@example.ng`,
      `ada@${"e".repeat(64)}.ng`,
      `ada@${"e.".repeat(130)}ng`,
      `ada@${"e".repeat(1_000_000)}`
    ]
    for (const raw of tooLong) assert.isUndefined(normalized(raw), raw.slice(0, 80))
  })

  it("the longest valid address has 254 characters", () => {
    const address = (length: number) => `ada@${"e.".repeat((length - 6) / 2)}ng`
    assert.strictEqual(address(254).length, 254)
    assert.strictEqual(normalized(address(254)), address(254))
    assert.isUndefined(normalized(address(256)))
  })

  it("the length is that of the normalized spelling", () => {
    // In lower case this letter is two characters, and decomposed ones are two and four that become one.
    assert.isUndefined(normalized(`${"\u0130".repeat(33)}@example.ng`))
    assert.strictEqual(normalized(`${"\u0130".repeat(32)}@example.ng`)?.indexOf("@"), 64)
    for (const letter of ["\u00e9", "\u1f82"].map((composed) => composed.normalize("NFD"))) {
      assert.strictEqual(normalized(`${letter.repeat(64)}@example.ng`)?.indexOf("@"), 64)
    }
  })

  it("every spelling of a letter is normalized to the same identifier, which stays unchanged", () => {
    const spellings = (text: string) => [text, text.normalize("NFC"), text.normalize("NFD")].map(normalized)
    const assertOne = (text: string) => {
      const [first, ...others] = spellings(text)
      for (const other of others) assert.strictEqual(other, first, JSON.stringify(text))
      if (first !== undefined) assert.strictEqual(normalized(first), first, JSON.stringify(text))
    }
    for (let point = 0x80; point < 0x3000; point++) {
      const letter = String.fromCodePoint(point)
      assertOne(`A\u0301\u0323${letter}@x.example`)
      if (letter.toLowerCase().length > 1) assertOne(`${letter.repeat(33)}@x.example`)
    }
    const local = fc.string({ unit: "binary", minLength: 1, maxLength: 70 })
    fc.assert(
      fc.property(local, (text) => assertOne(`${text}@x.example`)),
      { numRuns: 500, seed: 7 }
    )
  })

  it("the error names the parameter and never repeats the input", () => {
    const result = normalizeIdentifier(Redacted.make("1234567890 Ada"), "identifiers[3]")
    assert.isTrue(Result.isFailure(result))
    if (!Result.isFailure(result)) return
    const { _tag, message, parameter } = result.failure
    assert.deepStrictEqual({ _tag, parameter }, { _tag: "InvalidParameter", parameter: "identifiers[3]" })
    assert.strictEqual(message, "identifiers[3]: expected an 11-digit NIN or an email address")
  })

  it("the result is redacted, so that no log shows it", () => {
    const result = normalizeIdentifier(Redacted.make("ada@example.ng"), "identifier")
    assert.notInclude(`${JSON.stringify(result)} ${String(result)}`, "ada@example.ng")
  })

  it.each([
    [undefined, undefined, true],
    ["12345678901", undefined, true],
    ["12345678901", "nin", true],
    [" Ada@Example.NG ", "email", true],
    ["12345678901", "email", "identifier_type"],
    ["ada@example.ng", "nin", "identifier_type"],
    ["12345678901@example.ng", "nin", "identifier_type"],
    [undefined, "nin", "identifier_type"],
    [undefined, "email", "identifier_type"],
    ["ada", "email", "identifier"],
    ["1234567890", "nin", "identifier"]
  ] as const)(
    "the identifier %j as type %j is accepted, or the error names the parameter: %j",
    (raw, type, expected) => {
      const result = readIdentifier(raw === undefined ? undefined : Redacted.make(raw), type)
      if (expected === true) {
        assert.isTrue(Result.isSuccess(result))
      } else {
        assert.strictEqual(Result.isFailure(result) && result.failure.parameter, expected)
        if (raw !== undefined) assert.notInclude(Result.isFailure(result) ? result.failure.message : raw, raw)
      }
    }
  )

  it("each identifier is of exactly one kind", () => {
    for (const raw of ["12345678901", "ada@example.ng"]) {
      const fits = identifierTypes.filter((type) => Result.isSuccess(readIdentifier(Redacted.make(raw), type)))
      assert.strictEqual(fits.length, 1)
    }
  })
})
