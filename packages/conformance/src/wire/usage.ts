/** Usage of keys: reports by day, and the details of one key. */
import { trafficSlot_ms } from "@postcode/gateway/usage/UsageLog"
import { describe, expect, it } from "vitest"
import { postcodes } from "../world/FixtureDirectory.ts"
import type { TestKey } from "../world/Operator.ts"
import { url } from "../world/TestClient.ts"
import type { World } from "../world/World.ts"
import { dataOf, expectFailure, outcomeOf } from "./Received.ts"

type Fields = Readonly<Record<string, unknown>>

const root = "/v1/admin/organizations"
const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)

export const usage = (world: World): void => {
  describe("usage", () => {
    byOperation(world)
    byDimensions(world)
    ofOneKey(world)
    periods(world)
  })
  describe("credits by day", () => creditDays(world))
  describe("the details of a key", () => {
    details(world)
    traffic(world)
  })
}

const usageOf = async (world: World, organization_id: string, query: Readonly<Record<string, string>> = {}) => {
  const target = url(`${root}/${organization_id}/usage`, { environment: "live", ...query })
  return dataOf<{ usage: ReadonlyArray<Fields> }>(await world.operator.call("GET", target)).usage
}

const creditDays = (world: World): void => {
  const days = async (query: Readonly<Record<string, string>>) =>
    await world.operator.call("GET", url("/v1/admin/credits/days", query))

  it("sum the entries of all organizations, and equal the ledger after a charge", async () => {
    const key = await world.operator.keyWithCredits(100)
    const today = new Date().toISOString().slice(0, 10)
    const read = async () => {
      const query = { environment: "live", from: today, to: today }
      const [day] = dataOf<{ days: ReadonlyArray<Record<string, number>> }>(await days(query)).days
      return day ?? {}
    }
    const { charged = 0, granted = 0, refunded = 0 } = await read()
    await world.client.get(lookup(4), { key: key.secret })
    await world.operator.keyWithCredits(7)
    const correction = { environment: "live", amount: -2, kind: "refund", reason: "test", reference: "days-1" }
    await world.operator.call("POST", `${root}/${key.organization_id}/credits/corrections`, correction)
    expect(await read()).toMatchObject({
      date: today,
      charged: charged + 3,
      granted: granted + 7,
      refunded: refunded - 2
    })
  })

  it("are for operators, of an environment, and of at most 366 days in order", async () => {
    const organization = await world.operator.organization()
    const owner = await world.operator.account("owner", organization)
    const target = "/v1/admin/credits/days?environment=live"
    expectFailure(await world.client.get(target, owner), "403 insufficient_scope")
    expectFailure(await world.client.get(target), "401 auth_required")
    expectFailure(await days({}), "400 invalid_parameter", "environment")
    expectFailure(await days({ environment: "prod" }), "400 invalid_parameter", "environment")
    for (const from of ["2026-02-30", "yesterday", "2026-01-31T00:00:00Z", "20260131"]) {
      expectFailure(await days({ environment: "live", from }), "400 invalid_parameter", "from")
    }
    const backwards = { environment: "live", from: "2026-01-02", to: "2026-01-01" }
    expectFailure(await days(backwards), "400 invalid_parameter", "from")
    const long = { environment: "live", from: "2024-01-01", to: "2026-01-01" }
    expectFailure(await days(long), "400 invalid_parameter", "366 days")
    const past = { environment: "live", from: "2001-01-01", to: "2001-12-31" }
    expect(dataOf(await days(past))).toEqual({ days: [] })
  })
}

const byOperation = (world: World): void => {
  it("counts requests and credits by day and operation, including failures, separately for each environment", async () => {
    const key = await world.operator.keyWithCredits(100)
    const test = await world.operator.key({ organization_id: key.organization_id })
    const targets = [
      url("/v1/lookup", { code: postcodes.full, level: 4 }),
      url("/v1/lookup", { code: postcodes.full, level: 2 }),
      url("/v1/lookup", { code: postcodes.unknown, level: 4 }),
      "/v1/lookup?code=bad",
      "/v1/search/autocomplete?q=LA"
    ]
    for (const target of targets) await world.client.get(target, { key: key.secret })
    await world.client.post("/v1/lookup/batch", { level: 3, codes: [postcodes.full] }, { key: key.secret })
    await world.client.get(targets[0] as string, { key: test.secret })
    const expected = [
      { date, operation: "lookup.batch", requests: 1, credits: 2 },
      { date, operation: "lookup.single", requests: 4, credits: 4 },
      { date, operation: "search.autocomplete", requests: 1, credits: 0 }
    ]
    await expect.poll(() => usageOf(world, key.organization_id)).toEqual(expected)
    const inTest = () => usageOf(world, key.organization_id, { environment: "test" })
    const expectedInTest = [{ date, operation: "lookup.single", requests: 1, credits: 3 }]
    await expect.poll(inTest).toEqual(expectedInTest)
  })
}

