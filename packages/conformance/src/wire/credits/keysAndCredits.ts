/** API keys, credits and the audit log, as operators see them. */
import { isWellFormedKey } from "@postcode/gateway/keys/ApiKey"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { TestKey } from "../../world/Operator.ts"
import { url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, type Identified, type Received, timestamp } from "../Received.ts"

type Fields = Readonly<Record<string, unknown>>

const root = "/v1/admin/organizations"
const body = { name: "checkout", kind: "secret", environment: "test", scopes: ["search", "lookup"], max_level: 2 }

export const keysAndCredits = (world: World): void => {
  describe("keys", () => {
    keyCreation(world)
    keyRefusals(world)
    keyList(world)
    revocation(world)
  })
  describe("credits", () => {
    grants(world)
    statements(world)
  })
  describe("the audit log", () => audit(world))
}

const create = (world: World, organization_id: string, fields: Fields = {}): Promise<Received> =>
  world.operator.call("POST", `${root}/${organization_id}/keys`, { ...body, ...fields })

const keyCreation = (world: World): void => {
  const prefixes = [
    ["secret", "test", "svc_test_"],
    ["secret", "live", "svc_live_"],
    ["publishable", "test", "svc_pk_"],
    ["publishable", "live", "svc_pk_"]
  ] as const
  it.each(prefixes)("a %s %s key begins with %s and contains its checksum", async (kind, environment, prefix) => {
    const organization_id = await world.operator.organization()
    const origins =
      kind === "publishable" ? ["https://shop.example", "http://localhost:5173", "https://[::1]:8443"] : []
    const created = await create(world, organization_id, { kind, environment, origins, rate_limit_per_minute: 90 })
    expect(created.status).toBe(201)
    const { secret, ...record } = dataOf<{ readonly secret: string; readonly prefix: string }>(created)
    expect(secret.startsWith(prefix)).toBe(true)
    expect(isWellFormedKey(secret)).toBe(true)
    expect(record).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{20}$/),
      organization_id,
      ...body,
      kind,
      environment,
      origins,
      allowed_ips: [],
      rate_limit_per_minute: 90,
      ...(kind === "publishable" && { daily_credit_limit: 1_000 }),
      prefix: secret.slice(0, prefix.length + 4),
      status: "active",
      created_at: timestamp
    })
    expect((await world.client.get("/v1/reference/states", { key: secret })).status).toBe(200)
  })

  it("a publishable key always has a daily limit: 1,000 credits by default", async () => {
    const organization_id = await world.operator.organization()
    const limited = async (fields: Fields) => {
      const created = await create(world, organization_id, { kind: "publishable", ...fields })
      return dataOf<{ daily_credit_limit?: number }>(created).daily_credit_limit
    }
    expect([await limited({}), await limited({ daily_credit_limit: 30 })]).toEqual([1_000, 30])
    const listed = await world.operator.call("GET", `${root}/${organization_id}/keys`)
    const { keys } = dataOf<{ readonly keys: ReadonlyArray<object> }>(listed)
    expect(keys).toMatchObject([
      { daily_credit_limit: 30, credits_today: 0 },
      { daily_credit_limit: 1_000, credits_today: 0 }
    ])
    const off = await create(world, organization_id, { kind: "publishable", daily_credit_limit: null })
    expectFailure(off, "400 invalid_parameter", "daily_credit_limit: expected a whole number from 1 to 1000000000")
  })

  it("the secret is in exactly one answer", async () => {
    const organization_id = await world.operator.organization()
    const { id, secret } = dataOf<{ id: string; secret: string }>(await create(world, organization_id))
    await world.client.get("/v1/reference/states", { key: secret })
    const later = [
      await world.operator.call("GET", `${root}/${organization_id}/keys`),
      await world.operator.call("GET", `${root}/${organization_id}`),
      await world.operator.call("GET", url("/v1/admin/audit", { organization_id })),
      await world.operator.call("GET", `${root}/${organization_id}/usage?environment=test`),
      await world.operator.call("DELETE", `/v1/admin/keys/${id}`)
    ]
    for (const { text } of later) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(secret.slice(-34))
    }
  })

  it("two keys with the same settings are different keys", async () => {
    const organization_id = await world.operator.organization()
    const [first, second] = [await create(world, organization_id), await create(world, organization_id)]
    expect(dataOf<{ secret: string }>(first).secret).not.toBe(dataOf<{ secret: string }>(second).secret)
  })
}

