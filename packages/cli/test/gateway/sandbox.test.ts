/** The sandbox on both stores: what each reserved key and postcode forces. */
import { readFile } from "node:fs/promises"
import { demoDirectory } from "@postcode/demo"
import { type SandboxKeyName, sandboxKeys, sandboxUnits, withSandbox } from "@postcode/demo/sandbox"
import { makeTestDatabase, type TestDatabase } from "@postcode/drills/postgres"
import type { Store } from "@postcode/gateway/Store"
import { createGateway, type EmbeddedGateway } from "@postcode/http"
import { memoryStore } from "@postcode/memory"
import { postgresStore } from "@postcode/postgres"
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

/** A unit of the directory, and the end user of an account with a bookmark of it. */
const { directory } = options.directory
const realUnit = directory.postcodeAt(0)
const at = directory.coordinateAt(0)
const realNames = directory.placeNames(realUnit)
const endUser = "ada@example.com"
/** Its last character is doubled: with the real directory, the service would suggest the unit. */
const mistyped = `${realUnit}${realUnit.at(-1)}`
const [state = "", lga = "", district = "", area = ""] = realUnit.split("-")
const near = `lat=${at.lat}&lng=${at.lon}`
const q = encodeURIComponent(`${realNames.lga_name}, ${realNames.state_name}`)

/** A request to each endpoint about the unit. */
const keyed: ReadonlyArray<readonly [path: string, sent?: Sent & { readonly query?: string }]> = [
  ["/v1/lookup", { query: `code=${realUnit}&level=1` }],
  ["/v1/lookup", { query: `code=${realUnit}&level=5` }],
  ["/v1/lookup", { query: `code=${mistyped}` }],
  ["/v1/lookup/batch", { body: { codes: [realUnit], level: 5 } }],
  ["/v1/search/autocomplete", { query: `q=${state}` }],
  ["/v1/search/autocomplete", { query: `q=${q}` }],
  ["/v1/search/autocomplete", { query: `q=${realUnit}` }],
  ["/v1/search/reverse", { query: near }],
  ["/v1/search/reverse/batch", { body: { points: [{ lat: at.lat, lng: at.lon }] } }],
  ["/v1/search/nearby", { query: `${near}&radius=2000` }],
  ["/v1/search/address", { query: `q=${q}` }],
  ["/v1/search/address/batch", { body: { queries: [decodeURIComponent(q)] } }],
  ["/v1/reference/prices"],
  ["/v1/reference/states"],
  ["/v1/reference/lgas", { query: `state=${state}` }],
  ["/v1/reference/districts", { query: `state=${state}&lga=${lga}` }],
  ["/v1/reference/areas", { query: `state=${state}&lga=${lga}&district=${district}` }],
  ["/v1/assembly/assemble", { body: { state, lga, district, area, unit: realUnit.slice(-2) } }],
  ["/v1/assembly/disassemble", { query: `code=${realUnit}` }],
  ["/v1/assembly/disassemble", { query: `code=${mistyped}` }],
  ["/v1/directory/changes", { query: `since=${directory.version}:0&coordinates=true` }],
  ["/v1/widget/session", { body: {} }]
]

const inSession: ReadonlyArray<readonly [path: string, sent?: Sent & { readonly query?: string }]> = [
  ["/v1/widget/bookmarks"],
  ["/v1/widget/lookup", { query: `code=${realUnit}` }],
  ["/v1/widget/reverse", { query: near }],
  ["/v1/widget/nearby", { query: near }],
  ["/v1/widget/address", { query: `q=${q}` }],
  ["/v1/widget/selected", { body: { postcode: realUnit } }],
  ["/v1/widget/selected", { body: { postcode: mistyped } }]
]

const requestOf = (path: string, { body, headers = {}, key, query = "" }: Sent & { readonly query?: string }) =>
  new Request(`http://localhost${path}?${query}`, {
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(key !== undefined && { "x-api-key": key }),
      ...headers
    }
  })

