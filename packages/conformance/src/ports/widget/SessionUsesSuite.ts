/** Conformance suite of the port `SessionUses`. */
import { assert, layer } from "@effect/vitest"
import { SessionUses } from "@postcode/gateway/widget/sessions/SessionUses"
import { Effect, type Layer } from "effect"
import { unique } from "../../fixtures/Records.ts"

/** Registers the tests of the port `SessionUses`. */
export const sessionUsesSuite = <E>(name: string, adapter: Layer.Layer<SessionUses, E>): void =>
  layer(adapter, { excludeTestServices: true })(`SessionUses ${name}`, (it) => {
    it.effect("a session passes up to the limit, and never again", () =>
      Effect.gen(function* () {
        const uses = yield* SessionUses
        const session = newSession()
        for (let i = 0; i < 3; i++) assert.isTrue(yield* uses.take(session, "address", 3))
        for (let i = 0; i < 3; i++) assert.isFalse(yield* uses.take(session, "address", 3))
        assert.isTrue(yield* uses.take(session, "address", 4), "what was refused does not count")
      })
    )

    it.effect("sessions are counted separately", () =>
      Effect.gen(function* () {
        const uses = yield* SessionUses
        const [first, second] = [newSession(), newSession()]
        assert.isTrue(yield* uses.take(first, "address", 1))
        assert.isTrue(yield* uses.take(second, "address", 1))
        assert.isFalse(yield* uses.take(first, "address", 1))
      })
    )

    it.effect("kinds of calls are counted separately", () =>
      Effect.gen(function* () {
        const uses = yield* SessionUses
        const session = newSession()
        for (const use of ["address", "unit", "lookup", "bookmark"] as const) {
          assert.isTrue(yield* uses.take(session, use, 1))
          assert.isFalse(yield* uses.take(session, use, 1))
        }
      })
    )

    it.effect("concurrent queries do not exceed the limit", () =>
      Effect.gen(function* () {
        const uses = yield* SessionUses
        const session = newSession()
        const takes = Array.from({ length: 30 }, () => uses.take(session, "address", 20))
        const taken = yield* Effect.all(takes, { concurrency: "unbounded" })
        assert.strictEqual(taken.filter(Boolean).length, 20)
      })
    )
  })

const newSession = () => ({ id: unique("session"), organization_id: unique("org") })
