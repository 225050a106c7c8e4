/** Changes of keys: what may change, how it takes effect, and the addresses and origins that a key can be bound to. */
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { TestKey } from "../../world/Operator.ts"
import { json, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, outcomeOf } from "../Received.ts"

const lookup = url("/v1/lookup", { code: postcodes.full, level: 2 })
const shop = "https://shop.example"

export const keyChanges = (world: World): void => {
  describe("PATCH /v1/admin/keys/{id}", () => {
    fields(world)
    rules(world)
    audit(world)
  })
  describe("the addresses of a secret key", () => addresses(world))
  describe("the origins of a publishable key", () => {
    origins(world)
    withoutOrigins(world)
  })
}

const patch = (world: World, { id }: Pick<TestKey, "id">, change: object) =>
  world.operator.call("PATCH", `/v1/admin/keys/${id}`, change)

const show = async (world: World, { id }: TestKey) =>
  dataOf<Readonly<Record<string, unknown>>>(await world.operator.call("GET", `/v1/admin/keys/${id}`))

const fields = (world: World): void => {
  it("changes what it names, and answers the key as GET does", async () => {
    const key = await world.operator.key({ max_level: 3 })
    const before = await show(world, key)
    const change = { name: "renamed", allowed_ips: ["192.0.2.1"], rate_limit_per_minute: 70, daily_credit_limit: 9 }
    const changed = dataOf(await patch(world, key, change))
    expect(changed).toEqual({ ...before, ...change })
    expect(await show(world, key)).toMatchObject({ ...before, ...change })
  })

  it("null resets a limit: to the service's, to none for a secret key, and to 1,000 for a publishable key", async () => {
    const limits = { rate_limit_per_minute: 70, daily_credit_limit: 9 }
    const none = { rate_limit_per_minute: null, daily_credit_limit: null }
    const secret = await world.operator.key(limits)
    const changed = dataOf(await patch(world, secret, none))
    expect(changed).not.toHaveProperty("rate_limit_per_minute")
    expect(changed).not.toHaveProperty("daily_credit_limit")
    const publishable = await world.operator.key({ kind: "publishable", ...limits })
    expect(dataOf(await patch(world, publishable, none))).toMatchObject({ daily_credit_limit: 1_000 })
  })

  it("a new daily limit holds for the next charge, and a new rate limit for the next request, on every replica", async () => {
    const key = await world.operator.keyWithCredits(50)
    const { client } = await world.serveAnother()
    expect(outcomeOf(await client.get(lookup, { key: key.secret }))).toBe("200")
    dataOf(await patch(world, key, { daily_credit_limit: 1, rate_limit_per_minute: 71 }))
    const received = await world.client.get(lookup, { key: key.secret })
    expect(received.headers["x-ratelimit-limit"]).toBe("71")
    expect(outcomeOf(received)).toBe("200")
    expectFailure(await client.get(lookup, { key: key.secret }), "429 rate_limit_exceeded", "1 credit a day")
    await expect
      .poll(async () => (await client.get("/v1/reference/states", { key: key.secret })).headers["x-ratelimit-limit"])
      .toBe("71")
  })

  it("a rotated key has the changed fields", async () => {
    const key = await world.operator.key()
    dataOf(await patch(world, key, { name: "renamed", allowed_ips: ["0.0.0.0/0"] }))
    const next = await world.operator.rotate(key, "now")
    expect(await show(world, next)).toMatchObject({ name: "renamed", allowed_ips: ["0.0.0.0/0"] })
  })
}

const rules = (world: World): void => {
  it.each([
    ["name", ""],
    ["rate_limit_per_minute", 0],
    ["daily_credit_limit", 1.5],
    ["origins", ["https://shop.example/"]],
    ["allowed_ips", ["10.0.0.7/8"]],
    ["allowed_ips", Array(51).fill("192.0.2.1")],
    ["allowed_ips", "192.0.2.1"]
  ])("%s: %j → 400, and nothing changes", async (field, value) => {
    const key = await world.operator.key()
    const before = await show(world, key)
    expectFailure(await patch(world, key, { [field]: value }), "400 invalid_parameter", field)
    expect(await show(world, key)).toEqual(before)
  })

  it("a secret key has no origins, and a publishable key no addresses, when it is created as when it is changed", async () => {
    const secret = await world.operator.key()
    const publishable = await world.operator.key({ kind: "publishable" })
    expectFailure(await patch(world, secret, { origins: [shop] }), "400 invalid_parameter", "origins: only")
    const bound = { allowed_ips: ["192.0.2.1"] }
    expectFailure(await patch(world, publishable, bound), "400 invalid_parameter", "allowed_ips: only a secret key")
    const body = { name: "x", kind: "publishable", environment: "test", scopes: ["lookup"], max_level: 1, ...bound }
    const created = await world.operator.call("POST", `/v1/admin/organizations/${secret.organization_id}/keys`, body)
    expectFailure(created, "400 invalid_parameter", "allowed_ips: only a secret key")
  })

  it("a revoked or unknown key → 409, 404", async () => {
    const key = await world.operator.key()
    await world.operator.revoke(key)
    expectFailure(await patch(world, key, { name: "late" }), "409 conflict", "only an active key")
    expectFailure(await patch(world, { id: "key_none" }, { name: "none" }), "404 not_found")
  })

  it("a member may raise a rate limit up to the service's, an operator above", async () => {
    const key = await world.operator.key()
    const { headers } = await world.operator.account("developer", key.organization_id)
    const asMember = (rate_limit_per_minute: number) =>
      world.client.send({
        method: "PATCH",
        target: `/v1/admin/keys/${key.id}`,
        ...json({ rate_limit_per_minute }, { headers })
      })
    expect(outcomeOf(await asMember(600))).toBe("200")
    expectFailure(await asMember(601), "403 insufficient_scope", "at most the service's 600")
    expect(outcomeOf(await patch(world, key, { rate_limit_per_minute: 601 }))).toBe("200")
  })
}