const keyRefusals = (world: World): void => {
  it("a max_level above the grant is 403 level_not_granted for a live key; a test key may have any", async () => {
    for (const granted_level of [1, 2, 3, 4] as const) {
      const id = await world.operator.organization({ granted_level })
      const environment = "live"
      expect((await create(world, id, { environment, max_level: granted_level })).status).toBe(201)
      expect((await create(world, id, { max_level: 5 })).status).toBe(201)
      const refused = await create(world, id, { environment, max_level: granted_level + 1 })
      expectFailure(refused, "403 level_not_granted", "max_level", String(granted_level))
    }
  })

  it.each(["unverified", "pending", "rejected"] as const)(
    "a live key of an organization that is %s is 403",
    async (status) => {
      const id = await world.operator.organization({ kyb_status: status })
      for (const kind of ["secret", "publishable"]) {
        expectFailure(await create(world, id, { kind, environment: "live" }), "403 kyb_required")
        expect((await create(world, id, { kind, environment: "test" })).status).toBe(201)
      }
    }
  )

  it("an organization has at most 100 active keys: one more is 409 conflict, and the message names the limit", async () => {
    const id = await world.operator.organization()
    const { id: first } = await world.operator.key({ organization_id: id })
    for (let i = 1; i < 100; i++) await world.operator.key({ organization_id: id })
    const target = `/v1/admin/organizations/${id}/keys`
    const body = { name: "one more", kind: "secret", environment: "test", scopes: ["search"], max_level: 1 }
    expectFailure(await world.operator.call("POST", target, body), "409 conflict", "100 active keys")
    const rotate = (overlap: string) => world.operator.call("POST", `/v1/admin/keys/${first}/rotate`, { overlap })
    expectFailure(await rotate("1h"), "409 conflict", "100 active keys")
    const rotated = dataOf<TestKey>(await rotate("now"))
    await world.operator.call("DELETE", `/v1/admin/keys/${rotated.id}`)
    expect((await world.operator.call("POST", target, body)).status).toBe(201)
  })

  it("origins of a secret key are 400: only publishable keys are bound to origins", async () => {
    const id = await world.operator.organization()
    expectFailure(await create(world, id, { origins: ["https://a.example"] }), "400 invalid_parameter", "origins")
    expect((await create(world, id, { origins: [] })).status).toBe(201)
  })

  const refused: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]> = [
    ["name", ["", " ", "a\nb", "x".repeat(101), null, 1]],
    ["kind", ["", "public", "SECRET", null]],
    ["environment", ["", "prod", "Test", null]],
    ["scopes", [[], ["read"], ["search", "search"], "search", null, [1], ["search", "lookup", "admin"]]],
    ["max_level", [0, 6, 1.5, "1", null]],
    [
      "origins",
      [
        "https://a.example",
        ["*"],
        ["a.example"],
        ["https://a.example/"],
        ["https://a.example/path"],
        ["https://A.example"],
        ["https://*.example"],
        ["ftp://a.example"],
        ["https://a.example:port"],
        ["https://user@a.example"],
        ["null"],
        new Array(51).fill("https://a.example")
      ]
    ],
    ["rate_limit_per_minute", [0, -1, 1.5, 1_000_001, "60", null]],
    ["daily_credit_limit", [0, -1, 1.5, 1_000_000_001, "60", null]],
    ["expires_at", invalidTimes]
  ]
  it.each(refused)("an invalid %s is 400 and named", async (name, values) => {
    const id = await world.operator.organization()
    for (const value of values) {
      const received = await create(world, id, { kind: "publishable", [name]: value })
      expectFailure(received, "400 invalid_parameter", name, "expected")
    }
  })

  it("each missing required field is 400 and named", async () => {
    const id = await world.operator.organization()
    for (const name of Object.keys(body)) {
      const received = await create(world, id, { [name]: undefined })
      expectFailure(received, "400 invalid_parameter", `${name}: this is required`)
    }
  })
}

