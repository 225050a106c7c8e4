import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { failsWith, nextTimestamp, unique } from "@postcode/conformance"
import { type AccessLevel, accessLevels } from "@postcode/core/AccessLevel"
import { type Charge, GrantLowered } from "@postcode/core/Credits"
import type { Postcode } from "@postcode/core/Postcode"
import { defaultPriceList } from "@postcode/core/Prices"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { Prices } from "@postcode/gateway/credits/Prices"
import { Units } from "@postcode/gateway/directory/Units"
import { type InsufficientCredits, Unavailable } from "@postcode/gateway/Errors"
import type { Principal } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { type LookupRequest, lookup } from "@postcode/gateway/lookup/lookup"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect, Layer } from "effect"
import { codes, directory, origin } from "./directory/SmallDirectory.ts"
import { customer, ports } from "./Store.ts"

const paidLevels = accessLevels.filter((level) => level > 1)

/** A lookup of one code, or several in a batch. */
const look = Effect.fnUntraced(function* (
  code: Postcode | ReadonlyArray<Postcode>,
  level: AccessLevel,
  principal?: Principal,
  fields: Partial<LookupRequest> = {}
) {
  return yield* (yield* lookup)({
    directory,
    codes: typeof code === "string" ? [code] : code,
    level,
    principal,
    request_id: unique("req"),
    idempotency_key: undefined,
    reason: typeof code === "string" ? "lookup" : "lookup_batch",
    ...fields
  })
})

const entriesOf = Effect.fnUntraced(function* (organization_id: string) {
  const account = { organization_id, environment: "test" } as const
  const { entries } = yield* (yield* CreditLedger).statement(account, { limit: 100, cursor: undefined })
  return entries.items.filter(({ reason }) => reason !== "opening")
})

describe("lookup at level 1", () => {
  it.effect("shows without a key only whether a unit is active", () =>
    Effect.gen(function* () {
      for (const result of [
        { postcode: codes.whole, valid: true, status: "valid" },
        { postcode: codes.bare, valid: true, status: "valid" },
        { postcode: codes.retired, valid: false, status: "retired", replaced_by: codes.whole },
        { postcode: codes.unknown, valid: false, status: "not_found" }
      ] as const) {
        assert.deepStrictEqual(yield* look(result.postcode, 1), {
          results: [result],
          level: 1,
          receipt: undefined
        })
      }
    }).pipe(Effect.provide(ports))
  )

  it.effect("is free with any key and any balance", () =>
    Effect.gen(function* () {
      const { balance, principal } = yield* customer({ key: { scopes: ["search"], max_level: 1 } }, 0)
      const answer = yield* look(codes.whole, 1, yield* principal)
      assert.deepStrictEqual(answer, {
        results: [{ postcode: codes.whole, valid: true, status: "valid" }],
        level: 1,
        receipt: undefined
      })
      assert.strictEqual(yield* balance, 0)
    }).pipe(Effect.provide(ports))
  )
})

