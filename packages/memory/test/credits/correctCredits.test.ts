import { assert, describe, it } from "@effect/vitest"
import { failsWith, storedOrganization, unique } from "@postcode/conformance"
import type { Correction } from "@postcode/core/Credits"
import { correctCredits } from "@postcode/gateway/credits/correctCredits"
import { type Manager, tokenManager } from "@postcode/gateway/ManagementAccess"
import { Effect } from "effect"
import { atNoon, auditTrail, auditTrailWithoutIds, noon, ports } from "../Store.ts"

const correctionOf = (organization_id: string): Correction => ({
  organization_id,
  environment: "test",
  kind: "refund",
  amount: -250,
  note: "INV-7 was paid back",
  reference: "CASE-7"
})

describe("correctCredits", () => {
  it.effect("corrects a balance once for each reference, returns the same entry each time, and audits it once", () =>
    Effect.gen(function* () {
      yield* atNoon
      const correct = yield* correctCredits
      const { id } = yield* storedOrganization({ test: 1_000 })
      const asked = correctionOf(id)
      const receipt = yield* correct(asked, tokenManager)
      assert.deepStrictEqual(receipt, { entry_id: receipt.entry_id, balance: 750 })
      assert.deepStrictEqual(yield* correct(asked, tokenManager), receipt)
      const { amount, environment, kind, note: reason, reference } = asked
      const event = {
        at: noon,
        actor: "operator",
        action: "credits.corrected",
        subject: receipt.entry_id,
        organization_id: id,
        details: { kind, amount, environment, reference, reason }
      }
      assert.deepStrictEqual(yield* auditTrailWithoutIds, [event])
    }).pipe(Effect.provide(ports))
  )

  it.effect("a correction that is refused leaves no audit entry", () =>
    Effect.gen(function* () {
      const correct = yield* correctCredits
      const { id } = yield* storedOrganization({ test: 1_000 })
      const asked = correctionOf(id)
      yield* correct(asked, tokenManager)
      yield* failsWith(correct({ ...asked, amount: 250 }, tokenManager), "Conflict")
      yield* failsWith(correct({ ...asked, amount: -751, reference: "CASE-8" }, tokenManager), "Conflict")
      yield* failsWith(correct({ ...asked, organization_id: unique("org") }, tokenManager), "NotFound")
      const owner: Manager = { ...tokenManager, kind: "owner", actor: "acc_1", organization_id: id }
      yield* failsWith(correct({ ...asked, reference: "CASE-9" }, owner), "InsufficientScope")
      assert.strictEqual((yield* auditTrail).length, 1)
    }).pipe(Effect.provide(ports))
  )
})
