/** Conformance suite of the port `AccountLinks`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { type AccountLink, defaultSignUpLimits } from "@postcode/gateway/accounts/links/AccountLink"
import { AccountLinks } from "@postcode/gateway/accounts/links/AccountLinks"
import { Effect, type Layer } from "effect"
import { unique } from "../../fixtures/Records.ts"

type It = Vitest.MethodsNonLive<AccountLinks>

/** Registers the tests of the port `AccountLinks`. */
export const accountLinksSuite = <E>(name: string, adapter: Layer.Layer<AccountLinks, E>): void =>
  layer(adapter, { excludeTestServices: true })(`AccountLinks ${name}`, (it) => {
    addUseTests(it)
    addLimitTests(it)
    addSwitchTests(it)
  })

const addUseTests = (it: It): void => {
  it.effect("a link is found by its token's hash and kind until it expires, and is used once, also concurrently", () =>
    Effect.gen(function* () {
      const links = yield* AccountLinks
      const hash = unique("hash")
      const link = newLink({ kind: "sign_up", password: "$argon2id$", accepted: "terms 2026-11-01" })
      yield* links.add(hash, link)
      assert.deepStrictEqual(yield* links.find(hash, "sign_up", noon), link)
      assert.isUndefined(yield* links.find(hash, "reset_password", noon))
      assert.isUndefined(yield* links.find(unique("hash"), "sign_up", noon))
      assert.isUndefined(yield* links.find(hash, "sign_up", link.expires_at))
      assert.isUndefined(yield* links.take(hash, "new_address", noon))
      const taken = yield* Effect.all(
        Array.from({ length: 6 }, () => links.take(hash, "sign_up", noon)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        taken.filter((one) => one !== undefined),
        [link]
      )
      assert.isUndefined(yield* links.find(hash, "sign_up", noon))
    })
  )

  it.effect("a void link is never found", () =>
    Effect.gen(function* () {
      const links = yield* AccountLinks
      const hash = unique("hash")
      yield* links.add(hash, newLink({ is_void: true }))
      assert.isUndefined(yield* links.find(hash, "reset_password", noon))
      assert.isUndefined(yield* links.take(hash, "reset_password", noon))
    })
  )

  it.effect("ending the links of an account ends those of the kind, and no others", () =>
    Effect.gen(function* () {
      const links = yield* AccountLinks
      const account_id = unique("acc")
      const hashes = [unique("hash"), unique("hash"), unique("hash"), unique("hash")]
      const [first = "", second = "", other = "", another = ""] = hashes
      yield* links.add(first, newLink({ account_id }))
      yield* links.add(second, newLink({ account_id }))
      yield* links.add(other, newLink({ account_id, kind: "former_address" }))
      yield* links.add(another, newLink())
      yield* links.end(account_id, "reset_password")
      assert.isUndefined(yield* links.take(first, "reset_password", noon))
      assert.isUndefined(yield* links.take(second, "reset_password", noon))
      assert.isDefined(yield* links.take(other, "former_address", noon))
      assert.isDefined(yield* links.take(another, "reset_password", noon))
    })
  )
}

const addLimitTests = (it: It): void => {
  const { client_per_hour, network_per_hour } = defaultSignUpLimits
  const signUps = Effect.fnUntraced(function* (number: number, originOf: (i: number) => Origin, created_at = noon) {
    const links = yield* AccountLinks
    const stored = yield* Effect.all(
      Array.from({ length: number }, (_, i) =>
        links.addSignUp(unique("hash"), newLink({ kind: "sign_up", created_at, is_void: i % 2 === 0 }), originOf(i))
      ),
      { concurrency: "unbounded" }
    )
    return stored.filter((isStored) => isStored).length
  })

  it.effect("a client's sign-ups are limited in an hour, whether void or not, also concurrent ones", () =>
    Effect.gen(function* () {
      const client_hash = unique("client")
      const originOf = () => ({ client_hash, network_hash: unique("network") })
      assert.strictEqual(yield* signUps(client_per_hour + 5, originOf), client_per_hour)
      assert.strictEqual(yield* signUps(1, originOf), 0)
      assert.strictEqual(yield* signUps(1, () => ({ ...originOf(), client_hash: unique("client") })), 1)
      assert.strictEqual(yield* signUps(1, originOf, afterAnHour), 1)
    })
  )

  it.effect("a network's sign-ups are limited in an hour, from any of its clients", () =>
    Effect.gen(function* () {
      const network_hash = unique("network")
      const originOf = () => ({ client_hash: unique("client"), network_hash })
      assert.strictEqual(yield* signUps(network_per_hour + 5, originOf), network_per_hour)
    })
  )
}

const addSwitchTests = (it: It): void => {
  it.effect("sign-ups are taken until they are stopped, and each change is reported once", () =>
    Effect.gen(function* () {
      const links = yield* AccountLinks
      assert.isFalse(yield* links.isSignUpStopped())
      assert.isFalse(yield* links.stopSignUp(false))
      assert.isTrue(yield* links.stopSignUp(true))
      assert.isFalse(yield* links.stopSignUp(true))
      assert.isTrue(yield* links.isSignUpStopped())
      assert.isTrue(yield* links.stopSignUp(false))
      assert.isFalse(yield* links.isSignUpStopped())
    })
  )
}

type Origin = { readonly client_hash: string; readonly network_hash: string }

const noon = "2026-02-01T12:00:00.000Z"
const afterAnHour = "2026-02-01T13:00:00.001Z"

const newLink = (fields: Partial<AccountLink> = {}): AccountLink => ({
  kind: "reset_password",
  email: `${unique("ada").toLowerCase()}@people.example`,
  created_at: noon,
  expires_at: "2026-02-02T12:00:00.000Z",
  is_void: false,
  ...(fields.kind !== "sign_up" && { account_id: unique("acc") }),
  ...fields
})
