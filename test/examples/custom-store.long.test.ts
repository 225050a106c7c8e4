// The example custom-store: the conformance suites of the ports that it has in SQLite, what only a store on a disk can do
// wrong, and the service on it as a program.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Deferred, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Database, layerDatabase } from "../../examples/custom-store/store/Database.ts"
import { layerSqliteStore, layerStore } from "../../examples/custom-store/store/SqliteStore.ts"
import {
  accessRequestsSuite,
  apiKeysSuite,
  auditLogSuite,
  creditLedgerSuite,
  dailyLimitEventsSuite,
  lowBalanceSuite,
  managementKeysSuite,
  newEvent,
  newOrganization,
  organizationsSuite,
  storedKey,
  storedOrganization,
  storedWebhook,
  transactionsSuite,
  unusedOrganizationsSuite,
  usageLogSuite,
  webhooksSuite
} from "../../packages/conformance/src/index.ts"
import type { Charge } from "../../packages/core/src/credits/Charge.ts"
import { AuditLog } from "../../packages/gateway/src/audit/AuditLog.ts"
import { CreditLedger } from "../../packages/gateway/src/credits/CreditLedger.ts"
import { Conflict } from "../../packages/gateway/src/Errors.ts"
import { Organizations } from "../../packages/gateway/src/organizations/Organizations.ts"
import { Transactions } from "../../packages/gateway/src/store/Transactions.ts"
import { Webhooks } from "../../packages/gateway/src/webhooks/Webhooks.ts"
import { layerMemoryState } from "../../packages/memory/src/index.ts"
import { listening, startExample, stopped } from "./ExamplePrograms.ts"

const store = Layer.provideMerge(layerSqliteStore(":memory:"), TestClock.layer())
const options = { advance: TestClock.adjust }

organizationsSuite("in SQLite", store)
unusedOrganizationsSuite("in SQLite", store)
apiKeysSuite("in SQLite", store, options)
creditLedgerSuite("in SQLite", store, options)
lowBalanceSuite("in SQLite", store)
dailyLimitEventsSuite("in SQLite", store, options)
accessRequestsSuite("in SQLite", store)
auditLogSuite("in SQLite", store)
transactionsSuite("in SQLite", store)
// In memory, of organizations that are not.
usageLogSuite("in memory beside SQLite", store, options)
webhooksSuite("in memory beside SQLite", store)
managementKeysSuite("in memory beside SQLite", store)

const firstPage = { limit: 20, cursor: undefined }

/** An account with 10 credits, and a charge of 3. */
const openAccount = Effect.gen(function* () {
  const { id: organization_id } = yield* storedOrganization({ test: 10 })
  const { record } = yield* storedKey(organization_id)
  const account = { organization_id, environment: "test" } as const
  const charge: Charge = { ...account, key_id: record.id, amount: 3, reason: "lookup", request_id: "req_1" }
  return { account, charge }
})

