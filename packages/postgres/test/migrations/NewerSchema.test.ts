import { assert, layer } from "@effect/vitest"
import { newAccessRequest, nextTimestamp, storedKey, storedOrganization } from "@postcode/conformance"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { AccessRequests } from "@postcode/gateway/organizations/AccessRequests"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Transactions } from "@postcode/gateway/store/Transactions"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { storeOn } from "../TestStore.ts"

// One connection, so that each statement runs again as prepared before.
const store = Layer.unwrap(Effect.map(migratedDatabase, (url) => storeOn(url, { maxConnections: 1 })))

layer(store, { excludeTestServices: true })("A replica that runs on", (it) => {
  it.effect("works on a schema to which a later version has added columns", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizations = yield* Organizations
      const requests = yield* AccessRequests
      const keys = yield* ApiKeys
      const { atomically } = yield* Transactions
      const { id } = yield* storedOrganization()
      const page = { limit: 5, cursor: undefined }
      const submission = { business_name: "Example", registration_number: "RC 1", submitted_at: nextTimestamp() }
      const work = Effect.gen(function* () {
        const { record } = yield* storedKey(id)
        const request = newAccessRequest(id)
        yield* requests.create(request)
        yield* atomically(organizations.submitKyb(id, submission))
        yield* atomically(organizations.update(id, { name: "renamed", granted_level: 2, kyb_status: "rejected" }))
        yield* atomically(requests.decide(request.id, { status: "rejected", note: "no", decided_at: nextTimestamp() }))
        yield* atomically(keys.revoke(record.id, nextTimestamp()))
        yield* atomically(Effect.all([organizations.list({}, page), requests.list({}, page), keys.list(id, page)]))
        return yield* atomically(organizations.get(id))
      })
      yield* work
      for (const table of ["organizations", "api_keys", "access_requests"]) {
        yield* sql.unsafe(`ALTER TABLE postcode.${table} ADD COLUMN later text`).unprepared
      }
      assert.deepInclude(yield* work, { name: "renamed", granted_level: 2 })
    })
  )
})
