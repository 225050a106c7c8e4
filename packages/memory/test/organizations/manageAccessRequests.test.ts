import { assert, describe, it } from "@effect/vitest"
import { failsWith, storedOrganization, unique } from "@postcode/conformance"
import type { InvalidParameter } from "@postcode/gateway/Errors"
import { tokenManager } from "@postcode/gateway/ManagementAccess"
import { manageAccessRequests } from "@postcode/gateway/organizations/manageAccessRequests"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect } from "effect"
import { atNoon, auditTrail, auditTrailWithoutIds, noon, ports } from "../Store.ts"

describe("manageAccessRequests", () => {
  const asked = { level: 4, reason: "deliveries to offices" } as const

  it.effect("a request above the grant is pending until it is decided; an approval raises the grant", () =>
    Effect.gen(function* () {
      yield* atNoon
      const manage = yield* manageAccessRequests
      const { id: organization_id } = yield* storedOrganization()
      const request = yield* manage.create(organization_id, asked, tokenManager)
      const { id, ...fields } = request
      assert.match(id, /^acr_[0-9A-Za-z]{20}$/)
      assert.deepStrictEqual(fields, { organization_id, ...asked, status: "pending", created_at: noon })
      const decision = { status: "approved", note: "seen their contract" } as const
      assert.deepStrictEqual(yield* manage.decide(id, decision, { ...tokenManager, actor: "ada" }), {
        ...request,
        ...decision,
        decided_at: noon
      })
      const organization = yield* (yield* Organizations).get(organization_id)
      assert.deepInclude(organization, { granted_level: 4, review_note: "seen their contract" })
      const event = { at: noon, subject: id, organization_id }
      assert.deepStrictEqual(yield* auditTrailWithoutIds, [
        { ...event, actor: "operator", action: "access_request.created", details: { level: 4 } },
        { ...event, actor: "ada", action: "access_request.decided", details: { level: 4, ...decision } }
      ])
    }).pipe(Effect.provide(ports))
  )

  it.effect("a level that is already granted or requested is a conflict", () =>
    Effect.gen(function* () {
      const manage = yield* manageAccessRequests
      const { id } = yield* storedOrganization({}, { granted_level: 3 })
      for (const level of [1, 2, 3] as const) {
        yield* failsWith(manage.create(id, { ...asked, level }, tokenManager), "Conflict")
      }
      assert.deepStrictEqual(yield* auditTrail, [])
      yield* manage.create(id, asked, tokenManager)
      yield* failsWith(manage.create(id, asked, tokenManager), "Conflict")
      assert.strictEqual((yield* auditTrail).length, 1)
    }).pipe(Effect.provide(ports))
  )

  it.effect("an approval needs a note, a rejection does not, and a second decision is a conflict", () =>
    Effect.gen(function* () {
      const manage = yield* manageAccessRequests
      const { id: organization_id } = yield* storedOrganization()
      const { id } = yield* manage.create(organization_id, asked, tokenManager)
      const silent = { status: "approved", note: " " } as const
      const error = yield* failsWith(manage.decide(id, silent, tokenManager), "InvalidParameter")
      assert.strictEqual((error as InvalidParameter).parameter, "note")
      yield* manage.decide(id, { ...silent, status: "rejected" }, tokenManager)
      yield* failsWith(manage.decide(id, { status: "approved", note: "after all" }, tokenManager), "Conflict")
      assert.strictEqual((yield* (yield* Organizations).get(organization_id)).granted_level, 3)
      assert.strictEqual((yield* auditTrail).length, 2)
    }).pipe(Effect.provide(ports))
  )

  it.effect("unknown organizations and requests are not found", () =>
    Effect.gen(function* () {
      const manage = yield* manageAccessRequests
      yield* failsWith(manage.create(unique("org"), asked, tokenManager), "NotFound")
      yield* failsWith(manage.decide(unique("acr"), { status: "approved", note: "yes" }, tokenManager), "NotFound")
      assert.deepStrictEqual(yield* auditTrail, [])
    }).pipe(Effect.provide(ports))
  )
})
