/** Conformance suite of the port `Secrets`. */
import { assert, describe, it } from "@effect/vitest"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { Effect, type Layer, Redacted } from "effect"

/** A pepper for identifiers, and its version. */
export interface TestPepper {
  readonly version: number
  readonly secret: Redacted.Redacted<string>
}

/**
 * Registers the tests of the port `Secrets`.
 *
 * @param layerOf the adapter with a current and previous peppers
 */
export const secretsSuite = <E>(
  name: string,
  layerOf: (pepper: TestPepper, former: ReadonlyArray<TestPepper>) => Layer.Layer<Secrets, E>
): void => {
  describe(`Secrets ${name}`, () => {
    const withPepper = <A>(
      use: (secrets: Secrets["Service"]) => A,
      version = 1,
      secret = "a-pepper-of-at-least-32-characters"
    ) => Effect.provide(Effect.map(Secrets, use), layerOf({ version, secret: Redacted.make(secret) }, []))

    it.effect("random texts have the requested length, and only letters and digits", () =>
      withPepper(({ random }) => {
        for (const length of [0, 1, 20, 32, 1_000]) {
          assert.match(random(length), new RegExp(`^[0-9A-Za-z]{${length}}$`))
        }
      })
    )

    it.effect("random texts do not repeat, also with another instance", () =>
      Effect.gen(function* () {
        const take = withPepper(({ random }) => Array.from({ length: 1_000 }, () => random(20)))
        assert.strictEqual(new Set([...(yield* take), ...(yield* take)]).size, 2_000)
      })
    )

    // Six standard deviations: a uniform source fails once in about ten million runs, bytes modulo 62 always.
    it.effect("each letter and digit is equally likely", () =>
      withPepper(({ random }) => {
        const counts = new Map<string, number>()
        for (const character of random(620_000)) counts.set(character, (counts.get(character) ?? 0) + 1)
        assert.strictEqual(counts.size, 62)
        for (const [character, count] of counts) assert.approximately(count, 10_000, 600, character)
      })
    )

    it.effect("a hash is SHA-256 of the UTF-8 text, in hex", () =>
      withPepper(({ hash }) => {
        const hashes = {
          "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
          abc: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
          "\u1ecdba": "46387915780f1dd76f50abea702556f713e4376b837e8e5b4f3ce3a546cd4feb"
        }
        for (const [text, expected] of Object.entries(hashes)) {
          assert.strictEqual(hash(Redacted.make(text)), expected)
        }
      })
    )

    // By Python: hmac.new(pepper, identifier, "sha256").hexdigest()
    it.effect("an identifier's hash is HMAC-SHA-256 under the pepper, in hex after the pepper's version", () =>
      withPepper(({ hashIdentifier }) => {
        assert.strictEqual(
          hashIdentifier(Redacted.make("what do ya want for nothing?")),
          "7:a62182ef379938b73cb05a61a41adc83359e4b398bffb3e7d0e74e8998eae027"
        )
      }, 7)
    )

    it.effect("another pepper, another version or another identifier gives another hash", () =>
      Effect.gen(function* () {
        const hashed = (identifier: string, version: number, secret: string) =>
          withPepper(({ hashIdentifier }) => hashIdentifier(Redacted.make(identifier)), version, secret)
        const hashes = yield* Effect.all([
          hashed("12345678901", 1, "the-first-pepper-of-at-least-32-characters"),
          hashed("12345678901", 1, "the-second-pepper-of-at-least-32-characters"),
          hashed("12345678901", 2, "the-first-pepper-of-at-least-32-characters"),
          hashed("12345678902", 1, "the-first-pepper-of-at-least-32-characters")
        ])
        assert.strictEqual(new Set(hashes).size, 4)
        assert.strictEqual(yield* hashed("12345678901", 1, "the-first-pepper-of-at-least-32-characters"), hashes[0])
      })
    )

    it.effect("an identifier has a hash under each pepper, the current one's first", () =>
      Effect.gen(function* () {
        const peppers = [3, 2, 1].map((version) => ({
          version,
          secret: Redacted.make(`the-pepper-of-the-version-${version}-in-tests`)
        }))
        const [present, ...former] = peppers as [TestPepper, ...Array<TestPepper>]
        const identifier = Redacted.make("ada@example.ng")
        const all = Effect.map(Secrets, ({ identifierHashes }) => identifierHashes(identifier))
        const alone = Effect.map(Secrets, ({ hashIdentifier }) => hashIdentifier(identifier))
        const expected = yield* Effect.forEach(peppers, (pepper) => Effect.provide(alone, layerOf(pepper, [])))
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* Effect.provide(all, layerOf(present, former)), expected)
        assert.strictEqual(yield* Effect.provide(alone, layerOf(present, former)), expected[0])
      })
    )
  })
}