describe("lookup: what a level shows", () => {
  const rows = readFileSync(new URL("../../../vectors/levels.csv", import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
  const shown = rows.slice(1).map((row) => row.split(","))

  it.effect.each(accessLevels)("level %i shows the attributes of the vectors for a unit with all attributes", (level) =>
    Effect.gen(function* () {
      const { principal } = yield* customer()
      const answer = yield* look(codes.whole, level, yield* principal)
      const expected = shown.flatMap(([at, attribute, is]) => (at === `${level}` && is === "true" ? [attribute] : []))
      assert.sameMembers(Object.keys(answer.results[0] ?? {}), ["postcode", ...(expected as Array<string>)])
      assert.strictEqual(answer.level, level)
    }).pipe(Effect.provide(ports))
  )

  it.effect("level 5 shows all attributes, and the point as named coordinates", () =>
    Effect.gen(function* () {
      const { principal } = yield* customer()
      const { results } = yield* look(codes.whole, 5, yield* principal)
      assert.deepStrictEqual(results, [
        {
          postcode: codes.whole,
          valid: true,
          status: "valid",
          administrative_address: {
            state_name: "Lagos",
            lga_name: "Ikeja",
            locality_name: "Ọjọ́dù",
            zone: "South West"
          },
          recent_house_address: { recent: "4 Ògúnnúsì Road, “Flat 2”" },
          building_use_status: "residential",
          other_building_info: { type: "duplex", owner: "private", delivery_point: true },
          point_geometry: origin
        }
      ])
    }).pipe(Effect.provide(ports))
  )

  it.effect("each unit of a batch has its own point", () =>
    Effect.gen(function* () {
      const { principal } = yield* customer()
      const { results } = yield* look([codes.unnamedState, codes.whole], 5, yield* principal)
      assert.deepStrictEqual(
        results.map(({ point_geometry }) => point_geometry),
        [{ lat: 12, lon: 8.5 }, origin]
      )
    }).pipe(Effect.provide(ports))
  )

  it.effect("the objects of a level are always present, without unknown attributes", () =>
    Effect.gen(function* () {
      const { principal } = yield* customer()
      const { results } = yield* look(
        [codes.partly, codes.bare, codes.unnamedLga, codes.unnamedState],
        4,
        yield* principal
      )
      assert.deepStrictEqual(results, [
        {
          postcode: codes.partly,
          valid: true,
          status: "valid",
          administrative_address: {
            state_name: "Lagos",
            lga_name: "Ikeja",
            locality_name: "Ikeja GRA",
            zone: "South West"
          },
          recent_house_address: {},
          other_building_info: { type: "duplex", delivery_point: false }
        },
        {
          postcode: codes.bare,
          valid: true,
          status: "valid",
          administrative_address: { state_name: "Lagos", lga_name: "Ikeja", zone: "South West" },
          recent_house_address: {},
          other_building_info: {}
        },
        {
          postcode: codes.unnamedLga,
          valid: true,
          status: "valid",
          administrative_address: { state_name: "Lagos", zone: "South West" },
          recent_house_address: { recent: "1 Creek Lane" },
          other_building_info: {}
        },
        {
          postcode: codes.unnamedState,
          valid: true,
          status: "valid",
          administrative_address: {},
          recent_house_address: {},
          other_building_info: {}
        }
      ])
    }).pipe(Effect.provide(ports))
  )

  it.effect.each(accessLevels)("an unknown or retired unit shows only its status and successor, at level %i", (level) =>
    Effect.gen(function* () {
      const { balance, principal } = yield* customer()
      for (const status of [
        { postcode: codes.unknown, valid: false, status: "not_found" },
        { postcode: codes.retired, valid: false, status: "retired", replaced_by: codes.whole }
      ] as const) {
        const { receipt, results } = yield* look(status.postcode, level, yield* principal)
        assert.deepStrictEqual(results, [status])
        if (level > 1) assert.deepStrictEqual(receipt, { charged: 0, balance: 100 })
      }
      assert.strictEqual(yield* balance, 100)
    }).pipe(Effect.provide(ports))
  )
})

describe("lookup: permissions", () => {
  it.effect.each(paidLevels)("level %i needs a key", (level) =>
    Effect.gen(function* () {
      yield* failsWith(look(codes.whole, level), "AuthRequired")
    }).pipe(Effect.provide(ports))
  )

  it.effect("a key without the scope `lookup` is refused before its level is checked", () =>
    Effect.gen(function* () {
      const { balance, principal } = yield* customer({ key: { scopes: ["search"], max_level: 1 } })
      for (const level of paidLevels) {
        yield* failsWith(look(codes.whole, level, yield* principal), "InsufficientScope")
      }
      assert.strictEqual(yield* balance, 100)
    }).pipe(Effect.provide(ports))
  )

  it.effect("a level above the key's maximum is refused and not charged, even if the grant is higher", () =>
    Effect.gen(function* () {
      const { balance, principal } = yield* customer({ key: { max_level: 3 } })
      for (const level of [4, 5] as const) {
        yield* failsWith(look(codes.whole, level, yield* principal), "LevelNotGranted")
      }
      assert.strictEqual((yield* look(codes.whole, 3, yield* principal)).level, 3)
      assert.strictEqual(yield* balance, 98)
    }).pipe(Effect.provide(ports))
  )

  it.effect("a level above the organization's grant is capped at it, and charged for the level served", () =>
    Effect.gen(function* () {
      const { balance, organization, principal } = yield* customer()
      for (const [granted_level, charged] of [
        [4, 3],
        [3, 2],
        [2, 1],
        [1, 0]
      ] as const) {
        yield* (yield* Organizations).update(organization.id, { granted_level })
        const before = yield* balance
        const answer = yield* look(codes.whole, 5, yield* principal)
        const asAsked = yield* look(codes.whole, granted_level, yield* principal)
        assert.strictEqual(answer.level, granted_level)
        assert.deepStrictEqual(
          answer.results,
          asAsked.results.map((result) => ({ ...result, limited_to: granted_level }))
        )
        assert.deepStrictEqual(answer.receipt, { charged, balance: before - charged })
      }
    }).pipe(Effect.provide(ports))
  )

  it.effect("a grant that is lowered after the key was found limits what is served and charged", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      for (const granted_level of [4, 3, 2, 1] as const) {
        const { balance, organization, principal } = yield* customer()
        const found = yield* principal
        yield* organizations.update(organization.id, { granted_level })
        const answer = yield* look(codes.whole, 5, found)
        const capped = yield* look(codes.whole, 5, yield* principal)
        assert.deepStrictEqual(answer.results, capped.results)
        assert.strictEqual(answer.level, granted_level)
        const price = granted_level === 1 ? 0 : defaultPriceList.lookup[granted_level]
        assert.deepStrictEqual(answer.receipt, { charged: price, balance: 100 - price })
        assert.strictEqual(yield* balance, 100 - 2 * price)
      }
    }).pipe(Effect.provide(ports))
  )

  it.effect("a grant that is lowered repeatedly during the charge limits what is served", () => {
    const asked: Array<AccessLevel | undefined> = []
    const sinking = Layer.effect(
      CreditLedger,
      Effect.map(CreditLedger, (ledger) => ({
        ...ledger,
        charge: (charge: Charge) => {
          asked.push(charge.level)
          const level = charge.level ?? 1
          return level > 1
            ? Effect.fail(new GrantLowered({ granted_level: (level - 1) as AccessLevel }))
            : ledger.charge(charge)
        }
      }))
    )
    return Effect.gen(function* () {
      const { principal } = yield* customer({}, 0)
      const answer = yield* look(codes.whole, 5, yield* principal)
      assert.deepStrictEqual(answer, {
        results: [{ postcode: codes.whole, valid: true, status: "valid", limited_to: 1 }],
        level: 1,
        receipt: { charged: 0, balance: 0 }
      })
      assert.deepStrictEqual(asked, [5, 4, 3, 2, 1])
    }).pipe(Effect.provide(Layer.provideMerge(sinking, ports)))
  })

  it.effect("a key that is revoked after it was found is not charged", () =>
    Effect.gen(function* () {
      const { balance, key, principal } = yield* customer()
      const found = yield* principal
      yield* (yield* ApiKeys).revoke(key.id, nextTimestamp())
      yield* failsWith(look(codes.whole, 2, found), "InvalidApiKey")
      yield* failsWith(look(codes.unknown, 2, found), "InvalidApiKey")
      assert.strictEqual(yield* balance, 100)
    }).pipe(Effect.provide(ports))
  )
})

