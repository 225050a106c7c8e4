/** The sandbox on both stores: what each reserved key and postcode forces. */
import { readFile } from "node:fs/promises"
import type { Store } from "@postcode/core/store/Store"
import { demoDirectory } from "@postcode/demo"
import { type SandboxKeyName, sandboxKeys, sandboxUnits, withSandbox } from "@postcode/demo/sandbox"
import { createGateway, type EmbeddedGateway } from "@postcode/http"
import { memoryStore } from "@postcode/memory"
import { postgresStore } from "@postcode/postgres"
import { makeTestDatabase, type TestDatabase } from "@postcode/postgres/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const operatorToken = "an-operator-token-for-tests-alone"
const options = {
  operatorToken,
  identifierPepper: "a-pepper-for-tests-that-is-long-enough",
  sessionKeys: "a-signing-key-for-tests-that-is-long-enough",
  directory: demoDirectory({ units: 2_000 })
}
const { bare, complete, replaced, retired, unknown } = sandboxUnits

interface Sent {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

const send = async (gateway: EmbeddedGateway, path: string, { body, headers = {}, key }: Sent = {}) => {
  const response = await gateway.fetch(
    new Request(`http://localhost${path}`, {
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(key !== undefined && { "x-api-key": key }),
        ...headers
      }
    })
  )
  const { data, error } = (await response.json()) as {
    readonly data?: Record<string, unknown>
    readonly error?: { readonly code: string }
  }
  return { status: response.status, data, code: error?.code, retryAfter: response.headers.get("retry-after") }
}

/** The answer to a lookup with a reserved key. */
const lookup = (gateway: EmbeddedGateway, name: SandboxKeyName, level: number, postcode: string = complete.postcode) =>
  send(gateway, `/v1/lookup?code=${postcode}&level=${level}`, { key: sandboxKeys[name].key })

