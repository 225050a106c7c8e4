/** Conformance suite of the port `SessionTokens`. */
import { assert, describe, it } from "@effect/vitest"
import { SessionTokens } from "@postcode/gateway/widget/sessions/SessionTokens"
import {
  invalidWidgetSession,
  sessionLifetime_s,
  type WidgetSession
} from "@postcode/gateway/widget/sessions/WidgetSession"
import { Effect, type Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { failsWith } from "../../fixtures/Failures.ts"

/** Names of the signing keys: the first signs, all verify. */
export type KeyNames = readonly [signing: string, ...others: ReadonlyArray<string>]

/**
 * Registers the tests of the port `SessionTokens`.
 *
 * @param layerOf the adapter with the keys of these names; equal names are equal keys
 */
export const sessionTokensSuite = (name: string, layerOf: LayerOf): void => {
  const tools = toolsOf(layerOf)
  const { isRefused, sign, verify } = tools

  describe(`SessionTokens ${name}`, () => {
    likeOthers(tools)

    it.effect("a session is returned from its token unchanged, with any content", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon_ms)
        const sessions: ReadonlyArray<WidgetSession> = [
          session,
          { ...session, origin: undefined, environment: "live" },
          { ...session, identifier_hashes: ["3:a", "2:b", "1:c"] },
          { ...session, proven: true },
          { ...session, proven: true, identifier_hashes: ["3:a", "2:b", "1:c"] },
          { ...session, identifier_hashes: undefined }
        ]
        for (const it of sessions) assert.deepStrictEqual(yield* verify(yield* sign(it, "a"), "a"), it)
      })
    )

    it.effect("a token is valid for its lifetime, to the second", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon_ms)
        const token = yield* sign(session, "a")
        yield* TestClock.adjust(sessionLifetime_s * 1000 - 1)
        yield* verify(token, "a")
        yield* TestClock.adjust(1)
        yield* isRefused(token, "a")
      })
    )

    it.effect("keys change without ending a session: first verifying, then signing, then removed", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon_ms)
        const before = yield* sign(session, "a")
        const beforeToo = yield* sign(session, "a", "b")
        yield* verify(beforeToo, "a")
        const after = yield* sign(session, "b", "a")
        for (const token of [before, beforeToo, after]) {
          yield* verify(token, "a", "b")
          yield* verify(token, "b", "a")
        }
        yield* verify(after, "b")
        for (const token of [before, beforeToo]) yield* isRefused(token, "b")
        yield* isRefused(after, "a")
      })
    )

    it.effect("a token with one character more, less or changed is refused", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon_ms)
        const token = Redacted.value(yield* sign(session, "a"))
        const broken = [token.slice(0, -1), token.slice(1), `${token}A`, `${token}=`, ` ${token}`, `${token}.`]
        for (let i = 0; i < token.length; i++) {
          broken.push(`${token.slice(0, i)}${token[i] === "A" ? "B" : "A"}${token.slice(i + 1)}`)
        }
        for (const text of broken) yield* isRefused(Redacted.make(text), "a")
      })
    )

    it.effect("a text that is not a token fails with the same message, at any length", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon_ms)
        const texts = [
          "",
          ".",
          "..",
          "a.b.c",
          "null",
          "{}",
          "\u0000",
          "ọ.ọ.ọ",
          "x".repeat(10_000_000),
          ".".repeat(5_000)
        ]
        for (const text of texts) yield* isRefused(Redacted.make(text), "a")
      })
    )

    it.effect("a token is redacted, so that no log contains it", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon_ms)
        const token = yield* sign(session, "a")
        assert.notInclude(`${JSON.stringify(token)} ${String(token)}`, Redacted.value(token))
      })
    )
  })
}

/** Tokens of the same session differ only in expiry and key. */
const likeOthers = ({ sign, verify }: ReturnType<typeof toolsOf>): void => {
  it.effect("two tokens of one session differ, so that they cannot be linked to one end user", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon_ms)
      const tokens = yield* Effect.forEach([1, 2, 3], () => sign(session, "a"))
      assert.strictEqual(new Set(tokens.map(Redacted.value)).size, 3)
    })
  )

  it.effect("tokens have the same length for every end user, without one, and for any number of peppers", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon_ms)
      const lengths = new Set<number>()
      lengths.add(Redacted.value(yield* sign({ ...session, identifier_hashes: undefined }, "a")).length)
      for (const versions of [[1], [2, 1], [999_999, 999_998], [4, 3, 2, 1], [999_999, 999_998, 999_997, 999_996]]) {
        const [present, ...former] = versions.map((version) => `${version}:${hash}`)
        const identifier_hashes = [present as string, ...former] as const
        const token = yield* sign({ ...session, identifier_hashes }, "a")
        lengths.add(Redacted.value(token).length)
        assert.deepStrictEqual((yield* verify(token, "a")).identifier_hashes, identifier_hashes)
      }
      assert.strictEqual(lengths.size, 1)
    })
  )
}

type LayerOf = (keys: KeyNames) => Layer.Layer<SessionTokens>

/** `sign` and `verify` of a service with the given keys. */
const toolsOf = (layerOf: LayerOf) => {
  const using = <A, E>(use: (tokens: SessionTokens["Service"]) => Effect.Effect<A, E>, keys: KeyNames) =>
    Effect.provide(Effect.flatMap(SessionTokens, use), layerOf(keys))
  const verify = (token: Redacted.Redacted<string>, ...keys: KeyNames) => using((tokens) => tokens.verify(token), keys)
  return {
    sign: (session: WidgetSession, ...keys: KeyNames) => using((tokens) => tokens.sign(session), keys),
    verify,
    /** Every refusal has the same message. */
    isRefused: (token: Redacted.Redacted<string>, ...keys: KeyNames) =>
      Effect.map(failsWith(verify(token, ...keys), "InvalidToken"), (error) => {
        assert.strictEqual(error.message, invalidWidgetSession.message)
      })
  }
}

const noon_ms = Date.parse("2026-01-31T12:00:00.000Z")

const hash = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"

const session: WidgetSession = {
  key_id: "key_AbCdEfGhIjKlMnOpQrSt",
  organization_id: "org_AbCdEfGhIjKlMnOpQrSt",
  environment: "test",
  identifier_hashes: [`1:${hash}`],
  origin: "https://shop.example"
}
