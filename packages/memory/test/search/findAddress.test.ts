import { assert, describe, it } from "@effect/vitest"
import { failsWith } from "@postcode/conformance"
import { type AddressAnswer, searchAddress } from "@postcode/core/AddressSearch"
import { type Charge, GrantLowered } from "@postcode/core/Credits"
import { Directory } from "@postcode/core/Directory"
import { LiveDirectory } from "@postcode/core/LiveDirectory"
import { defaultPriceList } from "@postcode/core/Prices"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { Prices } from "@postcode/gateway/credits/Prices"
import { Unavailable } from "@postcode/gateway/Errors"
import type { Principal } from "@postcode/gateway/keys/ApiKey"
import { type AddressRequest, findAddress, findAddressInSession } from "@postcode/gateway/search/findAddress"
import { SessionUses } from "@postcode/gateway/widget/sessions/SessionUses"
import { Effect, Layer } from "effect"
import { codes, directory } from "../directory/SmallDirectory.ts"
import { customer, ports } from "../Store.ts"

const text = "4 Ogunnusi Road, Ojodu, Ikeja"
const places = new Directory({ ...directory.contents, addresses: undefined })

const find = Effect.fnUntraced(function* (principal?: Principal, fields: Partial<AddressRequest> = {}) {
  const request = { directory, text, limit: 5, principal, request_id: "req-1", idempotency_key: undefined, ...fields }
  return yield* (yield* findAddress)(request)
})

const withCharge = (charge: (charge: Charge) => ReturnType<CreditLedger["Service"]["charge"]>) =>
  Layer.mock(CreditLedger, { charge })

describe("findAddress", () => {
  it.effect("answers at any depth for the price of an address search, which is charged last", () =>
    Effect.gen(function* () {
      const { balance, principal } = yield* customer()
      const prices = { ...defaultPriceList, address_search: 7 }
      const { answer, receipt } = yield* Effect.provideService(find(yield* principal), Prices, prices)
      assert.deepInclude(answer, { code: codes.whole, precision: "unit" })
      assert.deepStrictEqual(receipt, { charged: 7, balance: 93 })
      assert.strictEqual(yield* balance, 93)
    }).pipe(Effect.provide(ports))
  )

  it.effect("without a key and below level 2 the ledger is not used", () =>
    Effect.gen(function* () {
      const { principal } = yield* customer({ key: { max_level: 1 } })
      for (const caller of [undefined, yield* principal]) {
        const found = yield* Effect.provide(find(caller), Layer.mock(CreditLedger, {}))
        assert.deepStrictEqual(found, { answer: searchAddress(places, text, { finest: "lga" }), receipt: undefined })
      }
    }).pipe(Effect.provide(ports))
  )

  it.effect("a grant that is lowered before the charge limits the result to states and LGAs, without a charge", () =>
    Effect.gen(function* () {
      const charged: Array<Charge> = []
      const ledger = withCharge((charge) => {
        charged.push(charge)
        return charge.level === undefined
          ? Effect.succeed({ charged: charge.amount, balance: 9 })
          : Effect.fail(new GrantLowered({ granted_level: 1 }))
      })
      const { principal } = yield* customer()
      for (const [idempotency_key, attempts] of [
        [undefined, [[1, 2]]],
        [
          "one",
          [
            [1, 2],
            [0, undefined]
          ]
        ]
      ] as const) {
        charged.length = 0
        const { answer } = yield* Effect.provide(find(yield* principal, { idempotency_key }), ledger)
        assert.deepStrictEqual(answer, searchAddress(places, text, { finest: "lga" }))
        assert.deepStrictEqual(
          charged.map(({ amount, level }) => [amount, level]),
          attempts.map((attempt) => [...attempt])
        )
      }
    }).pipe(Effect.provide(ports))
  )

  it.effect("fails if the ledger is unavailable", () =>
    Effect.gen(function* () {
      const { principal } = yield* customer()
      const unavailable = withCharge(() => Effect.fail(new Unavailable({ retry_after_s: 1 })))
      yield* failsWith(Effect.provide(find(yield* principal), unavailable), "Unavailable")
    }).pipe(Effect.provide(ports))
  )

  it.effect("the ledger gets the text as a keyed hash, only with an idempotency key", () =>
    Effect.gen(function* () {
      const seen: Array<Charge> = []
      const ledger = withCharge((charge) =>
        Effect.sync(() => seen.push(charge)).pipe(Effect.as({ charged: 1, balance: 0 }))
      )
      const { principal } = yield* customer()
      for (const idempotency_key of [undefined, "ogunnusi"]) {
        yield* Effect.provide(find(yield* principal, { idempotency_key }), ledger)
      }
      assert.notMatch(JSON.stringify(seen), /ogunnusi|ojodu/i)
      assert.notProperty(seen[0], "idempotency")
      assert.match(seen[1]?.idempotency?.fingerprint ?? "", /^1:[0-9a-f]{64}$/)
    }).pipe(Effect.provide(ports))
  )

  it.effect("a unit that is retired later is not found, at any depth that only it has", () =>
    Effect.gen(function* () {
      const { principal } = yield* customer()
      const live = new LiveDirectory(directory)
      const codesOf = ({ candidates, code }: AddressAnswer) => [code, ...candidates.map((one) => one.code)]
      const ask = Effect.flatMap(principal, (caller) => find(caller, { directory: live.current }))
      assert.include(codesOf((yield* ask).answer), codes.whole)
      live.apply([{ change: "retire", postcode: codes.whole }])
      assert.notInclude(codesOf((yield* ask).answer), codes.whole)
    }).pipe(Effect.provide(ports))
  )
})

describe("findAddressInSession", () => {
  it.effect("a query is counted before its search, and one above the limit is not searched", () =>
    Effect.gen(function* () {
      const { key, organization, principal } = yield* customer({ key: { kind: "publishable" } })
      const session = {
        id: "session",
        key_id: key.id,
        organization_id: organization.id,
        environment: "test",
        identifier_hashes: undefined,
        origin: undefined,
        principal: yield* principal
      } as const
      const search = yield* findAddressInSession
      const uses = yield* SessionUses
      for (let i = 0; i < 59; i++) yield* uses.take(session, "address", 60)
      assert.strictEqual((yield* search(session, { directory, text, limit: 1 })).code, codes.whole)
      const error = yield* failsWith(search(session, { directory, text, limit: 1 }), "SessionLimitReached")
      assert.include(error.message, "60 address queries")
    }).pipe(Effect.provide(ports))
  )
})