const sandboxSuite = (name: string, open: () => Promise<{ store: Store; close: () => Promise<void> }>) =>
  describe(`the sandbox ${name}`, () => {
    let gateway: EmbeddedGateway
    let opened: Awaited<ReturnType<typeof open>>
    beforeAll(async () => {
      opened = await open()
      // Opened twice, since a shared store may have the sandbox already.
      if (opened.store.isShared) await (await createGateway({ ...options, store: withSandbox(opened.store) })).close()
      gateway = await createGateway({ ...options, store: withSandbox(opened.store) })
    })
    afterAll(async () => {
      await gateway.close()
      await opened.close()
    })

    it.each([1, 2, 3, 4, 5] as const)("the key of level %i gets level %i, and no more", async (level) => {
      const key = `level${level}` as const
      const { data, status } = await lookup(gateway, key, level)
      expect(status).toBe(200)
      expect(data).toMatchObject({ valid: true, status: "valid" })
      const shown = ["administrative_address", "building_use_status", "other_building_info", "point_geometry"]
      expect(shown.map((field) => Object.hasOwn(data ?? {}, field))).toEqual([2, 3, 4, 5].map((of) => level >= of))
      if (level < 5)
        expect(await lookup(gateway, key, level + 1)).toMatchObject({ status: 403, code: "level_not_granted" })
    })

    it.each([
      ["revoked", 1, 401, "invalid_api_key"],
      ["expired", 1, 401, "invalid_api_key"],
      ["noCredits", 2, 402, "insufficient_credits"],
      ["noScope", 2, 403, "insufficient_scope"],
      ["otherAddress", 1, 403, "address_not_allowed"],
      ["notVerified", 2, 403, "kyb_required"],
      ["suspended", 1, 403, "organization_suspended"],
      ["limited", 1, 429, "rate_limit_exceeded"],
      ["unavailable", 2, 503, "service_unavailable"]
    ] as const)("the key %s at level %i gets %i %s, again and again", async (key, level, status, code) => {
      for (let i = 0; i < 3; i++) expect(await lookup(gateway, key, level)).toMatchObject({ status, code })
    })

    it("429 and 503 say when to try again", async () => {
      expect(await lookup(gateway, "limited", 1)).toMatchObject({ retryAfter: "30" })
      expect(await lookup(gateway, "unavailable", 2)).toMatchObject({ retryAfter: "5" })
    })

    it("publishable keys are refused from another origin, and for batches", async () => {
      const headers = { origin: "https://shop.example" }
      const { key } = sandboxKeys.otherOrigin
      expect(await send(gateway, "/v1/search/autocomplete?q=sand", { key, headers })).toMatchObject({
        status: 403,
        code: "origin_not_allowed"
      })
      const body = { codes: [complete.postcode], level: 1 }
      expect(await send(gateway, "/v1/lookup/batch", { key: sandboxKeys.browser.key, body })).toMatchObject({
        status: 403,
        code: "key_type_not_allowed"
      })
    })

    it("sessions of one key work, and sessions of another have expired at once", async () => {
      const bookmarks = async (key: string) => {
        const { data } = await send(gateway, "/v1/widget/session", { key, body: {} })
        return send(gateway, "/v1/widget/bookmarks", { headers: { authorization: `Bearer ${data?.token}` } })
      }
      expect(await bookmarks(sandboxKeys.browser.key)).toMatchObject({ status: 200 })
      expect(await bookmarks(sandboxKeys.expiredSessions.key)).toMatchObject({ status: 401, code: "invalid_token" })
    })

    it.each([
      ["browserRevoked", 401, "invalid_api_key"],
      ["browserNoCredits", 402, "insufficient_credits"],
      ["browserSuspended", 403, "organization_suspended"],
      ["browserLimited", 429, "rate_limit_exceeded"],
      ["browserUnavailable", 503, "service_unavailable"]
    ] as const)("the publishable key %s gets %i %s for a session, also from a page", async (name, status, code) => {
      const { key } = sandboxKeys[name]
      for (const headers of [{}, { origin: "http://localhost:5173" }]) {
        expect(await send(gateway, "/v1/widget/session", { key, body: {}, headers })).toMatchObject({ status, code })
      }
    })

    it("the reserved postcodes cover every status", async () => {
      const states = async (postcode: string) => (await lookup(gateway, "level1", 1, postcode)).data
      expect(await states(bare.postcode)).toMatchObject({ valid: true, status: "valid" })
      expect(await states(retired.postcode)).toEqual({ postcode: retired.postcode, valid: false, status: "retired" })
      expect(await states(replaced.postcode)).toMatchObject({ status: "retired", replaced_by: complete.postcode })
      expect(await states(unknown.postcode)).toMatchObject({ valid: false, status: "not_found" })
      const near = await send(gateway, "/v1/search/reverse?lat=0&lng=0", { key: sandboxKeys.level2.key })
      expect(near.data).toMatchObject({ found: true, unit: { postcode: complete.postcode } })
    })

    it("only test keys get the reserved postcodes", async () => {
      const path = `/v1/lookup?code=${complete.postcode}`
      for (const key of [undefined, sandboxKeys.notVerified.key]) {
        const sent = key === undefined ? {} : { key }
        expect((await send(gateway, path, sent)).data).toMatchObject({ valid: false, status: "not_found" })
        expect((await send(gateway, "/v1/search/autocomplete?q=ZZ", sent)).data).toMatchObject({ suggestions: [] })
        expect((await send(gateway, "/v1/search/reverse?lat=0&lng=0", sent)).data).toMatchObject({ found: false })
      }
    })

    it("other postcodes have the same results as without the sandbox", async () => {
      const postcode = options.directory.directory.postcodeAt(0)
      const found = await lookup(gateway, "level2", 2, postcode)
      expect(found).toMatchObject({ status: 200, data: { administrative_address: { state_name: "Abia" } } })
    })
  })

sandboxSuite("in memory", async () => ({ store: memoryStore(), close: async () => {} }))

sandboxSuite("on PostgreSQL", async () => {
  const database: TestDatabase = await makeTestDatabase()
  return { store: postgresStore({ url: database.url }), close: database.drop }
})

it("a database with an active live key gets no sandbox", async () => {
  const database = await makeTestDatabase()
  const store = postgresStore({ url: database.url })
  const gateway = await createGateway({ ...options, store })
  const headers = { authorization: `Bearer ${operatorToken}` }
  const { data } = await send(gateway, "/v1/admin/organizations", { headers, body: { name: "Shop" } })
  const change = new Request(`http://localhost/v1/admin/organizations/${data?.id}`, {
    method: "PATCH",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ kyb_status: "verified" })
  })
  expect((await gateway.fetch(change)).status).toBe(200)
  const body = { name: "live", kind: "secret", environment: "live", scopes: ["lookup"], max_level: 1 }
  const made = await send(gateway, `/v1/admin/organizations/${data?.id}/keys`, { headers, body })
  expect(made.status).toBe(201)
  await gateway.close()
  const opening = createGateway({ ...options, store: withSandbox(store) })
  await expect(opening).rejects.toThrow(`the organization Shop, ${data?.id}, has an active live key`)
  await database.drop()
})

it("the page of the documentation shows every key and postcode", async () => {
  const page = await readFile(new URL("../../../../docs/sandbox.md", import.meta.url), "utf8")
  for (const { key } of Object.values(sandboxKeys)) expect(page).toContain(key)
  for (const { postcode } of Object.values(sandboxUnits)) expect(page).toContain(postcode)
})
