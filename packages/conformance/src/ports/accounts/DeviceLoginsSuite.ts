/** Conformance suite of the port `DeviceLogins`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import type { DeviceDecision, DeviceLogin } from "@postcode/gateway/accounts/deviceLogins/DeviceLogin"
import { DeviceLogins } from "@postcode/gateway/accounts/deviceLogins/DeviceLogins"
import { Effect, type Layer } from "effect"
import { unique } from "../../fixtures/Records.ts"

type It = Vitest.MethodsNonLive<DeviceLogins>

/** Registers the tests of the port `DeviceLogins`. */
export const deviceLoginsSuite = <E>(name: string, adapter: Layer.Layer<DeviceLogins, E>): void =>
  layer(adapter, { excludeTestServices: true })(`DeviceLogins ${name}`, (it) => {
    addDecisionTests(it)
    addPollTests(it)
  })

const newLogin = (fields: Partial<DeviceLogin> = {}): DeviceLogin => ({
  device_hash: unique("device"),
  user_hash: unique("user"),
  machine: "Ẹ̀kọ́’s laptop",
  created_at: "2026-06-01T12:00:00.000Z",
  expires_at: "2026-06-01T12:10:00.000Z",
  ...fields
})

const approved: DeviceDecision = { _tag: "Approved", account_id: "acc_1", organization_id: "org_1", role: "developer" }
const soon = "2026-06-01T12:01:00.000Z"

const addDecisionTests = (it: It): void => {
  it.effect("a login is found by its user code until it is decided or expires; another one cannot have the code", () =>
    Effect.gen(function* () {
      const logins = yield* DeviceLogins
      const login = newLogin()
      assert.strictEqual(yield* logins.add(login), "added")
      assert.strictEqual(yield* logins.add(newLogin({ user_hash: login.user_hash })), "taken")
      assert.deepStrictEqual(yield* logins.find(login.user_hash, soon), login)
      assert.isUndefined(yield* logins.find(unique("user"), soon))
      assert.isUndefined(yield* logins.find(login.user_hash, login.expires_at))
      assert.isUndefined(yield* logins.decide(login.user_hash, approved, login.expires_at))
      assert.deepStrictEqual(yield* logins.decide(login.user_hash, approved, soon), login)
      assert.isUndefined(yield* logins.find(login.user_hash, soon))
      assert.isUndefined(yield* logins.decide(login.user_hash, { _tag: "Denied" }, soon))
    })
  )

  it.effect("of concurrent decisions one counts", () =>
    Effect.gen(function* () {
      const logins = yield* DeviceLogins
      const login = newLogin()
      yield* logins.add(login)
      const decided = yield* Effect.replicateEffect(logins.decide(login.user_hash, approved, soon), 6, {
        concurrency: "unbounded"
      })
      assert.strictEqual(decided.filter((one) => one !== undefined).length, 1)
    })
  )

  it.effect("the code of an expired login is free again", () =>
    Effect.gen(function* () {
      const logins = yield* DeviceLogins
      const login = newLogin()
      yield* logins.add(login)
      const later = newLogin({
        user_hash: login.user_hash,
        created_at: login.expires_at,
        expires_at: "2026-06-01T12:20:00.000Z"
      })
      assert.strictEqual(yield* logins.add(later), "added")
      assert.deepStrictEqual(yield* logins.poll(login.device_hash, login.expires_at), { _tag: "Gone" })
    })
  )
}

const addPollTests = (it: It): void => {
  it.effect("a program learns a decision once, also with concurrent requests", () =>
    Effect.gen(function* () {
      const logins = yield* DeviceLogins
      for (const decision of [approved, { _tag: "Denied" }] as const) {
        const login = newLogin()
        yield* logins.add(login)
        assert.deepStrictEqual(yield* logins.poll(login.device_hash, soon), { _tag: "Pending" })
        yield* logins.decide(login.user_hash, decision, soon)
        const polls = yield* Effect.replicateEffect(logins.poll(login.device_hash, soon), 5, {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          polls.filter(({ _tag }) => _tag !== "Gone"),
          [{ _tag: "Decided", login, decision }]
        )
      }
    })
  )

  it.effect("a program that asks within 4 s is told so, and an expired or unknown code", () =>
    Effect.gen(function* () {
      const logins = yield* DeviceLogins
      const login = newLogin()
      yield* logins.add(login)
      const poll = (second: string) =>
        Effect.map(logins.poll(login.device_hash, `2026-06-01T12:01:${second}.000Z`), ({ _tag }) => _tag)
      assert.strictEqual(yield* poll("00"), "Pending")
      assert.strictEqual(yield* poll("03"), "TooSoon")
      assert.strictEqual(yield* poll("06"), "TooSoon")
      assert.strictEqual(yield* poll("10"), "Pending")
      assert.strictEqual((yield* logins.poll(login.device_hash, login.expires_at))._tag, "Expired")
      assert.deepStrictEqual(yield* logins.poll(unique("device"), soon), { _tag: "Gone" })
    })
  )
}
