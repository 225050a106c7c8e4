import { assert, describe, it } from "@effect/vitest"
import { failsWith, storedOrganization, unique } from "@postcode/conformance"
import { grantCredits } from "@postcode/gateway/credits/grantCredits"
import { tokenManager } from "@postcode/gateway/ManagementAccess"
import { Effect } from "effect"
import { atNoon, auditTrail, auditTrailWithoutIds, noon, ports } from "../Store.ts"

describe("grantCredits", () => {
  it.effect("adds credits once for each reference, returns the same entry each time, and audits it once", () =>
    Effect.gen(function* () {
      yield* atNoon
      const grant = yield* grantCredits
      const { id } = yield* storedOrganization()
      const asked = { organization_id: id, environment: "live", amount: 250, reference: "INV-7" } as const
      const receipt = yield* grant(asked, tokenManager)
      assert.deepStrictEqual(receipt, { entry_id: receipt.entry_id, balance: 250 })
      assert.deepStrictEqual(yield* grant(asked, tokenManager), receipt)
      assert.deepStrictEqual(yield* grant(asked, tokenManager), receipt)
      const event = {
        at: noon,
        actor: "operator",
        action: "credits.granted",
        subject: receipt.entry_id,
        organization_id: id,
        details: { amount: 250, environment: "live", reference: "INV-7" }
      }
      assert.deepStrictEqual(yield* auditTrailWithoutIds, [event])
    }).pipe(Effect.provide(ports))
  )

  it.effect("a grant that is refused leaves no audit entry", () =>
    Effect.gen(function* () {
      const grant = yield* grantCredits
      const { id } = yield* storedOrganization()
      const asked = { organization_id: id, environment: "live", amount: 250, reference: "INV-7" } as const
      yield* grant(asked, tokenManager)
      yield* failsWith(grant({ ...asked, amount: 251 }, tokenManager), "Conflict")
      yield* failsWith(grant({ ...asked, organization_id: unique("org") }, tokenManager), "NotFound")
      assert.strictEqual((yield* auditTrail).length, 1)
    }).pipe(Effect.provide(ports))
  )
})