const lookup = (level: number) => url("/v1/lookup", { code: postcodes.full, level })

/** Sends one request of a key for each status: a charged answer, an invalid parameter, too few credits. */
const ask = async (world: World, { secret: key }: TestKey, statuses: ReadonlyArray<200 | 400 | 402>): Promise<void> => {
  const targets = { 200: lookup(2), 400: "/v1/lookup?code=bad", 402: lookup(4) }
  for (const status of statuses) expect((await world.client.get(targets[status], { key })).status).toBe(status)
}

const byDimensions = (world: World): void => {
  it("is counted by the level served, null without one", async () => {
    const key = await world.operator.keyWithCredits(10)
    await world.operator.change(key.organization_id, { granted_level: 3 })
    for (const level of [1, 2, 3, 4, 5]) await world.client.get(lookup(level), { key: key.secret })
    await world.client.get("/v1/search/autocomplete?q=LA", { key: key.secret })
    await expect
      .poll(() => usageOf(world, key.organization_id, { by: "level" }))
      .toEqual([
        { date, level: null, requests: 1, credits: 0 },
        { date, level: 1, requests: 1, credits: 0 },
        { date, level: 2, requests: 1, credits: 1 },
        { date, level: 3, requests: 3, credits: 6 }
      ])
  })

  it("is counted by key; a widget session counts under the key that started it", async () => {
    const secret = await world.operator.key()
    const { organization_id } = secret
    const publishable = await world.operator.key({ organization_id, kind: "publishable", max_level: 1 })
    await world.client.get("/v1/widget/bookmarks", { token: await world.operator.session(publishable) })
    await world.client.get("/v1/reference/states", { key: secret.secret })
    const rows = [
      { date, key_id: publishable.id, requests: 2, credits: 1 },
      { date, key_id: secret.id, requests: 1, credits: 0 }
    ]
    await expect
      .poll(() => usageOf(world, organization_id, { by: "key", environment: "test" }))
      .toEqual(rows.toSorted((a, b) => (a.key_id < b.key_id ? -1 : 1)))
  })

  it("is counted by status, including all refusals", async () => {
    const key = await world.operator.keyWithCredits(2, { rate_limit_per_minute: 6 })
    await ask(world, key, [200, 400, 402, 402])
    const secret = { key: key.secret }
    expect((await world.client.post("/v1/lookup", {}, secret)).status).toBe(405)
    expect((await world.client.get("/v1/search/reverse?lat=1&lng=1&max_distance_m=1", secret)).status).toBe(200)
    expect((await world.client.get(lookup(1), secret)).status).toBe(429)
    await expect
      .poll(() => usageOf(world, key.organization_id, { by: "status" }))
      .toEqual([
        { date, status: 200, requests: 2, credits: 1 },
        { date, status: 400, requests: 1, credits: 0 },
        { date, status: 402, requests: 2, credits: 0 },
        { date, status: 429, requests: 1, credits: 0 }
      ])
  })
}

const ofOneKey = (world: World): void => {
  it("can be limited to one key", async () => {
    const one = await world.operator.keyWithCredits(3)
    const { organization_id } = one
    const other = await world.operator.key({ organization_id, environment: "live" })
    await ask(world, one, [200, 402, 400])
    await ask(world, other, [200])
    const of = (key_id: string, by: string) => usageOf(world, organization_id, { key_id, by })
    await expect
      .poll(() => of(one.id, "status"))
      .toEqual([
        { date, status: 200, requests: 1, credits: 1 },
        { date, status: 400, requests: 1, credits: 0 },
        { date, status: 402, requests: 1, credits: 0 }
      ])
    await expect
      .poll(() => of(other.id, "operation"))
      .toEqual([{ date, operation: "lookup.single", requests: 1, credits: 1 }])
  })

  it("of an unknown key, or of a key of another organization, is 404", async () => {
    const [one, other] = [await world.operator.key(), await world.operator.key()]
    for (const key_id of [other.id, "key_none", "%00", "a\u0000b"]) {
      const target = url(`${root}/${one.organization_id}/usage`, { environment: "test", key_id })
      expectFailure(await world.operator.call("GET", target), "404 not_found", "there is no key with this id")
    }
    expect(await usageOf(world, one.organization_id, { environment: "test", key_id: one.id })).toEqual([])
  })
}