describe("lookup: what it costs", () => {
  it.effect.each(accessLevels)("level %i costs what the price list says", (level) =>
    Effect.gen(function* () {
      const { balance, principal } = yield* customer()
      const price = { 1: 0, 2: 1, 3: 2, 4: 3, 5: 3 }[level]
      const { receipt } = yield* look(codes.whole, level, yield* principal)
      assert.deepStrictEqual(receipt, level === 1 ? undefined : { charged: price, balance: 100 - price })
      assert.strictEqual(yield* balance, 100 - price)
    }).pipe(Effect.provide(ports))
  )

  it.effect("costs the price of the highest level with a known attribute, and is served at the requested level", () =>
    Effect.gen(function* () {
      const { balance, principal } = yield* customer()
      for (const [code, ...prices] of [
        [codes.whole, 1, 2, 3, 3],
        [codes.far, 1, 2, 2, 3],
        [codes.partly, 1, 1, 3, 3],
        [codes.bare, 1, 1, 1, 3],
        [codes.unnamedLga, 1, 1, 1, 3],
        [codes.unnamedState, 0, 0, 0, 3]
      ] as const) {
        for (const [i, level] of paidLevels.entries()) {
          const before = yield* balance
          const answer = yield* look(code, level, yield* principal)
          const charged = prices[i] as number
          assert.deepStrictEqual(answer.receipt, { charged, balance: before - charged }, `${code} at ${level}`)
          assert.strictEqual(answer.level, level)
        }
      }
    }).pipe(Effect.provide(ports))
  )

  it.effect("a unit without attributes is served with a balance of 0", () =>
    Effect.gen(function* () {
      const { organization, principal } = yield* customer({}, 0)
      for (const level of [2, 3, 4] as const) {
        const { receipt, results } = yield* look(codes.unnamedState, level, yield* principal)
        assert.isTrue(results[0]?.valid)
        assert.deepStrictEqual(receipt, { charged: 0, balance: 0 })
      }
      assert.deepStrictEqual(yield* entriesOf(organization.id), [])
    }).pipe(Effect.provide(ports))
  )

  it.effect("the ledger entry has the served level, even if fewer attributes are known", () =>
    Effect.gen(function* () {
      const { organization, principal } = yield* customer()
      yield* look(codes.bare, 4, yield* principal)
      assert.deepInclude((yield* entriesOf(organization.id))[0], { amount: -1, level: 4 })
    }).pipe(Effect.provide(ports))
  )

  it.effect("prices can be set", () => {
    const lookupPrices = { 2: 7, 3: 7, 4: 7, 5: 50 }
    return Effect.gen(function* () {
      const { principal } = yield* customer()
      assert.strictEqual((yield* look(codes.whole, 2, yield* principal)).receipt?.balance, 93)
      assert.strictEqual((yield* look(codes.whole, 5, yield* principal)).receipt?.balance, 43)
    }).pipe(Effect.provide(Layer.merge(ports, Layer.succeed(Prices, { ...defaultPriceList, lookup: lookupPrices }))))
  })

  it.effect("the charge is one entry that names the request", () =>
    Effect.gen(function* () {
      const { organization, principal } = yield* customer()
      yield* look(codes.whole, 3, yield* principal, { request_id: "req-1" })
      const entries = yield* entriesOf(organization.id)
      assert.strictEqual(entries.length, 1)
      assert.deepInclude(entries[0], { amount: -2, reason: "lookup", reference: "req-1", balance_after: 98 })
    }).pipe(Effect.provide(ports))
  )

  it.effect("a balance below the price returns and charges nothing", () =>
    Effect.gen(function* () {
      const { balance, principal } = yield* customer({}, 3)
      yield* look(codes.whole, 3, yield* principal)
      const error = yield* failsWith(look(codes.whole, 3, yield* principal), "InsufficientCredits")
      assert.deepInclude(error as InsufficientCredits, { required: 2, balance: 1 })
      assert.strictEqual(yield* balance, 1)
      yield* look(codes.whole, 2, yield* principal)
      assert.strictEqual(yield* balance, 0)
      yield* look(codes.unknown, 2, yield* principal)
      yield* failsWith(look(codes.whole, 5, yield* principal), "InsufficientCredits")
    }).pipe(Effect.provide(ports))
  )

  it.effect("a test key is charged to the test balance, and a live key to the live balance", () =>
    Effect.gen(function* () {
      const live = yield* customer({ key: { environment: "live" } }, 5)
      const { receipt } = yield* look(codes.whole, 2, yield* live.principal)
      assert.deepStrictEqual(receipt, { charged: 1, balance: 4 })
      assert.deepStrictEqual(yield* entriesOf(live.organization.id), [])
    }).pipe(Effect.provide(ports))
  )

  it.effect(
    "a live key of an organization that is not verified is refused from level 2 on, and anonymous at level 1",
    () =>
      Effect.gen(function* () {
        const live = yield* customer({ key: { environment: "live" }, organization: { kyb_status: "pending" } }, 5)
        yield* failsWith(look(codes.whole, 2, yield* live.principal), "KybRequired")
        const { receipt } = yield* look(codes.whole, 1, yield* live.principal, { idempotency_key: "one" })
        assert.isUndefined(receipt)
      }).pipe(Effect.provide(ports))
  )

  it.effect("nothing is charged if the attributes cannot be read", () => {
    const failing = Layer.succeed(Units, { attributes: () => Effect.fail(new Unavailable({ retry_after_s: 1 })) })
    return Effect.gen(function* () {
      const { balance, organization, principal } = yield* customer()
      for (const level of paidLevels) {
        const idempotency_key = `key ${level}`
        yield* failsWith(look(codes.whole, level, yield* principal, { idempotency_key }), "Unavailable")
      }
      yield* failsWith(look([codes.unknown, codes.whole], 2, yield* principal), "Unavailable")
      assert.strictEqual(yield* balance, 100)
      assert.deepStrictEqual(yield* entriesOf(organization.id), [])
      assert.isTrue((yield* look(codes.whole, 1, yield* principal)).results[0]?.valid)
      assert.isFalse((yield* look(codes.unknown, 4, yield* principal)).results[0]?.valid)
    }).pipe(Effect.provide(Layer.merge(ports, failing)))
  })
})

