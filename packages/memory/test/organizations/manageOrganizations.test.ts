import { assert, describe, it } from "@effect/vitest"
import { failsWith, storedOrganization, unique } from "@postcode/conformance"
import { environments } from "@postcode/core/Credits"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { InvalidParameter } from "@postcode/gateway/Errors"
import { tokenManager } from "@postcode/gateway/ManagementAccess"
import { manageOrganizations } from "@postcode/gateway/organizations/manageOrganizations"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect } from "effect"
import { atNoon, auditTrail, auditTrailWithoutIds, noon, ports } from "../Store.ts"

describe("manageOrganizations", () => {
  it.effect("a new organization is unverified, at level 1, with 1,000 test credits and no live ones", () =>
    Effect.gen(function* () {
      yield* atNoon
      const organization = yield* (yield* manageOrganizations).create("Kano Couriers", tokenManager)
      const { id, ...fields } = organization
      assert.match(id, /^org_[0-9A-Za-z]{20}$/)
      assert.deepStrictEqual(fields, {
        name: "Kano Couriers",
        granted_level: 1,
        kyb_status: "unverified",
        status: "active",
        created_at: noon
      })
      assert.deepStrictEqual(yield* (yield* Organizations).get(id), organization)
      const balances = yield* Effect.forEach(environments, (environment) =>
        Effect.flatMap(CreditLedger, (ledger) =>
          ledger.statement({ organization_id: id, environment }, { limit: 1, cursor: undefined })
        )
      )
      assert.deepStrictEqual(
        balances.map(({ balance }) => balance),
        [1_000, 0]
      )
      assert.deepStrictEqual(yield* auditTrailWithoutIds, [
        {
          at: noon,
          actor: "operator",
          action: "organization.created",
          subject: id,
          organization_id: id,
          details: { name: "Kano Couriers" }
        }
      ])
    }).pipe(Effect.provide(ports))
  )

  it.effect("granting level 5 needs a note, and changes nothing without one", () =>
    Effect.gen(function* () {
      const manage = yield* manageOrganizations
      const organization = yield* storedOrganization()
      const { id } = organization
      for (const patch of [{ granted_level: 5 }, { granted_level: 5, review_note: " \n " }] as const) {
        const error: InvalidParameter = yield* failsWith(manage.update(id, patch, tokenManager), "InvalidParameter")
        assert.strictEqual(error.parameter, "review_note")
      }
      assert.deepStrictEqual(yield* (yield* Organizations).get(id), organization)
      assert.deepStrictEqual(yield* auditTrail, [])
      const granted = { granted_level: 5, review_note: "visited on 3 February" } as const
      assert.deepStrictEqual(yield* manage.update(id, granted, tokenManager), { ...organization, ...granted })
    }).pipe(Effect.provide(ports))
  )

  it.effect("other changes need no note, and the audit log contains the changes", () =>
    Effect.gen(function* () {
      yield* atNoon
      const manage = yield* manageOrganizations
      const { id } = yield* storedOrganization()
      for (const patch of [{ granted_level: 4 }, { kyb_status: "verified" }, { name: "Renamed" }] as const) {
        yield* manage.update(id, patch, { ...tokenManager, actor: "ada" })
      }
      const event = { at: noon, actor: "ada", action: "organization.updated", subject: id, organization_id: id }
      assert.deepStrictEqual(yield* auditTrailWithoutIds, [
        { ...event, details: { granted_level: 4 } },
        { ...event, details: { kyb_status: "verified" } },
        { ...event, details: { name: "Renamed" } }
      ])
    }).pipe(Effect.provide(ports))
  )

  it.effect("an unknown organization is not found and leaves no audit entry", () =>
    Effect.gen(function* () {
      yield* failsWith((yield* manageOrganizations).update(unique("org"), { name: "Ghost" }, tokenManager), "NotFound")
      assert.deepStrictEqual(yield* auditTrail, [])
    }).pipe(Effect.provide(ports))
  )
})
