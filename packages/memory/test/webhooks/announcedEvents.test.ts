/** Which events the use cases of management send, and that repeated or refused calls send none. */
import { assert, describe, it } from "@effect/vitest"
import { failsWith, readAll, storedKey, storedWebhook } from "@postcode/conformance"
import { formatVersion } from "@postcode/core/Directory"
import { announceDirectory } from "@postcode/gateway/directory/changes/announceDirectory"
import { DirectoryChanges } from "@postcode/gateway/directory/changes/DirectoryChanges"
import { announceExpiringKeys } from "@postcode/gateway/keys/announceExpiringKeys"
import { manageKeys } from "@postcode/gateway/keys/manageKeys"
import { tokenManager } from "@postcode/gateway/ManagementAccess"
import { manageAccessRequests } from "@postcode/gateway/organizations/manageAccessRequests"
import { manageOrganizations } from "@postcode/gateway/organizations/manageOrganizations"
import { changeOrganizationStatus } from "@postcode/gateway/suspension/changeOrganizationStatus"
import { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { codes, directory } from "../directory/SmallDirectory.ts"
import { atNoon, customer, noon, ports } from "../Store.ts"

/** An organization with a key and a webhook, and the events that it was sent, oldest first. */
const watched = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const { key, organization } = yield* customer({
    organization: { granted_level: 3, kyb_status: "pending" },
    key: { max_level: 3 }
  })
  const { id: endpoint } = yield* storedWebhook(organization.id)
  const events = Effect.map(
    readAll((page) => webhooks.deliveries(endpoint, page)),
    (deliveries) => deliveries.map(({ event: { data, type } }) => ({ type, data })).toReversed()
  )
  return { events, id: organization.id, key_id: key.id }
})

it.effect("a key is announced once, 7 days before it expires", () =>
  Effect.gen(function* () {
    yield* atNoon
    const { events, id } = yield* watched
    const day_ms = 86_400_000
    const expires_at = new Date(Date.parse(noon) + 30 * day_ms).toISOString()
    const { record } = yield* storedKey(id, { created_at: noon, expires_at })
    yield* storedKey(id, { created_at: noon })
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* announceExpiringKeys
        yield* TestClock.adjust(23 * day_ms - 1)
        assert.deepStrictEqual(yield* events, [])
        yield* TestClock.adjust(8 * day_ms)
      })
    )
    const data = { organization_id: id, environment: "test", key_id: record.id, expires_at } as const
    assert.deepStrictEqual(yield* events, [{ type: "key.expiring", data }])
  }).pipe(Effect.provide(ports))
)

it.effect("changes of the directory are announced with their number, at most once a minute", () =>
  Effect.gen(function* () {
    yield* atNoon
    const { events, id: organization_id } = yield* watched
    const { apply } = yield* DirectoryChanges
    const version = (changes: number) => formatVersion({ edition: directory.version, changes })
    let count = 0
    const change = Effect.suspend(() => {
      const attributes = { building_type: `type ${++count}` }
      const changes = [{ change: "set", postcode: codes.whole, attributes } as const]
      return apply({ changes, reference: `${count}`, reason: "a test", actor: "operator", at: noon }, false)
    })
    const announced = (changes: number, at: number) => ({
      type: "directory.changed" as const,
      data: { organization_id, version: version(at), changes }
    })
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* announceDirectory
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(yield* events, [])
        yield* change
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(yield* events, [announced(1, 1)])
        for (const _ of [1, 2, 3]) yield* Effect.andThen(change, TestClock.adjust("10 seconds"))
        assert.deepStrictEqual(yield* events, [announced(1, 1)])
        yield* TestClock.adjust("30 seconds")
        assert.deepStrictEqual(yield* events, [announced(1, 1), announced(3, 4)])
        yield* TestClock.adjust("1 hour")
        assert.strictEqual((yield* events).length, 2)
      })
    )
  }).pipe(Effect.provide(ports))
)

describe("events of management", () => {
  it.effect("a decision on the verification is sent, and so is a change of the granted level", () =>
    Effect.gen(function* () {
      const { events, id } = yield* watched
      const { update } = yield* manageOrganizations
      const review_note = "for a test"
      yield* failsWith(update(id, { kyb_status: "rejected" }, tokenManager), "InvalidParameter")
      yield* update(id, { name: "Another" }, tokenManager)
      yield* update(id, { kyb_status: "rejected", review_note }, tokenManager)
      yield* update(id, { kyb_status: "rejected", granted_level: 3, review_note }, tokenManager)
      yield* update(id, { kyb_status: "pending" }, tokenManager)
      yield* update(id, { kyb_status: "verified", granted_level: 4 }, tokenManager)
      const data = { organization_id: id }
      assert.deepStrictEqual(yield* events, [
        { type: "organization.verification_decided", data: { ...data, kyb_status: "rejected" } },
        { type: "organization.verification_decided", data: { ...data, kyb_status: "verified" } },
        { type: "organization.level_changed", data: { ...data, granted_level: 4 } }
      ])
    }).pipe(Effect.provide(ports))
  )

  it.effect("a decision on a request for a level is sent once", () =>
    Effect.gen(function* () {
      const { events, id } = yield* watched
      const { create, decide } = yield* manageAccessRequests
      const [four, five] = [
        yield* create(id, { level: 4, reason: "deliveries" }, tokenManager),
        yield* create(id, { level: 5, reason: "more" }, tokenManager)
      ]
      yield* decide(four.id, { status: "approved", note: "seen" }, tokenManager)
      yield* failsWith(decide(four.id, { status: "rejected", note: "" }, tokenManager), "Conflict")
      yield* decide(five.id, { status: "rejected", note: "no" }, tokenManager)
      const type = "access_request.decided"
      assert.deepStrictEqual(yield* events, [
        { type, data: { organization_id: id, access_request_id: four.id, level: 4, status: "approved" } },
        { type, data: { organization_id: id, access_request_id: five.id, level: 5, status: "rejected" } }
      ])
    }).pipe(Effect.provide(ports))
  )

  it.effect("each change of the organization's status is sent once", () =>
    Effect.gen(function* () {
      const { events, id } = yield* watched
      const { close, resume, suspend } = yield* changeOrganizationStatus
      yield* failsWith(close(id, "why", tokenManager), "Conflict")
      for (const change of [suspend, suspend, resume, resume, suspend, close, close]) {
        yield* change(id, "why", tokenManager)
      }
      assert.deepStrictEqual(
        yield* events,
        (["suspended", "resumed", "suspended", "closed"] as const).map((status) => ({
          type: `organization.${status}` as const,
          data: { organization_id: id }
        }))
      )
    }).pipe(Effect.provide(ports))
  )

  it.effect(
    "a revoked key is sent once, also after a rotation without overlap, but not after one with an overlap",
    () =>
      Effect.gen(function* () {
        const { events, id, key_id } = yield* watched
        const { revoke, rotate } = yield* manageKeys
        const { record: second } = yield* rotate(key_id, "24h", tokenManager)
        assert.deepStrictEqual(yield* events, [])
        const { record: third } = yield* rotate(second.id, "now", tokenManager)
        yield* revoke(third.id, tokenManager)
        yield* revoke(third.id, tokenManager)
        assert.deepStrictEqual(
          yield* events,
          [second, third].map((key) => ({
            type: "key.revoked",
            data: { organization_id: id, environment: "test", key_id: key.id }
          }))
        )
      }).pipe(Effect.provide(ports))
  )
})
