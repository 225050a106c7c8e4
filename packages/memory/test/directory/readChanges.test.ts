/** The feed of changes: what happens between reading a page and charging for it. */
import { assert, describe, it } from "@effect/vitest"
import { failsWith, unique } from "@postcode/conformance"
import { defaultPriceList } from "@postcode/core/Prices"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { Prices } from "@postcode/gateway/credits/Prices"
import { DirectoryChanges } from "@postcode/gateway/directory/changes/DirectoryChanges"
import { type ChangesRequest, readChanges } from "@postcode/gateway/directory/changes/readChanges"
import type { Principal } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect } from "effect"
import { customer, noon, ports } from "../Store.ts"
import { codes, directory, origin } from "./SmallDirectory.ts"

const since = { edition: directory.version, changes: 0 }

/** Moves two units. */
const change = Effect.gen(function* () {
  const { apply } = yield* DirectoryChanges
  const changes = [codes.whole, codes.far].map((postcode, i) => ({
    change: "move" as const,
    postcode,
    coordinate: { lat: origin.lat + (i + 1) / 1_000, lon: origin.lon }
  }))
  yield* apply({ changes, reference: unique("batch"), reason: "a test", actor: "operator", at: noon }, false)
})

const read = Effect.fnUntraced(function* (principal: Principal | undefined, fields: Partial<ChangesRequest> = {}) {
  return yield* (yield* readChanges)({
    since,
    limit: 100,
    coordinates: true,
    principal,
    request_id: unique("req"),
    idempotency_key: undefined,
    ...fields
  })
})

describe("reading changes with coordinates", () => {
  it.effect("a grant that was lowered after the key was found refuses them, and charges nothing", () =>
    Effect.gen(function* () {
      yield* change
      const { balance, organization, principal } = yield* customer()
      const before = yield* principal
      yield* (yield* Organizations).update(organization.id, { granted_level: 4 })
      yield* failsWith(read(before), "LevelNotGranted")
      assert.strictEqual(yield* balance, 100)
      assert.strictEqual((yield* read(before, { coordinates: false })).changes.length, 2)
    }).pipe(Effect.provide(ports))
  )

  it.effect("a key that was revoked after it was found gets nothing", () =>
    Effect.gen(function* () {
      yield* change
      const { balance, key, principal } = yield* customer()
      const before = yield* principal
      yield* (yield* ApiKeys).revoke(key.id, noon)
      yield* failsWith(read(before), "InvalidApiKey")
      assert.strictEqual(yield* balance, 100)
    }).pipe(Effect.provide(ports))
  )

  it.effect("costs the price of level 5 for each unit, whatever the list says", () =>
    Effect.gen(function* () {
      yield* change
      const prices = { ...defaultPriceList, lookup: { 2: 1, 3: 2, 4: 3, 5: 11 } }
      const { principal } = yield* customer()
      const { level, receipt } = yield* Effect.provideService(read(yield* principal), Prices, prices)
      assert.deepStrictEqual([level, receipt?.charged, receipt?.balance], [5, 22, 78])
    }).pipe(Effect.provide(ports))
  )

  it.effect("while keys cannot be checked, changes are shown without coordinates only", () =>
    Effect.gen(function* () {
      yield* change
      yield* failsWith(read(undefined), "AuthRequired")
      const { changes, level, receipt } = yield* read(undefined, { coordinates: false, idempotency_key: "a" })
      assert.deepStrictEqual([changes.length, level, receipt], [2, 1, undefined])
    }).pipe(Effect.provide(ports))
  )

  it.effect("without coordinates the ledger is not used", () =>
    Effect.gen(function* () {
      yield* change
      const { principal } = yield* customer()
      const ledger = CreditLedger.of({
        ...(yield* CreditLedger),
        charge: () => Effect.die(new Error("nothing is to be charged"))
      })
      const page = read(yield* principal, { coordinates: false })
      assert.strictEqual((yield* Effect.provideService(page, CreditLedger, ledger)).changes.length, 2)
    }).pipe(Effect.provide(ports))
  )
})