/** Values that are not a valid expiry in UTC. */
const invalidTimes = [
  "",
  "tomorrow",
  "90d",
  "2035-01-31",
  "2035-01-31T12:00:00",
  "2035-01-31T12:00:00+01:00",
  "2035-02-29T12:00:00Z",
  "2035-01-31T24:00:00Z",
  "2035-01-31T12:60:00Z",
  "2035-01-31T12:00:00.0001Z",
  "+012035-01-31T12:00:00Z",
  2_053_000_000_000,
  null,
  "2026-01-31T12:00:00Z",
  "1970-01-01T00:00:00Z",
  "2999-01-31T12:00:00Z"
]

const keyList = (world: World): void => {
  it("has each key of an organization exactly once, newest first, and no key of another", async () => {
    const organization_id = await world.operator.organization()
    await world.operator.key()
    const made: Array<string> = []
    for (let i = 0; i < 5; i++) made.push(dataOf<Identified>(await create(world, organization_id)).id)
    const { items, pages } = await world.operator.walk<Identified>(`${root}/${organization_id}/keys`, "keys", 2)
    expect(items.map(({ id }) => id)).toEqual(made.toReversed())
    expect(pages).toBe(3)
  })

  it("a list that ends with a full page has no further page", async () => {
    const organization_id = await world.operator.organization()
    for (let i = 0; i < 4; i++) await create(world, organization_id)
    expect((await world.operator.walk(`${root}/${organization_id}/keys`, "keys", 2)).pages).toBe(2)
  })

  it("shows the last use of a key, and none for a key that was never used", async () => {
    const key = await world.operator.key()
    const list = async () =>
      dataOf<{ keys: ReadonlyArray<Fields> }>(await world.operator.call("GET", `${root}/${key.organization_id}/keys`))
        .keys[0] as Fields
    expect(await list()).not.toHaveProperty("last_used_at")
    await world.client.get("/v1/search/autocomplete", { key: key.secret })
    await expect.poll(list).toMatchObject({ id: key.id, status: "active", last_used_at: timestamp })
  })

  it("an invalid cursor is 400", async () => {
    const id = await world.operator.organization()
    const received = await world.operator.call("GET", `${root}/${id}/keys?cursor=nothing`)
    expectFailure(received, "400 invalid_parameter", "cursor: expected the next_cursor")
  })
}

const revocation = (world: World): void => {
  it("returns id and time, is effective at once, and shows in the list", async () => {
    const key = await world.operator.key()
    const revoked = dataOf(await world.operator.call("DELETE", `/v1/admin/keys/${key.id}`))
    expect(revoked).toEqual({ id: key.id, revoked_at: timestamp })
    const lookup = url("/v1/lookup", { code: postcodes.full, level: 2 })
    expectFailure(await world.client.get(lookup, { key: key.secret }), "401 invalid_api_key")
    const list = await world.operator.call("GET", `${root}/${key.organization_id}/keys`)
    expect(dataOf(list)).toMatchObject({ keys: [{ ...(revoked as object), status: "revoked" }] })
  })

  it("a second time changes nothing and returns the same", async () => {
    const key = await world.operator.key()
    const first = await world.operator.call("DELETE", `/v1/admin/keys/${key.id}`)
    expect((await world.operator.call("DELETE", `/v1/admin/keys/${key.id}`)).text).toBe(first.text)
  })

  it("does not affect other keys of the organization", async () => {
    const key = await world.operator.key()
    const other = await world.operator.key({ organization_id: key.organization_id })
    await world.operator.revoke(key)
    expect((await world.client.get("/v1/reference/states", { key: other.secret })).status).toBe(200)
  })
}