const periods = (world: World): void => {
  it("covers the requested days, both included", async () => {
    const id = await world.operator.organization()
    expect(await usageOf(world, id, { from: "2026-01-01", to: "2026-01-01" })).toEqual([])
    expect(await usageOf(world, id, { from: "2026-01-01", to: "2027-01-01" })).toEqual([])
    expect(await usageOf(world, id, { to: "2026-01-31" })).toEqual([])
  })

  const refused: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
    ["from", { from: "yesterday" }],
    ["from", { from: "2026-02-30" }],
    ["from", { from: "2026-1-1" }],
    ["from", { from: "0000-12-31", to: "0001-01-01" }],
    ["to", { to: "0000-01-01" }],
    ["to", { to: "0001-01-01" }],
    ["from", { from: "2026-01-01T00:00:00Z" }],
    ["from", { from: "2026-02-01", to: "2026-01-31" }],
    ["from", { from: "2025-01-01", to: "2026-01-02" }],
    ["from", { from: "9999-12-31" }],
    ["to", { to: "2026-13-01" }],
    ["to", { to: "0" }],
    ["environment", { environment: "" }],
    ["by", { by: "day" }],
    ["by", { by: "key_id" }]
  ]
  it.each(refused)("an invalid %s is 400: %o", async (name, query) => {
    const id = await world.operator.organization()
    const target = url(`${root}/${id}/usage`, { environment: "live", ...query })
    expectFailure(await world.operator.call("GET", target), "400 invalid_parameter", `${name}: `)
  })
}

const details = (world: World): void => {
  it("is the entry of the list of keys, active and revoked, and never contains the secret", async () => {
    const key = await world.operator.keyWithCredits(5, { daily_credit_limit: 3, rate_limit_per_minute: 90 })
    const same = async () => {
      const shown = await world.operator.call("GET", `/v1/admin/keys/${key.id}`)
      const listed = await world.operator.call("GET", `${root}/${key.organization_id}/keys`)
      expect([dataOf(shown)]).toEqual(dataOf<{ readonly keys: unknown }>(listed).keys)
      expect(shown.text).not.toContain(key.secret)
      return dataOf<Fields>(shown)
    }
    expect(await same()).toMatchObject({ status: "active", credits_today: 0 })
    await ask(world, key, [200])
    expect(await same()).toMatchObject({ status: "active", credits_today: 1, last_used_at: expect.any(String) })
    await world.operator.revoke(key)
    expect(await same()).toMatchObject({ status: "revoked", revoked_at: expect.any(String) })
  })

  it.each(["", "/traffic"])("of an unknown key is 404: /v1/admin/keys/key_none%s", async (rest) => {
    const received = await world.operator.call("GET", `/v1/admin/keys/key_none${rest}`)
    expectFailure(received, "404 not_found", "there is no key with this id")
  })
}

const traffic = (world: World): void => {
  it("has the requests of the last hour and of up to five minutes before it, and reports the start", async () => {
    const key = await world.operator.keyWithCredits(2)
    const other = await world.operator.key({ organization_id: key.organization_id, environment: "live" })
    await ask(world, key, [200, 402, 400, 200])
    expect(outcomeOf(await world.client.get("/v1/reference/states", { key: other.secret }))).toBe("200")
    const read = async () => {
      const received = await world.operator.call("GET", `/v1/admin/keys/${key.id}/traffic`)
      return dataOf<{ readonly since: string }>(received)
    }
    const counted = { since: expect.any(String), requests: 4, credits: 2, refused: 2 }
    await expect.poll(read).toEqual(counted)
    const before_ms = Date.now()
    const since_ms = Date.parse((await read()).since)
    expect(since_ms % trafficSlot_ms).toBe(0)
    expect(Date.now() - since_ms).toBeGreaterThanOrEqual(3_600_000)
    expect(before_ms - since_ms).toBeLessThan(3_600_000 + trafficSlot_ms)
  })

  it("of a key that was never used is empty", async () => {
    const { id } = await world.operator.key()
    const received = await world.operator.call("GET", `/v1/admin/keys/${id}/traffic`)
    expect(dataOf(received)).toEqual({ since: expect.any(String), requests: 0, credits: 0, refused: 0 })
  })
}