const withoutOrigins = (world: World): void => {
  it("that has none is answered with a warning that no browser can use it, until it has one", async () => {
    const none = "no browser can use this key, because it has no origins: add the origins of your pages"
    const organization = await world.operator.organization()
    const body = { name: "Test", kind: "publishable", environment: "test", scopes: ["search"], max_level: 1 }
    const target = `/v1/admin/organizations/${organization}/keys`
    const created = dataOf<TestKey & Warned>(await world.operator.call("POST", target, body))
    const rotated = dataOf<TestKey & Warned>(
      await world.operator.call("POST", `/v1/admin/keys/${created.id}/rotate`, { overlap: "now" })
    )
    const [listed, revoked] = dataOf<{ readonly keys: ReadonlyArray<Warned> }>(
      await world.operator.call("GET", target)
    ).keys
    for (const { warning } of [created, rotated, listed as Warned, await show(world, rotated)])
      expect(warning).toBe(none)
    expect(revoked).not.toHaveProperty("warning")
    const changed = dataOf(await patch(world, rotated, { origins: ["https://shop.example"] }))
    expect(changed).not.toHaveProperty("warning")
    expect(dataOf(await patch(world, rotated, { origins: [] }))).toMatchObject({ warning: none })
    expect(await show(world, await world.operator.key())).not.toHaveProperty("warning")
  })
}

interface Warned {
  readonly warning?: string
}

const audit = (world: World): void => {
  it("is audited with the names of the fields that changed, once, and not if nothing did", async () => {
    const key = await world.operator.key()
    const change = { name: "renamed", allowed_ips: ["192.0.2.1"], rate_limit_per_minute: 70 }
    dataOf(await patch(world, key, change))
    dataOf(await patch(world, key, change))
    const { text } = await world.operator.call("GET", `/v1/admin/audit?action=key.updated&subject=${key.id}`)
    const { events } = (JSON.parse(text) as { readonly data: { readonly events: ReadonlyArray<object> } }).data
    expect(events).toEqual([
      expect.objectContaining({
        action: "key.updated",
        organization_id: key.organization_id,
        details: { prefix: expect.any(String), changed: "allowed_ips, name, rate_limit_per_minute" }
      })
    ])
    expect(text).not.toMatch(/renamed|192\.0\.2/)
  })
}

const addresses = (world: World): void => {
  const free = "/v1/search/autocomplete?q=LA"

  it("an address in the list passes, any other is 403 address_not_allowed on every endpoint, and is not charged", async () => {
    const key = await world.operator.keyWithCredits(50, { allowed_ips: ["203.0.113.7", "2001:db8::/32"] })
    for (const address of ["203.0.113.7", "::ffff:203.0.113.7", "2001:db8:1::9"]) {
      expect(outcomeOf(await world.client.get(lookup, { key: key.secret, address }))).toBe("200")
    }
    for (const address of ["203.0.113.8", "2001:db9::1"]) {
      for (const target of [lookup, free, "/v1/reference/states"]) {
        const received = await world.client.get(target, { key: key.secret, address })
        expectFailure(received, "403 address_not_allowed", address)
        expect(received.headers).not.toHaveProperty("x-credits-charged")
      }
    }
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(47)
  })

  it("it is the client's address as the trusted proxies report it; what a client writes before it does not count", async () => {
    const key = await world.operator.key({ allowed_ips: ["203.0.113.7"] })
    const address = "203.0.113.7, 198.51.100.1"
    expectFailure(await world.client.get(free, { key: key.secret, address }), "403 address_not_allowed", "198.51.100.1")
    const { client } = await world.serveAnother({ trustedProxies: [] })
    expectFailure(await client.get(free, { key: key.secret, address: "203.0.113.7" }), "403 address_not_allowed")
  })

  it("refused requests count under the address, not under the key", async () => {
    const key = await world.operator.key({ allowed_ips: ["203.0.113.7"], rate_limit_per_minute: 1 })
    for (let i = 0; i < 3; i++) {
      expect(outcomeOf(await world.client.get(free, { key: key.secret }))).toBe("403 address_not_allowed")
    }
    expect(outcomeOf(await world.client.get(free, { key: key.secret, address: "203.0.113.7" }))).toBe("200")
  })

  it("a change of the list takes effect on another replica as well", async () => {
    const key = await world.operator.key()
    const { client } = await world.serveAnother()
    expect(outcomeOf(await client.get(free, { key: key.secret }))).toBe("200")
    dataOf(await patch(world, key, { allowed_ips: ["192.0.2.1"] }))
    expect(outcomeOf(await world.client.get(free, { key: key.secret }))).toBe("403 address_not_allowed")
    await expect
      .poll(async () => outcomeOf(await client.get(free, { key: key.secret })))
      .toBe("403 address_not_allowed")
    dataOf(await patch(world, key, { allowed_ips: [] }))
    expect(outcomeOf(await world.client.get(free, { key: key.secret }))).toBe("200")
  })
}

