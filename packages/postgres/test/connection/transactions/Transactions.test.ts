/** Unfinished work leaves no changes, and no change is stored without its audit entry. */
import { assert, describe, layer } from "@effect/vitest"
import {
  dies,
  failsWith,
  newAccessRequest,
  newKey,
  nextTimestamp,
  storedKey,
  storedOrganization,
  transactionsSuite,
  unique
} from "@postcode/conformance"
import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { grantCredits } from "@postcode/gateway/credits/grantCredits"
import { IdempotencyKeyReused, Unavailable, type UseCaseError } from "@postcode/gateway/Errors"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { manageKeys } from "@postcode/gateway/keys/manageKeys"
import { tokenManager } from "@postcode/gateway/ManagementAccess"
import { AccessRequests } from "@postcode/gateway/organizations/AccessRequests"
import { manageAccessRequests } from "@postcode/gateway/organizations/manageAccessRequests"
import { manageOrganizations } from "@postcode/gateway/organizations/manageOrganizations"
import { Transactions } from "@postcode/gateway/store/Transactions"
import { saveEndUser } from "@postcode/gateway/widget/endUsers/saveEndUser"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { FollowerTimes } from "../../../src/connection/Follower.ts"
import { layerStore } from "../../TestStore.ts"

transactionsSuite("on PostgreSQL", layerStore)

/** The content of the database as text, without the last uses of keys, which are written in the background. */
const contents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`SELECT tablename AS name FROM pg_tables
    WHERE schemaname = 'postcode' AND tablename <> 'migrations' ORDER BY tablename`
  const rows: Record<string, ReadonlyArray<string>> = {}
  for (const { name } of tables) {
    const found = yield* sql<{
      row: string
    }>`SELECT (to_jsonb(t) - 'last_used_at')::text AS row FROM ${sql(`postcode.${name}`)} t ORDER BY row`
    rows[name] = found.map(({ row }) => row)
  }
  return rows
})

/** Asserts that an effect changes nothing in the database. */
const changesNothing = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* contents
    yield* effect
    assert.deepStrictEqual(yield* contents, before)
  })

const customer = Effect.gen(function* () {
  const { id } = yield* storedOrganization({}, { granted_level: 2, kyb_status: "verified" })
  const { record } = yield* storedKey(id)
  const { record: rotatable } = yield* storedKey(id, { max_level: 1 })
  const request = newAccessRequest(id, { level: 3 })
  yield* (yield* AccessRequests).create(request)
  return { id, key_id: record.id, rotatable_key_id: rotatable.id, request_id: request.id }
})

type ChangeName =
  | "a new organization"
  | "a name"
  | "a grant of a level"
  | "a new key"
  | "a rotation"
  | "a revocation"
  | "credits"
  | "a request"
  | "a decision"
  | "an end user"

/** Every use case that changes something, on this customer. */
const changes = (of: Effect.Success<typeof customer>) =>
  Effect.gen(function* () {
    const organizations = yield* manageOrganizations
    const keys = yield* manageKeys
    const access = yield* manageAccessRequests
    const grant = yield* grantCredits
    const save = yield* saveEndUser
    const request = { name: "k", kind: "secret", environment: "live", scopes: [], max_level: 1, origins: [] } as const
    const identifiers = [Redacted.make("ada@example.ng")]
    const changes: Readonly<Record<ChangeName, Effect.Effect<unknown, UseCaseError>>> = {
      "a new organization": organizations.create("Late", tokenManager),
      "a name": organizations.update(of.id, { name: "Later" }, tokenManager),
      "a grant of a level": organizations.update(of.id, { granted_level: 1 }, tokenManager),
      "a new key": keys.create(of.id, request, tokenManager),
      "a rotation": keys.rotate(of.rotatable_key_id, "24h", tokenManager),
      "a revocation": keys.revoke(of.key_id, tokenManager),
      credits: grant(
        { organization_id: of.id, environment: "live", amount: 5, reference: unique("inv") },
        tokenManager
      ),
      "a request": access.create(of.id, { level: 4, reason: "more" }, tokenManager),
      "a decision": access.decide(of.request_id, { status: "approved", note: "seen" }, tokenManager),
      "an end user": save({ identifiers, bookmarks: [] }, tokenManager)
    }
    return changes
  })

describe("Transactions on PostgreSQL", () => {
  layer(Layer.provide(layerStore, Layer.succeed(FollowerTimes, { lifetime_ms: 60_000, interval_ms: 200 })), {
    excludeTestServices: true
  })((it) => {
    it.effect("a change whose audit entry fails is not stored", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const unavailable = Effect.fail(new Unavailable({ retry_after_s: 1 }))
        const broken = Effect.die(new Error("broken"))
        const of = yield* customer
        const withLog = (append: Effect.Effect<never, Unavailable>) =>
          Effect.provideService(changes(of), AuditLog, { ...log, append: () => append })
        for (const change of Object.values(yield* withLog(unavailable))) {
          yield* changesNothing(failsWith(change, "Unavailable"))
        }
        for (const change of Object.values(yield* withLog(broken))) yield* changesNothing(dies(change))
      })
    )

    it.effect("each change has one audit entry, and a repeated change has none", () =>
      Effect.gen(function* () {
        const of = yield* customer
        const made = yield* changes(of)
        const entries = Effect.map(contents, ({ audit_events = [] }) => audit_events.length)
        for (const [name, change] of Object.entries(made)) {
          const before = yield* entries
          yield* change
          assert.strictEqual(yield* entries, before + 1, name)
        }
        yield* changesNothing(failsWith(made["a rotation"], "Conflict"))
        yield* changesNothing(made["a revocation"])
        yield* changesNothing(made.credits)
      })
    )

    it.effect("a revocation or a rotation that is rolled back keeps the replica's copy of the key", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const { findByHash, list, revoke, rotate } = yield* ApiKeys
        const { hash, record } = yield* storedKey((yield* storedOrganization()).id)
        const before = yield* findByHash(hash, nextTimestamp())
        const { id, organization_id } = record
        const at = nextTimestamp()
        const successor = newKey(organization_id)
        const rotated = rotate({ id, at, expires_at: at, revoked_at: at, successor, hash: unique("hash") })
        const taking: ReadonlyArray<Effect.Effect<unknown, UseCaseError>> = [revoke(id, at), rotated]
        for (const change of taking) {
          const undone = Effect.andThen(change, new IdempotencyKeyReused())
          yield* failsWith(atomically(undone), "IdempotencyKeyReused")
        }
        assert.strictEqual(yield* findByHash(hash, nextTimestamp()), before)
        // Writes the last use, which would otherwise be written some seconds later, during the next test.
        yield* list(organization_id, { limit: 1, cursor: undefined })
      }).pipe(Effect.scoped)
    )

    it.effect("work that fails, dies or is interrupted leaves no changes, wherever it ends", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const of = yield* customer
        const work = Effect.all(Object.values(yield* changes(of)), { discard: true })
        yield* changesNothing(
          failsWith(atomically(Effect.andThen(work, new IdempotencyKeyReused())), "IdempotencyKeyReused")
        )
        yield* changesNothing(dies(atomically(Effect.andThen(work, Effect.die("stop")))))
        const done = yield* Deferred.make<void>()
        const endless = Effect.andThen(Effect.andThen(work, Deferred.succeed(done, undefined)), Effect.never)
        yield* changesNothing(
          Effect.gen(function* () {
            const fiber = yield* Effect.forkChild(atomically(endless))
            yield* Deferred.await(done)
            yield* Fiber.interrupt(fiber)
          })
        )
        yield* atomically(work)
      })
    )
  })
})