describe("lookup under an idempotency key", () => {
  const under = { idempotency_key: "order 4711" }

  it.effect("a repeated request is answered again and not charged again", () =>
    Effect.gen(function* () {
      const { organization, principal } = yield* customer()
      const first = yield* look(codes.whole, 4, yield* principal, under)
      const again = yield* look(codes.whole, 4, yield* principal, under)
      assert.deepStrictEqual(first.receipt, { charged: 3, balance: 97 })
      assert.deepStrictEqual(again, { ...first, receipt: { charged: 0, balance: 97 } })
      assert.strictEqual((yield* entriesOf(organization.id)).length, 1)
    }).pipe(Effect.provide(ports))
  )

  it.effect("another code, another level, another number of codes, or a batch of the same is another request", () =>
    Effect.gen(function* () {
      const { balance, principal } = yield* customer()
      yield* look(codes.whole, 3, yield* principal, under)
      for (const [code, level] of [
        [codes.partly, 3],
        [codes.unknown, 3],
        [codes.whole, 2],
        [codes.whole, 1],
        [[codes.whole], 3],
        [[codes.whole, codes.whole], 3]
      ] as const) {
        yield* failsWith(look(code, level, yield* principal, under), "IdempotencyKeyReused")
      }
      assert.strictEqual(yield* balance, 98)
    }).pipe(Effect.provide(ports))
  )

  it.effect("a batch is another request with another code or another order", () =>
    Effect.gen(function* () {
      const { principal } = yield* customer()
      yield* look([codes.whole, codes.far], 2, yield* principal, under)
      for (const batch of [[codes.whole, codes.partly], [codes.far, codes.whole], [codes.whole]]) {
        yield* failsWith(look(batch, 2, yield* principal, under), "IdempotencyKeyReused")
      }
      assert.strictEqual((yield* look([codes.whole, codes.far], 2, yield* principal, under)).receipt?.charged, 0)
    }).pipe(Effect.provide(ports))
  )

  it.effect("malformed codes of a batch and their places are part of the request", () =>
    Effect.gen(function* () {
      const { balance, principal } = yield* customer()
      const batch = (asked: ReadonlyArray<string>) =>
        Effect.flatMap(principal, (found) => look([codes.whole], 2, found, { ...under, asked }))
      yield* batch([codes.whole, "x", "y z"])
      const others = [
        [codes.whole],
        [codes.whole, "x"],
        [codes.whole, "y z", "x"],
        [codes.whole, "x", "y", "z"],
        [codes.whole, "x y", "z"],
        ["x", codes.whole, "y z"],
        [codes.whole, "X", "y z"],
        [codes.whole, 'x","y z']
      ]
      for (const other of others) yield* failsWith(batch(other), "IdempotencyKeyReused")
      assert.deepStrictEqual((yield* batch([codes.whole, "x", "y z"])).receipt, { charged: 0, balance: 99 })
      assert.strictEqual(yield* balance, 99)
    }).pipe(Effect.provide(ports))
  )

  it.effect("a free lookup takes the key, too", () =>
    Effect.gen(function* () {
      const { principal } = yield* customer()
      const free = yield* look(codes.whole, 1, yield* principal, under)
      assert.deepStrictEqual(free.receipt, { charged: 0, balance: 100 })
      yield* failsWith(look(codes.whole, 2, yield* principal, under), "IdempotencyKeyReused")
    }).pipe(Effect.provide(ports))
  )

  it.effect("without an API key it has no effect", () =>
    Effect.gen(function* () {
      yield* look(codes.whole, 1, undefined, under)
      assert.isTrue((yield* look(codes.partly, 1, undefined, under)).results[0]?.valid)
    }).pipe(Effect.provide(ports))
  )

  it.effect("a request that failed with too few credits can be repeated after a grant", () =>
    Effect.gen(function* () {
      const { organization, principal } = yield* customer({}, 0)
      yield* failsWith(look(codes.whole, 2, yield* principal, under), "InsufficientCredits")
      const grant = { organization_id: organization.id, environment: "test", amount: 5, reference: "i-1" } as const
      yield* (yield* CreditLedger).grant(grant)
      const { receipt } = yield* look(codes.whole, 2, yield* principal, under)
      assert.deepStrictEqual(receipt, { charged: 1, balance: 4 })
    }).pipe(Effect.provide(ports))
  )

  it.effect("attributes added since are charged with a repetition, and removed ones are not refunded", () => {
    let known: UnitAttributes = {}
    const changing = Layer.succeed(Units, { attributes: (found) => Effect.succeed(found.map(() => known)) })
    return Effect.gen(function* () {
      const { organization, principal } = yield* customer()
      const charged = (attributes: UnitAttributes) => {
        known = attributes
        return Effect.flatMap(principal, (found) =>
          Effect.map(look(codes.unnamedState, 4, found, under), ({ receipt }) => receipt?.charged)
        )
      }
      assert.strictEqual(yield* charged({}), 0)
      assert.strictEqual(yield* charged({ recent_address: "1 Creek Lane" }), 1)
      assert.strictEqual(yield* charged({ delivery_point: true }), 2)
      assert.strictEqual(yield* charged({ building_use_status: "mixed" }), 0)
      assert.strictEqual(yield* charged({}), 0)
      assert.strictEqual(yield* charged({ building_owner: "private" }), 0)
      const entries = yield* entriesOf(organization.id)
      assert.deepStrictEqual(
        entries.map(({ amount, level }) => [amount, level]),
        [
          [-2, 4],
          [-1, 4]
        ]
      )
    }).pipe(Effect.provide(Layer.merge(ports, changing)))
  })

  it.effect("the difference is charged if a repetition is served at a higher level", () =>
    Effect.gen(function* () {
      const { organization, principal } = yield* customer({ organization: { granted_level: 2 } })
      assert.strictEqual((yield* look(codes.whole, 4, yield* principal, under)).receipt?.charged, 1)
      yield* (yield* Organizations).update(organization.id, { granted_level: 4 })
      const again = yield* look(codes.whole, 4, yield* principal, under)
      assert.deepStrictEqual(
        { level: again.level, receipt: again.receipt },
        {
          level: 4,
          receipt: { charged: 2, balance: 97 }
        }
      )
    }).pipe(Effect.provide(ports))
  )
})