const grants = (world: World): void => {
  const grant = (id: string, fields: Fields = {}) =>
    world.operator.call("POST", `${root}/${id}/credits`, {
      amount: 100,
      environment: "live",
      reference: "invoice 1",
      ...fields
    })

  it("a grant returns its entry and the balance", async () => {
    const id = await world.operator.organization()
    const granted = await grant(id)
    expect(granted.status).toBe(201)
    expect(dataOf(granted)).toEqual({ entry_id: expect.any(String), balance: 100 })
    const second = await grant(id, { reference: "invoice 2", amount: 5 })
    expect(dataOf(second)).toMatchObject({ balance: 105 })
  })

  it("a repeated reference has the same answer and is applied once, also in ten concurrent requests", async () => {
    const id = await world.operator.organization()
    const all = await Promise.all(Array.from({ length: 10 }, () => grant(id)))
    await grant(id, { reference: "in between" })
    all.push(await grant(id))
    expect(new Set(all.map(({ text }) => text)).size).toBe(1)
    expect((await world.operator.statement(id, "live")).balance).toBe(200)
  })

  it("the same reference with another amount is 409", async () => {
    const id = await world.operator.organization()
    await grant(id)
    expectFailure(await grant(id, { amount: 101 }), "409 conflict", "reference")
    expect((await world.operator.statement(id, "live")).balance).toBe(100)
  })

  it("references are separate for each organization and balance", async () => {
    const [first, second] = [await world.operator.organization(), await world.operator.organization()]
    await grant(first)
    await grant(first, { environment: "test", amount: 7 })
    await grant(second, { amount: 9 })
    expect((await world.operator.statement(first, "live")).balance).toBe(100)
    expect((await world.operator.statement(first, "test")).balance).toBe(1_007)
    expect((await world.operator.statement(second, "live")).balance).toBe(9)
  })

  const refused: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]> = [
    ["amount", [0, -1, 1.5, 1_000_000_001, 1e300, "5", null, true]],
    ["environment", ["", "prod", null]],
    ["reference", ["", " ", "a\u0000", "x".repeat(201), null, 1]]
  ]
  it.each(refused)("an invalid %s is 400 and named, and nothing is granted", async (name, values) => {
    const id = await world.operator.organization()
    for (const value of values) expectFailure(await grant(id, { [name]: value }), "400 invalid_parameter", `${name}: `)
    expect((await world.operator.statement(id, "live")).entries).toEqual([])
  })
}

const statements = (world: World): void => {
  it("entries are listed newest first with the balance after each; a new balance starts with its first entry", async () => {
    const key = await world.operator.key()
    await world.operator.grant(key.organization_id, 50, "test")
    await world.client.get(url("/v1/lookup", { code: postcodes.full, level: 3 }), { key: key.secret })
    const { balance, entries } = await world.operator.statement(key.organization_id, "test")
    expect(balance).toBe(1_048)
    expect(entries).toEqual([
      {
        id: expect.any(String),
        amount: -2,
        reason: "lookup",
        reference: expect.any(String),
        key_id: key.id,
        level: 3,
        note: null,
        balance_after: 1_048,
        created_at: timestamp
      },
      {
        id: expect.any(String),
        amount: 50,
        reason: "grant",
        reference: "invoice 1",
        key_id: null,
        level: null,
        note: null,
        balance_after: 1_050,
        created_at: timestamp
      },
      {
        id: expect.any(String),
        amount: 1_000,
        reason: "opening",
        reference: key.organization_id,
        key_id: null,
        level: null,
        note: null,
        balance_after: 1_000,
        created_at: timestamp
      }
    ])
  })

  it("pages have each entry exactly once, and each page has the balance", async () => {
    const key = await world.operator.keyWithCredits(20)
    const lookup = url("/v1/lookup", { code: postcodes.full, level: 2 })
    for (let i = 0; i < 8; i++) await world.client.get(lookup, { key: key.secret })
    const target = `${root}/${key.organization_id}/credits?environment=live`
    const { items, pages } = await world.operator.walk<{ balance_after: number }>(target, "entries", 3)
    expect(items.map(({ balance_after }) => balance_after)).toEqual([12, 13, 14, 15, 16, 17, 18, 19, 20])
    expect(pages).toBe(3)
    expect(dataOf(await world.operator.call("GET", `${target}&limit=1`))).toMatchObject({ balance: 12 })
  })

  it("environment is required, and is test or live", async () => {
    const id = await world.operator.organization()
    for (const query of ["", "?environment=", "?environment=prod", "?environment=Test"]) {
      const received = await world.operator.call("GET", `${root}/${id}/credits${query}`)
      expectFailure(received, "400 invalid_parameter", "environment: ")
    }
    const received = await world.operator.call("GET", `${root}/${id}/credits?environment=test&cursor=nothing`)
    expectFailure(received, "400 invalid_parameter", "cursor: ")
  })
}

