import { assert, describe, it } from "@effect/vitest"
import { failsWith, storedKey, storedOrganization } from "@postcode/conformance"
import type { Charge } from "@postcode/core/Credits"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { MemoryStore } from "@postcode/memory"
import { Effect } from "effect"

describe("CreditLedger in memory", () => {
  it.effect("keeps the newest 50,000 idempotency keys of free requests, and all of paid ones", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { id } = yield* storedOrganization({ test: 10 })
      const { record } = yield* storedKey(id)
      const charge = (key: string, amount: number, fingerprint = "as before") => {
        const account = { organization_id: id, environment: "test" } as const
        const asked: Charge = { ...account, key_id: record.id, amount, reason: "lookup", request_id: "req-1" }
        return ledger.charge({ ...asked, idempotency: { key, fingerprint } })
      }
      yield* charge("paid", 3)
      yield* charge("oldest", 0)
      for (let i = 1; i < 50_000; i++) yield* charge(`free ${i}`, 0)
      yield* failsWith(charge("oldest", 0, "another"), "IdempotencyKeyReused")
      yield* charge("one more", 0)
      assert.deepStrictEqual(yield* charge("oldest", 0, "another"), { charged: 0, balance: 7 })
      assert.deepStrictEqual(yield* charge("paid", 3), { charged: 0, balance: 7 })
      yield* failsWith(charge("paid", 3, "another"), "IdempotencyKeyReused")
    }).pipe(Effect.provide(MemoryStore.layer))
  )
})
