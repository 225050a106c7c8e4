import { assert, describe, it } from "@effect/vitest"
import { failsWith } from "@postcode/conformance"
import { Passwords } from "@postcode/gateway/accounts/Passwords"
import { Effect, Fiber, Redacted } from "effect"
import { layerNodePasswords } from "../../src/secrets/Passwords.ts"

const quick = layerNodePasswords({ memory_kib: 8 })
const password = Redacted.make("harmattan over kano")

describe("NodePasswords", () => {
  it.effect("a hash is a PHC string of Argon2id with the parameters of OWASP, and verifies that password alone", () =>
    Effect.gen(function* () {
      const { hash, verify } = yield* Passwords
      const hashed = yield* hash(password)
      assert.match(hashed, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
      assert.isTrue(yield* verify(password, hashed))
      for (const other of ["Harmattan over kano", "harmattan over kan", ""]) {
        assert.isFalse(yield* verify(Redacted.make(other), hashed))
      }
    }).pipe(Effect.provide(layerNodePasswords()))
  )

  it.effect("each hash has a salt of its own", () =>
    Effect.gen(function* () {
      const { hash } = yield* Passwords
      const hashes = yield* Effect.replicateEffect(hash(password), 5)
      assert.strictEqual(new Set(hashes).size, 5)
    }).pipe(Effect.provide(quick))
  )

  it.effect("a stored hash names its own parameters, so these can change", () =>
    Effect.gen(function* () {
      const { verify } = yield* Passwords
      const stored = yield* Effect.provide(
        Effect.flatMap(Passwords, ({ hash }) => hash(password)),
        layerNodePasswords({ memory_kib: 64 })
      )
      assert.include(stored, "m=64,")
      assert.isTrue(yield* verify(password, stored))
    }).pipe(Effect.provide(quick))
  )

  it.effect("equal letters are equal, in any Unicode form", () =>
    Effect.gen(function* () {
      const { hash, verify } = yield* Passwords
      const hashed = yield* hash(Redacted.make("\u1ecc\u0300j\u1ecd\u0301 p\u1eb9\u0300l\u1eb9\u0301"))
      assert.isTrue(yield* verify(Redacted.make("O\u0323\u0300jo\u0323\u0301 pe\u0323\u0300le\u0323\u0301"), hashed))
    }).pipe(Effect.provide(quick))
  )

  it.effect("without a stored hash no password is right, not even that of the dummy hash", () =>
    Effect.gen(function* () {
      const { verify } = yield* Passwords
      for (const text of ["", "harmattan over kano"]) assert.isFalse(yield* verify(Redacted.make(text), undefined))
    }).pipe(Effect.provide(quick))
  )

  it.live("of a flood a few run at the same time, some wait, and others are refused; afterwards all are served", () =>
    Effect.gen(function* () {
      const { hash } = yield* Passwords
      const outcomeOf = Effect.match(hash(password), { onSuccess: () => "hashed", onFailure: ({ _tag }) => _tag })
      const outcomes = yield* Effect.replicateEffect(outcomeOf, 50, { concurrency: "unbounded" })
      assert.strictEqual(outcomes.filter((outcome) => outcome === "hashed").length, 5)
      assert.strictEqual(outcomes.filter((outcome) => outcome === "Unavailable").length, 45)
      yield* hash(password)
    }).pipe(Effect.provide(layerNodePasswords({ memory_kib: 8, maxRunning: 2, maxWaiting: 3 })))
  )

  it.live("a cancelled check releases its slot", () =>
    Effect.gen(function* () {
      const { hash } = yield* Passwords
      const waiting = yield* Effect.forkChild(Effect.replicateEffect(hash(password), 2, { concurrency: "unbounded" }), {
        startImmediately: true
      })
      yield* failsWith(hash(password), "Unavailable")
      yield* Fiber.interrupt(waiting)
      yield* hash(password)
    }).pipe(Effect.provide(layerNodePasswords({ memory_kib: 4_096, maxRunning: 1, maxWaiting: 1 })))
  )

  it.live("a check does not block the event loop", () =>
    Effect.gen(function* () {
      const { hash } = yield* Passwords
      let turns = 0
      const timer = setInterval(() => turns++, 1)
      yield* Effect.replicateEffect(hash(password), 4, { concurrency: "unbounded" })
      clearInterval(timer)
      assert.isAbove(turns, 3)
    }).pipe(Effect.provide(layerNodePasswords()))
  )
})