describe("lookup of a batch", () => {
  it.effect("answers in order, and charges the sum of the served codes as one entry", () =>
    Effect.gen(function* () {
      const { organization, principal } = yield* customer()
      const asked = [codes.far, codes.unknown, codes.whole, codes.retired, codes.far]
      const answer = yield* look(asked, 3, yield* principal, { request_id: "req-2" })
      assert.deepStrictEqual(
        answer.results.map(({ postcode, valid }) => [postcode, valid]),
        [
          [codes.far, true],
          [codes.unknown, false],
          [codes.whole, true],
          [codes.retired, false],
          [codes.far, true]
        ]
      )
      assert.deepStrictEqual(answer.receipt, { charged: 4, balance: 96 })
      assert.deepStrictEqual(answer.results[0], answer.results[4])
      const alone = yield* look(codes.far, 3, yield* principal)
      assert.deepStrictEqual(alone.results[0], answer.results[0])
      const [, batch] = yield* entriesOf(organization.id)
      assert.deepInclude(batch, { amount: -4, reason: "lookup_batch", reference: "req-2" })
    }).pipe(Effect.provide(ports))
  )

  it.effect("is all or nothing: nothing is charged if the balance is below the sum", () =>
    Effect.gen(function* () {
      const { balance, principal } = yield* customer({}, 5)
      const error = yield* failsWith(
        look([codes.whole, codes.far, codes.partly, codes.bare], 3, yield* principal),
        "InsufficientCredits"
      )
      assert.deepInclude(error as InsufficientCredits, { required: 6, balance: 5 })
      assert.strictEqual(yield* balance, 5)
      yield* look([codes.whole, codes.far, codes.unknown], 3, yield* principal)
      assert.strictEqual(yield* balance, 1)
    }).pipe(Effect.provide(ports))
  )

  it.effect("charges a repeated code once, and answers it in each place", () =>
    Effect.gen(function* () {
      const { principal } = yield* customer()
      const asked = [codes.whole, codes.whole, codes.partly, codes.whole, codes.unknown, codes.unknown]
      const { receipt, results } = yield* look(asked, 4, yield* principal)
      assert.deepStrictEqual(receipt, { charged: 6, balance: 94 })
      assert.deepStrictEqual(
        results.map(({ postcode }) => postcode),
        asked
      )
      for (const i of [1, 3]) assert.deepStrictEqual(results[i], results[0])
    }).pipe(Effect.provide(ports))
  )

  it.effect("is free at level 1, without a key", () =>
    Effect.gen(function* () {
      const { receipt, results } = yield* look([codes.whole, codes.unknown], 1)
      assert.isUndefined(receipt)
      assert.deepStrictEqual(results, [
        { postcode: codes.whole, valid: true, status: "valid" },
        { postcode: codes.unknown, valid: false, status: "not_found" }
      ])
    }).pipe(Effect.provide(ports))
  )

  it.effect("needs a key from level 2 on, as a single lookup does", () =>
    Effect.gen(function* () {
      yield* failsWith(look([codes.whole], 2), "AuthRequired")
      const { principal } = yield* customer({ key: { max_level: 2 } })
      yield* failsWith(look([codes.whole], 3, yield* principal), "LevelNotGranted")
    }).pipe(Effect.provide(ports))
  )

  it.effect("reads the attributes of active units in one call", () => {
    const asked: Array<ReadonlyArray<Postcode>> = []
    const attributes = (postcodes: ReadonlyArray<Postcode>) => {
      asked.push(postcodes)
      return Effect.succeed(postcodes.map(() => ({})))
    }
    const watched = Layer.succeed(Units, { attributes })
    return Effect.gen(function* () {
      const { principal } = yield* customer()
      yield* look([codes.whole, codes.unknown, codes.far], 2, yield* principal)
      yield* look([codes.unknown, codes.retired], 2, yield* principal)
      assert.deepStrictEqual(asked, [[codes.whole, codes.far]])
    }).pipe(Effect.provide(Layer.merge(ports, watched)))
  })
})