const origins = (world: World): void => {
  const from = (origin: string) => ({ headers: { origin } })
  const target = "/v1/search/autocomplete?q=LA"

  it("*. means exactly one label", async () => {
    const key = await world.operator.key({
      kind: "publishable",
      origins: ["https://*.shop.example", "https://*.a.example:8443"]
    })
    for (const origin of ["https://pay.shop.example", "https://a-1.shop.example", "https://b.a.example:8443"]) {
      expect(outcomeOf(await world.client.get(target, { key: key.secret, ...from(origin) })), origin).toBe("200")
    }
    for (const origin of [
      "https://shop.example",
      "https://a.b.shop.example",
      "http://pay.shop.example",
      "https://pay.shop.example:8443",
      "https://.shop.example",
      "https://payshop.example",
      "https://pay.shop.example.evil.example",
      "https://evil.example/.shop.example",
      "https://evil.example#.shop.example",
      "https://*.shop.example",
      "https://b.a.example"
    ]) {
      const received = await world.client.get(target, { key: key.secret, ...from(origin) })
      expect(outcomeOf(received), origin).toBe("403 origin_not_allowed")
    }
  })

  it.each([
    "https://*.co.uk",
    "https://*.com.ng",
    "https://*.github.io",
    "https://*.vercel.app",
    "https://*.herokuapp.com",
    "https://*.ngrok.io",
    "https://*.co.uk:8443",
    "https://*.kawasaki.jp"
  ])("%s allows names that anyone can register: 400, when a key is created as when it is changed", async (shared) => {
    const key = await world.operator.key({ kind: "publishable", origins: [shared.replace("*", "a.b")] })
    const origins = ["https://shop.example", shared]
    expectFailure(await patch(world, key, { origins }), "400 invalid_parameter", `origins: anyone can register`)
    const body = { name: "x", kind: "publishable", environment: "test", scopes: ["lookup"], max_level: 1, origins }
    const created = await world.operator.call("POST", `/v1/admin/organizations/${key.organization_id}/keys`, body)
    expectFailure(created, "400 invalid_parameter", shared)
    expect(outcomeOf(await patch(world, key, { origins: [shared.replace("*", "*.a.b")] }))).toBe("200")
  })

  it.each(["capacitor://localhost", "ionic://localhost"])(
    "%s of an app can be listed, and passes exactly",
    async (origin) => {
      const key = await world.operator.key({ kind: "publishable", origins: [origin] })
      expect(outcomeOf(await world.client.get(target, { key: key.secret, ...from(origin) }))).toBe("200")
      for (const other of [
        "http://localhost",
        "https://localhost",
        `${origin}:80`,
        `${origin}.evil.example`,
        "app://localhost"
      ]) {
        const received = await world.client.get(target, { key: key.secret, ...from(other) })
        expect(outcomeOf(received), other).toBe("403 origin_not_allowed")
      }
    }
  )

  it("a session ends when its key no longer lists its origin, and the key works on a new one", async () => {
    const key = await world.operator.key({ kind: "publishable", origins: [shop] })
    const token = await world.operator.session(key, "nobody@example.com", shop)
    const bookmarks = () => world.client.get("/v1/widget/bookmarks", { token, ...from(shop) })
    expect(outcomeOf(await bookmarks())).toBe("200")
    dataOf(await patch(world, key, { origins: ["https://new.example"] }))
    expectFailure(await bookmarks(), "403 origin_not_allowed", shop)
    expect(outcomeOf(await world.client.get("/v1/widget/bookmarks", { token }))).toBe("403 origin_not_allowed")
    expect(outcomeOf(await world.client.get(target, { key: key.secret, ...from("https://new.example") }))).toBe("200")
  })
}