/** Nothing in the answer says that the unit, or anything around it, exists. The code that was sent may be repeated. */
const expectNothingReal = async (path: string, response: Response) => {
  const text = await response.text()
  expect(text, path).not.toContain("did you mean")
  if (path.startsWith("/v1/assembly/")) return
  expect(text, path).not.toMatch(/"valid": ?true|"found": ?true|point_geometry/)
  const answer = text.replaceAll(realUnit, "").replaceAll(decodeURIComponent(q), "")
  expect(answer, path).not.toMatch(new RegExp(`"${state}[-"]|${realNames.lga_name}|${realNames.state_name}`))
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

    it("a new organization sees the reserved postcodes at every level, and real ones at the granted level", async () => {
      const headers = { authorization: `Bearer ${operatorToken}` }
      const manage = async (path: string, body: object) =>
        (await send(gateway, `/v1/admin${path}`, { body, headers })).data as Record<string, string>
      const { id } = await manage("/organizations", { name: "New" })
      const made = { name: "test", kind: "secret", environment: "test", scopes: ["search", "lookup"], max_level: 5 }
      const { secret: key = "" } = await manage(`/organizations/${id}/keys`, made)
      const balance = async () =>
        (await send(gateway, `/v1/admin/organizations/${id}/credits?environment=test`, { headers })).data?.balance
      const reserved = await send(gateway, `/v1/lookup?code=${complete.postcode}&level=5`, { key })
      expect(reserved.data).toMatchObject({
        other_building_info: { type: "bungalow" },
        point_geometry: { type: "Point" }
      })
      expect(reserved.data).not.toHaveProperty("limited_to")
      expect(await balance()).toBe(997)
      const account = await send(gateway, `/v1/admin/organizations/${id}/credits?environment=test`, { headers })
      expect(account.data).toMatchObject({ entries: [{ amount: -3, level: 5 }, { reason: "opening" }] })
      const real = await send(gateway, `/v1/lookup?code=${realUnit}&level=5`, { key })
      expect(real.data).toEqual({ postcode: realUnit, valid: true, status: "valid", limited_to: 1 })
      expect(await balance()).toBe(997)
      const body = { codes: [realUnit, complete.postcode], level: 3 }
      const { data } = await send(gateway, "/v1/lookup/batch", { key, body })
      expect(data).toMatchObject({
        results: [{ result: { limited_to: 1 } }, { result: { building_use_status: "residential" } }]
      })
      expect(JSON.stringify(data)).not.toContain(realNames.lga_name)
      expect(await balance()).toBe(995)
      const found = await send(gateway, "/v1/search/address?q=1%20Example%20Street%2C%20Sandbox%20Harbour", { key })
      expect(found.data).toMatchObject({ code: complete.postcode })
      expect(await balance()).toBe(994)
      const other = await send(gateway, `/v1/search/address?q=${q}`, { key })
      expect(["state", "lga"]).toContain(other.data?.precision)
      expect(await balance()).toBe(994)
      const live = await send(gateway, `/v1/admin/organizations/${id}/keys`, {
        body: { ...made, environment: "live" },
        headers
      })
      expect(live).toMatchObject({ status: 403, code: "level_not_granted" })
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
      const near = await send(gateway, "/v1/search/reverse?lat=0.01&lng=0", { key: sandboxKeys.level2.key })
      expect(near.data).toMatchObject({ found: true, unit: { postcode: complete.postcode } })
    })

    it("requests without a key do not get the reserved postcodes", async () => {
      const path = `/v1/lookup?code=${complete.postcode}`
      expect((await send(gateway, path)).data).toMatchObject({ valid: false, status: "not_found" })
      expect((await send(gateway, "/v1/search/autocomplete?q=ZZ")).data).toMatchObject({ suggestions: [] })
      expect((await send(gateway, "/v1/search/reverse?lat=0.01&lng=0")).data).toMatchObject({ found: false })
    })

    it("anonymous requests get the directory as it is", async () => {
      const postcode = options.directory.directory.postcodeAt(0)
      const found = await send(gateway, `/v1/lookup?code=${postcode}`)
      expect(found).toMatchObject({ status: 200, data: { valid: true } })
    })

    it("no endpoint of the contract is missing below", async () => {
      const { paths } = (await (await gateway.fetch(new Request("http://localhost/v1/openapi.json"))).json()) as {
        readonly paths: Readonly<Record<string, object>>
      }
      const open = Object.keys(paths).filter((path) => /^\/v1\/(?!(admin|health|mail|oauth)\/)/.test(path))
      expect(open.sort()).toEqual([...new Set([...keyed, ...inSession].map(([path]) => path))].sort())
    })

    it.each(Object.keys(sandboxKeys) as ReadonlyArray<SandboxKeyName>)(
      "the key %s gets nothing of a real unit at any endpoint",
      async (name) => {
        const { key } = sandboxKeys[name]
        for (const [path, sent = {}] of keyed) {
          await expectNothingReal(path, await gateway.fetch(requestOf(path, { ...sent, key })))
        }
        const { data } = await send(gateway, "/v1/widget/session", { key, body: { identifier: endUser } })
        if (data === undefined) return
        const headers = { authorization: `Bearer ${data.token}` }
        for (const [path, sent = {}] of inSession) {
          await expectNothingReal(path, await gateway.fetch(requestOf(path, { ...sent, headers })))
        }
      }
    )

    it("with a reserved key, a mistyped postcode is corrected to a reserved one", async () => {
      const body = { postcode: `${complete.postcode}1` }
      const { data } = await send(gateway, "/v1/widget/session", { key: sandboxKeys.browser.key, body: {} })
      const headers = { authorization: `Bearer ${data?.token}` }
      const refused = await gateway.fetch(requestOf("/v1/widget/selected", { body, headers }))
      expect(await refused.text()).toContain(`did you mean ${complete.postcode}?`)
    })

    it("the management API tells of the sandbox but does not list it, and the store does not contain it", async () => {
      await lookup(gateway, "level5", 5)
      const headers = { authorization: `Bearer ${operatorToken}` }
      const { data } = await send(gateway, "/v1/admin/organizations", { headers })
      expect(JSON.stringify(data)).not.toContain("org_sandbox")
      expect(await send(gateway, "/v1/admin/whoami", { headers })).toMatchObject({ data: { has_sandbox: true } })
      const { id } = sandboxKeys.level5.record
      expect(await send(gateway, `/v1/admin/keys/${id}`, { headers })).toMatchObject({ status: 404 })
    })
  })

sandboxSuite("in memory", async () => ({ store: memoryStore(), close: async () => {} }))

sandboxSuite("on PostgreSQL", async () => {
  const database: TestDatabase = await makeTestDatabase()
  return { store: postgresStore({ url: database.url }), close: database.drop }
})

it("the page of the documentation shows every key and postcode", async () => {
  const page = await readFile(new URL("../../../../docs/sandbox.md", import.meta.url), "utf8")
  for (const { key } of Object.values(sandboxKeys)) expect(page).toContain(key)
  for (const { postcode } of Object.values(sandboxUnits)) expect(page).toContain(postcode)
})
