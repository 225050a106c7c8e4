/** Databases with reserved keys, which earlier versions stored: every start revokes them. */

import { demoDirectory } from "@postcode/demo"
import { sandboxKeys, withSandbox } from "@postcode/demo/sandbox"
import { makeTestDatabase } from "@postcode/drills/postgres"
import { layerTestSecrets } from "@postcode/drills/TestSecrets"
import { layerFixedDirectory } from "@postcode/gateway/directory/layerDirectory"
import { Unavailable } from "@postcode/gateway/Errors"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import type { Store } from "@postcode/gateway/Store"
import { createGateway, type EmbeddedGateway } from "@postcode/http"
import { memoryStore } from "@postcode/memory"
import { postgresStore } from "@postcode/postgres"
import { Effect, Layer } from "effect"
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest"
import { storeSandbox } from "./StoredSandbox.ts"

const operatorToken = "an-operator-token-for-tests-alone"
const directory = demoDirectory({ units: 2_000 })
const options = {
  operatorToken,
  identifierPepper: "a-pepper-for-tests-that-is-long-enough",
  sessionKeys: "a-signing-key-for-tests-that-is-long-enough",
  directory
}
const real = directory.directory.postcodeAt(0)

/** The same store, on which a version stored the sandbox. */
const afterEarlierVersion = (store: Store): Store => ({
  ...store,
  layer: (directory) => Layer.provideMerge(Layer.effectDiscard(storeSandbox), store.layer(directory))
})

const get = async <A>({ fetch }: EmbeddedGateway, path: string, headers: Record<string, string>) => {
  const response = await fetch(new Request(`http://localhost${path}`, { headers }))
  return { status: response.status, data: ((await response.json()) as { readonly data?: A }).data }
}

interface Event {
  readonly action: string
  readonly actor: string
  readonly subject: string
  readonly details: Record<string, unknown>
}

const closings = async (gateway: EmbeddedGateway): Promise<ReadonlyArray<Event>> => {
  const headers = { authorization: `Bearer ${operatorToken}` }
  const { data } = await get<{ readonly events: ReadonlyArray<Event> }>(gateway, "/v1/admin/audit?limit=100", headers)
  return data?.events.filter(({ action }) => action === "organization.closed") ?? []
}

const lookUp = (gateway: EmbeddedGateway, key: string) =>
  get<{ readonly status: string }>(gateway, `/v1/lookup?code=${real}&level=5`, { "x-api-key": key })

let log: MockInstance<typeof console.log>
beforeEach(() => {
  log = vi.spyOn(console, "log").mockImplementation(() => {})
})
afterEach(() => log.mockRestore())

const organizations = ["complete", "no_credits", "not_verified", "suspended"].map((name) => `org_sandbox_${name}`)

const stores: ReadonlyArray<readonly [name: string, open: () => Promise<{ store: Store; drop: () => Promise<void> }>]> =
  [
    ["in memory", async () => ({ store: memoryStore(), drop: async () => {} })],
    [
      "on PostgreSQL",
      async () => {
        const { drop, url } = await makeTestDatabase()
        return { store: postgresStore({ url }), drop }
      }
    ]
  ]

describe.each(stores)("stored reserved keys %s", (_, open) => {
  it("are revoked by a start without the sandbox, with lines in the log and in the audit log", async () => {
    const { drop, store } = await open()
    const gateway = await createGateway({ ...options, store: afterEarlierVersion(store) })
    for (const { key } of Object.values(sandboxKeys)) expect(await lookUp(gateway, key)).toMatchObject({ status: 401 })
    const closed = await closings(gateway)
    expect(closed.map(({ subject }) => subject).sort()).toEqual(organizations)
    for (const { actor, details } of closed) {
      expect([actor, Number(details.revoked_keys) > 0]).toEqual(["service", true])
    }
    const lines = log.mock.calls.map((parts) => parts.join(" "))
    for (const id of organizations) {
      expect(lines.filter((line) => line.includes(`the organization ${id} was closed`))).toHaveLength(1)
    }
    await gateway.close()
    await drop()
  })

  it("give no power to a start with the sandbox, whose keys are in the process", async () => {
    const { drop, store } = await open()
    const gateway = await createGateway({ ...options, store: withSandbox(afterEarlierVersion(store)) })
    expect(await closings(gateway)).toHaveLength(organizations.length)
    expect(await lookUp(gateway, sandboxKeys.level5.key)).toMatchObject({ status: 200, data: { status: "not_found" } })
    await gateway.close()
    await drop()
  })
})

it("a start waits for a store that is unavailable for a moment", async () => {
  const store = memoryStore()
  let failures = 3
  const unavailable = Layer.effect(
    Organizations,
    Effect.map(Organizations, (organizations) => ({
      ...organizations,
      get: (id: string) => (failures-- > 0 ? Effect.fail(new Unavailable({ retry_after_s: 1 })) : organizations.get(id))
    }))
  )
  const gateway = await createGateway({
    ...options,
    store: {
      ...store,
      layer: (directory) => Layer.provideMerge(unavailable, afterEarlierVersion(store).layer(directory))
    }
  })
  expect(failures).toBeLessThan(0)
  expect(await lookUp(gateway, sandboxKeys.level5.key)).toMatchObject({ status: 401 })
  await gateway.close()
})

it("a start writes nothing where nothing is stored, and no second entry where it was revoked", async () => {
  const { drop, url } = await makeTestDatabase()
  const store = postgresStore({ url })
  const start = async (store: Store) => {
    const gateway = await createGateway({ ...options, store })
    const closed = await closings(gateway)
    await gateway.close()
    return closed
  }
  expect(await start(store)).toEqual([])
  expect(await start(withSandbox(store))).toEqual([])
  expect(await start(afterEarlierVersion(store))).toHaveLength(organizations.length)
  log.mockClear()
  expect(await start(store)).toHaveLength(organizations.length)
  expect(log).not.toHaveBeenCalled()
  await drop()
})

it("replicas that start at the same time close what is stored once, and all of them start", async () => {
  const { drop, url } = await makeTestDatabase()
  const seeded = afterEarlierVersion(postgresStore({ url })).layer(
    layerFixedDirectory(directory.directory, () => ({}), "fixed")
  )
  await Effect.runPromise(Effect.scoped(Layer.build(Layer.provide(seeded, layerTestSecrets))))
  const gateways = await Promise.all(
    [1, 2, 3, 4].map(() => createGateway({ ...options, store: postgresStore({ url }) }))
  )
  expect(await closings(gateways[0] as EmbeddedGateway)).toHaveLength(organizations.length)
  for (const { key } of Object.values(sandboxKeys)) {
    expect(await lookUp(gateways[1] as EmbeddedGateway, key)).toMatchObject({ status: 401 })
  }
  for (const gateway of gateways) await gateway.close()
  await drop()
})
