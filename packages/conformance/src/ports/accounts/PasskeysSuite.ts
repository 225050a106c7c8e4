/** Conformance suite of the port `Passkeys`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { Accounts } from "@postcode/gateway/accounts/Accounts"
import { maxPasskeys, type Passkey } from "@postcode/gateway/accounts/passkeys/Passkey"
import { Passkeys } from "@postcode/gateway/accounts/passkeys/Passkeys"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect, type Layer } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { nextTimestamp, unique } from "../../fixtures/Records.ts"
import { member } from "./AccountsSuite.ts"

type Ports = Accounts | Organizations | Passkeys

/** Registers the tests of the port `Passkeys`. */
export const passkeysSuite = <E>(name: string, adapter: Layer.Layer<Ports, E>): void =>
  layer(adapter, { excludeTestServices: true })(`Passkeys ${name}`, (it) => {
    addChallengeTests(it)
    addPasskeyTests(it)
  })

const addChallengeTests = (it: Vitest.MethodsNonLive<Ports>): void => {
  it.effect("a challenge is used once, also with concurrent attempts, and not after it expired", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      for (const account_id of [unique("acc"), undefined]) {
        const hash = unique("hash")
        const challenge = { account_id, expires_at }
        yield* passkeys.keepChallenge(hash, challenge)
        const taken = yield* Effect.replicateEffect(passkeys.takeChallenge(hash, before), 8, {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          taken.filter((it) => it !== undefined),
          [challenge]
        )
      }
      const late = unique("hash")
      yield* passkeys.keepChallenge(late, { account_id: undefined, expires_at })
      assert.isUndefined(yield* passkeys.takeChallenge(late, expires_at))
      assert.isUndefined(yield* passkeys.takeChallenge(unique("hash"), before))
    })
  )
}

const addPasskeyTests = (it: Vitest.MethodsNonLive<Ports>): void => {
  it.effect("a passkey is found by its credential, with its account's current state, and listed newest first", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const accounts = yield* Accounts
      const { account } = yield* member("owner")
      const [first, second] = [newPasskey(account.id), newPasskey(account.id)]
      yield* passkeys.add(first)
      yield* passkeys.add(second)
      yield* accounts.change(account.id, { password: "other", ends_sessions: true })
      const credentials = yield* accounts.find(account.id)
      assert.deepStrictEqual(yield* passkeys.find(first.credential_id), { passkey: first, credentials })
      assert.deepStrictEqual(yield* passkeys.list(account.id), [second, first])
      assert.isUndefined(yield* passkeys.find(unique("credential")))
      assert.deepStrictEqual(yield* passkeys.list(unique("acc")), [])
    })
  )

  it.effect("a credential belongs to one account, and an account has at most the maximum", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const { account } = yield* member("owner")
      const first = newPasskey(account.id)
      yield* passkeys.add(first)
      const { account: other } = yield* member("owner")
      yield* failsWith(passkeys.add(newPasskey(other.id, { credential_id: first.credential_id })), "Conflict")
      yield* failsWith(passkeys.add(newPasskey(unique("acc"))), "NotFound")
      const more = Array.from({ length: maxPasskeys + 5 }, () => newPasskey(account.id))
      yield* Effect.forEach(more, (passkey) => Effect.exit(passkeys.add(passkey)), { concurrency: "unbounded" })
      assert.lengthOf(yield* passkeys.list(account.id), maxPasskeys)
    })
  )

  it.effect("a use is valid if the counter rises or the device has none; of two equal uses one is valid", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const { account } = yield* member("owner")
      const [counting, silent] = [newPasskey(account.id, { counter: 3 }), newPasskey(account.id)]
      yield* passkeys.add(counting)
      yield* passkeys.add(silent)
      const last_used_at = nextTimestamp()
      for (const counter of [0, 2, 3]) assert.isFalse(yield* passkeys.use(counting.id, counter, last_used_at))
      assert.deepStrictEqual((yield* passkeys.find(counting.credential_id))?.passkey, counting)
      const uses = yield* Effect.replicateEffect(passkeys.use(counting.id, 4, last_used_at), 6, {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(uses.toSorted(), [false, false, false, false, false, true])
      const used = { ...counting, counter: 4, last_used_at }
      assert.deepStrictEqual((yield* passkeys.find(counting.credential_id))?.passkey, used)
      assert.isTrue(yield* passkeys.use(silent.id, 0, last_used_at))
      assert.isTrue(yield* passkeys.use(silent.id, 0, last_used_at))
      assert.isTrue(yield* passkeys.use(silent.id, 4_294_967_295, last_used_at))
      assert.isFalse(yield* passkeys.use(silent.id, 0, last_used_at))
      assert.isFalse(yield* passkeys.use(unique("psk"), 1, last_used_at))
    })
  )

  it.effect("a passkey is removed only by its own account, and together with the account", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const [{ account }, { account: other, organization_id }] = [yield* member("owner"), yield* member("owner")]
      const [mine, theirs] = [newPasskey(account.id), newPasskey(other.id)]
      yield* passkeys.add(mine)
      yield* passkeys.add(theirs)
      yield* failsWith(passkeys.remove(other.id, mine.id), "NotFound")
      yield* passkeys.remove(account.id, mine.id)
      yield* failsWith(passkeys.remove(account.id, mine.id), "NotFound")
      assert.isUndefined(yield* passkeys.find(mine.credential_id))
      yield* member("owner", organization_id)
      yield* (yield* Accounts).remove(other.id)
      assert.isUndefined(yield* passkeys.find(theirs.credential_id))
    })
  )
}

const before = "2026-02-01T12:04:59.999Z"
const expires_at = "2026-02-01T12:05:00.000Z"

const newPasskey = (account_id: string, fields: Partial<Passkey> = {}): Passkey => ({
  id: unique("psk"),
  account_id,
  name: "Phone",
  credential_id: unique("credential"),
  public_key: unique("key"),
  counter: 0,
  created_at: nextTimestamp(),
  ...fields
})