const audit = (world: World): void => {
  const eventsOf = async (organization_id: string, query: Readonly<Record<string, string>> = {}) => {
    const target = url("/v1/admin/audit", { organization_id, ...query })
    return dataOf<{ events: ReadonlyArray<Fields> }>(await world.operator.call("GET", target)).events
  }

  it("has actor, action and target, newest first", async () => {
    const key = await world.operator.key({ granted_level: 2, max_level: 2 })
    const id = key.organization_id
    await world.operator.grant(id, 5, "live")
    await world.operator.revoke(key)
    const asked = await world.operator.call("POST", `${root}/${id}/access-requests`, { level: 4, reason: "more" })
    const request = dataOf<Identified>(asked).id
    const decision = { decision: "approved", note: "fine" }
    await world.operator.call("POST", `/v1/admin/access-requests/${request}/decision`, decision)
    const common = { id: expect.stringMatching(/^evt_[0-9A-Za-z]{20}$/), at: timestamp, actor: "operator" }
    const events = await eventsOf(id)
    expect(events.map(({ action }) => action)).toEqual([
      "access_request.decided",
      "access_request.created",
      "key.revoked",
      "credits.granted",
      "key.created",
      "organization.updated",
      "organization.created"
    ])
    for (const event of events) expect(event).toMatchObject({ ...common, organization_id: id })
    expect(events[0]).toMatchObject({ subject: request, details: { level: 4, status: "approved", note: "fine" } })
    expect(events[2]).toMatchObject({ subject: key.id })
    expect(events[3]).toMatchObject({ details: { amount: 5, environment: "live", reference: "invoice 1" } })
    expect(events[4]).toMatchObject({ subject: key.id, details: { kind: "secret", max_level: 2 } })
    expect(events[5]).toMatchObject({ subject: id, details: { granted_level: 2, kyb_status: "verified" } })
  })

  it("has no entry for a refused call", async () => {
    const id = await world.operator.organization({ granted_level: 1, kyb_status: "pending" })
    const before = await eventsOf(id)
    await create(world, id, { max_level: 5, environment: "live" })
    await create(world, id, { max_level: 1, environment: "live" })
    await world.operator.call("PATCH", `${root}/${id}`, { granted_level: 5 })
    await world.operator.call("POST", `${root}/${id}/access-requests`, { level: 1, reason: "less" })
    expect(await eventsOf(id)).toEqual(before)
  })

  it("filters by action and organization, and pages have each entry exactly once", async () => {
    const id = await world.operator.organization()
    for (let i = 0; i < 5; i++) await create(world, id)
    const target = url("/v1/admin/audit", { organization_id: id, action: "key.created" })
    const { items, pages } = await world.operator.walk<Fields>(target, "events", 2)
    expect(items).toHaveLength(5)
    expect(pages).toBe(3)
    expect(new Set(items.map((event) => event.id)).size).toBe(5)
    expect(items.every((event) => event.action === "key.created" && event.organization_id === id)).toBe(true)
    expect(await eventsOf("org_none")).toEqual([])
  })

  it("an unknown action is 400", async () => {
    const received = await world.operator.call("GET", "/v1/admin/audit?action=key.stolen")
    expectFailure(received, "400 invalid_parameter", "action: expected actions in this log")
  })
}