describe("work in which something fails", () => {
  const open = Layer.provideMerge(layerStore, Layer.mergeAll(layerDatabase(":memory:"), layerMemoryState))
  const run = <A, E>(program: Effect.Effect<A, E, Layer.Success<typeof open>>) =>
    Effect.runPromise(Effect.provide(program, open))

  it("is rolled back, with its events", () =>
    run(
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const { account, charge } = yield* openAccount
        const ledger = yield* CreditLedger
        const { id: webhook } = yield* storedWebhook(account.organization_id)
        const ghost = newOrganization()
        const work = Effect.gen(function* () {
          yield* (yield* Organizations).create(ghost, { test: 1, live: 1 })
          yield* ledger.setThreshold(account, 9)
          yield* ledger.charge(charge)
          yield* (yield* AuditLog).append(newEvent({ organization_id: account.organization_id }))
        })
        for (const end of [Effect.fail(new Conflict({ message: "no" })), Effect.die("broken"), Effect.never]) {
          expect((yield* Effect.exit(atomically(Effect.andThen(work, end))))._tag).toBe("Failure")
        }
        expect((yield* Effect.flip((yield* Organizations).get(ghost.id)))._tag).toBe("NotFound")
        const { balance, low_balance_threshold } = yield* ledger.statement(account, firstPage)
        expect({ balance, low_balance_threshold }).toEqual({ balance: 10, low_balance_threshold: null })
        expect((yield* (yield* AuditLog).list(account, firstPage)).items).toEqual([])
        const deliveries = (yield* Webhooks).deliveries(webhook, firstPage)
        expect((yield* deliveries).items).toEqual([])
        yield* atomically(work)
        expect((yield* deliveries).items.map(({ event }) => event.data)).toMatchObject([{ balance: 7, threshold: 9 }])
      })
    ))

  it("ends if it waits for anything else, and does not continue later", () =>
    run(
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const gate = yield* Deferred.make<void>()
        const late = newOrganization()
        const create = organizations.create(late, { test: 0, live: 0 })
        const work = Effect.andThen(Deferred.await(gate), create)
        expect((yield* Effect.exit((yield* Transactions).atomically(work)))._tag).toBe("Failure")
        yield* Deferred.succeed(gate, undefined)
        yield* Effect.promise(() => new Promise(setImmediate))
        expect((yield* Effect.flip(organizations.get(late.id)))._tag).toBe("NotFound")
      })
    ))

  it("a full disk makes a charge fail as unavailable, and leaves no part of it", () =>
    run(
      Effect.gen(function* () {
        const { account, charge } = yield* openAccount
        const ledger = yield* CreditLedger
        const db = yield* Database
        const large: Charge = { ...charge, request_id: "x".repeat(100_000) }
        // As small as it is now.
        db.get("PRAGMA max_page_count = 1")
        expect((yield* Effect.flip(ledger.charge(large)))._tag).toBe("Unavailable")
        const inWork = (yield* Transactions).atomically(Effect.andThen(ledger.charge(charge), ledger.charge(large)))
        expect((yield* Effect.flip(inWork))._tag).toBe("Unavailable")
        db.get("PRAGMA max_page_count = 1000000")
        expect(yield* ledger.charge(large)).toEqual({ charged: 3, balance: 7 })
        expect((yield* ledger.statement(account, firstPage)).entries.items).toHaveLength(2)
      })
    ))
})

describe("on a file", () => {
  let folder = ""
  const file = () => join(folder, "postcode.sqlite")
  const start = () => startExample("custom-store", { env: { PORT: "0", STORE: file() } })
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "custom-store-"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it("an open store cannot be opened again", async () => {
    const open = Effect.provide(Database, layerDatabase(file()))
    const twice = Effect.flatMap(Layer.build(layerDatabase(file())), () => Effect.exit(open))
    const second = await Effect.runPromise(Effect.scoped(twice))
    expect(String(second)).toContain("database is locked")
    await Effect.runPromise(open)
  })

  it("the service charges, and keeps organizations, keys with their last use, and balances over a restart", async () => {
    const authorization = "Bearer an-operator-token-for-trying-it-out"
    const call = async (url: string, path: string, body?: object) => {
      const headers = { authorization, "content-type": "application/json" }
      const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) }
      const response = await fetch(`${url}/v1/admin${path}`, init)
      return ((await response.json()) as { readonly data: Record<string, string> }).data
    }
    const lookUp = async (url: string, key: string) => {
      const response = await fetch(`${url}/v1/lookup?code=AB-01-C04-RF-01&level=2`, { headers: { "x-api-key": key } })
      return [response.status, response.headers.get("x-credits-remaining")]
    }
    const program = start()
    let again: typeof program | undefined
    try {
      const url = await listening(program)
      const { id } = await call(url, "/organizations", { name: "Dangote Parcels" })
      await fetch(`${url}/v1/admin/organizations/${id}`, {
        method: "PATCH",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ granted_level: 2 })
      })
      const asked = { name: "checkout", kind: "secret", environment: "test", scopes: ["lookup"], max_level: 2 }
      const { secret = "" } = await call(url, `/organizations/${id}/keys`, asked)
      expect(await lookUp(url, secret)).toEqual([200, "999"])

      expect(await stopped(program)).toBe(0)
      again = start()
      const next = await listening(again)
      const { keys } = await call(next, `/organizations/${id}/keys`)
      expect(keys).toMatchObject([{ name: "checkout", last_used_at: expect.any(String) }])
      expect(await lookUp(next, secret)).toEqual([200, "998"])
      const { entries } = await call(next, `/organizations/${id}/credits?environment=test`)
      expect(entries).toMatchObject([{ amount: -1 }, { amount: -1 }, { amount: 1_000, reason: "opening" }])
      expect(await stopped(again)).toBe(0)
    } finally {
      program.kill("SIGKILL")
      again?.kill("SIGKILL")
    }
  })
})
