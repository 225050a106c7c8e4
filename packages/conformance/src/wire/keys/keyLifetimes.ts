/** Expiry, rotation, rate limits and daily credit limits of keys. */

import { defaultPriceList } from "@postcode/core/Prices"
import { Prices } from "@postcode/gateway/credits/Prices"
import { isWellFormedKey, type KeyKind } from "@postcode/gateway/keys/ApiKey"
import type { Role } from "@postcode/gateway/ManagementAccess"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { TestKey } from "../../world/Operator.ts"
import { url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, outcomeOf, type Received, timestamp } from "../Received.ts"

interface ListedKey {
  readonly id: string
  readonly status: string
  readonly expires_at?: string
  readonly revoked_at?: string
  readonly replaces?: string
  readonly replaced_by?: string
  readonly credits_today?: number
}

export const keyLifetimes = (world: World): void => {
  describe("a key that expires", () => {
    ends(world)
    endsOfSessions(world)
  })
  describe("rotation", () => {
    rotations(world)
    overlaps(world)
    chains(world)
    refusals(world)
    secrecy(world)
  })
  describe("a rate limit of a key's own", () => {
    rateLimitsOfMembers(world)
  })
  describe("a daily credit limit", () => {
    limits(world)
    pricesAboveLimits(world)
    limitsAtOnce(world)
  })
}

const listed = async (world: World, { organization_id }: TestKey): Promise<ReadonlyArray<ListedKey>> => {
  const received = await world.operator.call("GET", `/v1/admin/organizations/${organization_id}/keys`)
  return dataOf<{ readonly keys: ReadonlyArray<ListedKey> }>(received).keys
}

const inFuture = (by_ms: number): string => new Date(Date.now() + by_ms).toISOString()

/** Waits until a time has passed, on the clock of the gateway. */
const until = (time: string): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, Date.parse(time) - Date.now()) + 1))

/** Runs steps that must end before a time. If the machine was too slow, runs them again with a later time. */
const before = async <A>(act: (expires_at: string) => Promise<A>, by_ms = 700): Promise<A> => {
  const expires_at = inFuture(by_ms)
  const [outcome] = await Promise.allSettled([act(expires_at)])
  if (Date.now() >= Date.parse(expires_at) && by_ms < 30_000) return before(act, 2 * by_ms)
  if (outcome.status === "rejected") throw outcome.reason
  return outcome.value
}

const secondsToMidnight = (): number => 86_400 - ((Date.now() / 1_000) % 86_400)

const lookup = (level: number) => url("/v1/lookup", { code: postcodes.full, level })

/** The outcomes of a free, a paid and a public call of a key. */
const outcomes = async (world: World, { secret }: TestKey): Promise<ReadonlyArray<string>> => {
  const targets = ["/v1/reference/states", lookup(2), "/v1/search/autocomplete?q=LA"]
  return Promise.all(targets.map(async (target) => outcomeOf(await world.client.get(target, { key: secret }))))
}

const served = ["200", "200", "200"]
const refused = Array<string>(3).fill("401 invalid_api_key")

const ends = (world: World): void => {
  it("works until its expiry, and is then 401 everywhere, with a message that it has expired", async () => {
    const { expires_at, key } = await before(async (expires_at) => {
      const key = await world.operator.key({ expires_at })
      expect(await outcomes(world, key)).toEqual(served)
      expect(await listed(world, key)).toMatchObject([{ id: key.id, status: "active", expires_at }])
      return { expires_at, key }
    })
    await until(expires_at)
    expect(await outcomes(world, key)).toEqual(refused)
    for (const target of ["/v1/reference/states", lookup(2)]) {
      expectFailure(await world.client.get(target, { key: key.secret }), "401 invalid_api_key", "expired")
    }
    expect(await listed(world, key)).toMatchObject([{ id: key.id, status: "expired", expires_at }])
    await world.operator.revoke(key)
    expect(await listed(world, key)).toMatchObject([{ id: key.id, status: "revoked", expires_at }])
    const revoked = await world.client.get("/v1/reference/states", { key: key.secret })
    expectFailure(revoked, "401 invalid_api_key", "unknown or revoked")
  })

  it("may be set in seconds, and is returned in milliseconds", async () => {
    const day = inFuture(86_400_000).slice(0, 10)
    const key = await world.operator.key({ expires_at: `${day}T12:00:00Z` })
    expect(await listed(world, key)).toMatchObject([{ expires_at: `${day}T12:00:00.000Z` }])
  })
}

const endsOfSessions = (world: World): void => {
  it("ends the widget sessions that it started, and starts no more", async () => {
    const bookmarks = (token: string) => world.client.get("/v1/widget/bookmarks", { token })
    const { expires_at, key, token } = await before(async (expires_at) => {
      const key = await world.operator.key({ kind: "publishable", expires_at })
      const token = await world.operator.session(key)
      expect(outcomeOf(await bookmarks(token))).toBe("200")
      return { expires_at, key, token }
    })
    await until(expires_at)
    expectFailure(await bookmarks(token), "401 invalid_token")
    const started = await world.client.post("/v1/widget/session", { identifier: "a@example.com" }, { key: key.secret })
    expectFailure(started, "401 invalid_api_key", "expired")
  })
}

const rotate = (world: World, id: string, body: unknown = { overlap: "24h" }) =>
  world.operator.call("POST", `/v1/admin/keys/${id}/rotate`, body)

const rotations = (world: World): void => {
  it.each(["secret", "publishable"] as const)(
    "returns a new %s key with the permissions of the old one, and both work",
    async (kind) => {
      const limits = { rate_limit_per_minute: 90, daily_credit_limit: 40 }
      const origins = kind === "publishable" ? ["https://shop.example"] : []
      const key = await world.operator.key({ kind, origins, max_level: 3, scopes: ["lookup"], ...limits })
      const before = (await listed(world, key))[0] as ListedKey
      const received = await rotate(world, key.id)
      expect(received.status).toBe(201)
      const { secret, ...made } = dataOf<{ readonly id: string; readonly secret: string }>(received)
      expect(isWellFormedKey(secret)).toBe(true)
      const { credits_today: _, ...likeBefore } = before
      expect(made).toEqual({
        ...likeBefore,
        id: expect.stringMatching(/^key_[0-9A-Za-z]{20}$/),
        prefix: secret.slice(0, secret.lastIndexOf("_") + 5),
        created_at: timestamp,
        replaces: key.id,
        replaced_expires_at: timestamp
      })
      const [first, second] = await listed(world, key)
      const { replaced_expires_at, ...record } = made as typeof made & { readonly replaced_expires_at: string }
      expect(first).toEqual({ ...record, credits_today: 0 })
      expect(second).toEqual({ ...before, replaced_by: made.id, expires_at: replaced_expires_at })
      expect(await outcomes(world, { ...key, secret })).toEqual(served)
      expect(await outcomes(world, key)).toEqual(served)
    }
  )

  it("is in the audit log, with both keys and the overlap", async () => {
    const key = await world.operator.key()
    const { id } = await world.operator.rotate(key, "1h")
    const query = { organization_id: key.organization_id, action: "key.rotated" }
    const { events } = dataOf<{ readonly events: ReadonlyArray<object> }>(
      await world.operator.call("GET", url("/v1/admin/audit", query))
    )
    expect(events).toMatchObject([
      { actor: "operator", subject: key.id, details: { replaced_by: id, overlap: "1h", ended_at: timestamp } }
    ])
  })

  it("can be repeated with the new key, which makes a chain", async () => {
    const first = await world.operator.key()
    const second = await world.operator.rotate(first, "1h")
    const third = await world.operator.rotate(second, "1h")
    expect(await listed(world, first)).toMatchObject([
      { id: third.id, replaces: second.id },
      { id: second.id, replaces: first.id, replaced_by: third.id },
      { id: first.id, replaced_by: second.id }
    ])
  })
}

/** What belongs to a key and all its successors together. */
const chains = (world: World): void => {
  /** A key and two successors. All three are active. */
  const chainOf = async (first: TestKey): Promise<ReadonlyArray<TestKey>> => {
    const second = await world.operator.rotate(first, "24h")
    return [first, second, await world.operator.rotate(second, "24h")]
  }
  const ask = ({ secret }: TestKey, level: number, value?: string) =>
    world.client.get(lookup(level), {
      key: secret,
      ...(value !== undefined && { headers: { "idempotency-key": value } })
    })

  it("does not renew the daily credit limit: all keys of the chain count together", async () => {
    const keys = await chainOf(await world.operator.keyWithCredits(100, { daily_credit_limit: 3 }))
    const [first, second, third] = keys as [TestKey, TestKey, TestKey]
    for (const key of keys) expect((await ask(key, 2)).headers["x-credits-charged"]).toBe("1")
    for (const key of keys) expectFailure(await ask(key, 2), "429 rate_limit_exceeded", "3 credits a day")
    const fourth = await world.operator.rotate(third, "now")
    expectFailure(await ask(fourth, 2), "429 rate_limit_exceeded", "3 credits a day")
    const counts = (await listed(world, first)).map(({ credits_today, id }) => [id, credits_today])
    expect(counts).toEqual([fourth, third, second, first].map(({ id }) => [id, 3]))
    expect((await world.operator.statement(first.organization_id, "live")).balance).toBe(97)
  })

  it("concurrent lookups of all keys of a chain never exceed its daily limit", async () => {
    const keys = await chainOf(await world.operator.keyWithCredits(100, { daily_credit_limit: 20 }))
    const all = await Promise.all(Array.from({ length: 90 }, (_, i) => ask(keys[i % 3] as TestKey, 2)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(20)
    expect((await world.operator.statement((keys[0] as TestKey).organization_id, "live")).balance).toBe(80)
  })

  it("a lower limit of the successor counts what the chain has charged today", async () => {
    const first = await world.operator.keyWithCredits(100, { daily_credit_limit: 9 })
    expect((await ask(first, 4)).headers["x-credits-charged"]).toBe("3")
    const second = await world.operator.rotate(first, "24h")
    const changed = await world.operator.call("PATCH", `/v1/admin/keys/${second.id}`, { daily_credit_limit: 4 })
    expect(changed.status).toBe(200)
    expectFailure(await ask(second, 4), "429 rate_limit_exceeded", "4 credits a day")
    expect((await ask(second, 2)).headers["x-credits-charged"]).toBe("1")
  })

  it("an Idempotency-Key is repeated with a successor, in both directions, and other content under it is refused", async () => {
    const keys = await chainOf(await world.operator.keyWithCredits(100))
    const [first, , third] = keys as [TestKey, TestKey, TestKey]
    expect((await ask(first, 4, "one")).headers["x-credits-charged"]).toBe("3")
    expect((await ask(third, 4, "two")).headers["x-credits-charged"]).toBe("3")
    for (const key of keys) {
      for (const value of ["one", "two"]) {
        expect((await ask(key, 4, value)).headers).toMatchObject({
          "x-credits-charged": "0",
          "x-credits-remaining": "94"
        })
      }
      expectFailure(await ask(key, 3, "one"), "422 idempotency_key_reused")
    }
  })

  it("a widget session is repeated with a successor, and charged once", async () => {
    const first = await world.operator.key({ kind: "publishable", daily_credit_limit: 2 })
    const start = ({ secret: key }: TestKey) =>
      world.client.post(
        "/v1/widget/session",
        { identifier: "a@example.com" },
        { key, headers: { "idempotency-key": "s" } }
      )
    const { balance } = await world.operator.statement(first.organization_id, "test")
    for (const key of await chainOf(first)) expect(outcomeOf(await start(key))).toBe("200")
    expect((await world.operator.statement(first.organization_id, "test")).balance).toBe(balance - 1)
    expect((await listed(world, first)).map(({ credits_today }) => credits_today)).toEqual([1, 1, 1])
  })

  it("does not renew the rate limit: all keys of the chain count together", async () => {
    const keys = await chainOf(await world.operator.key({ rate_limit_per_minute: 50 }))
    const left: Array<unknown> = []
    for (const { secret } of keys) {
      left.push((await world.client.get("/v1/reference/states", { key: secret })).headers["x-ratelimit-remaining"])
    }
    expect(left).toEqual(["49", "48", "47"])
  })
}

const hour_ms = 3_600_000

const overlaps = (world: World): void => {
  it.each([
    ["1h", hour_ms],
    ["24h", 24 * hour_ms],
    ["7d", 168 * hour_ms]
  ] as const)("an overlap of %s ends the old key so much later", async (overlap, by_ms) => {
    const key = await world.operator.key()
    const made = dataOf<{ readonly created_at: string; readonly replaced_expires_at: string }>(
      await rotate(world, key.id, { overlap })
    )
    expect(Date.parse(made.replaced_expires_at) - Date.parse(made.created_at)).toBe(by_ms)
  })

  it("without an overlap the old key is refused at once, and its sessions end", async () => {
    const key = await world.operator.key({ kind: "publishable" })
    const token = await world.operator.session(key)
    expect(await outcomes(world, key)).toEqual(served)
    const successor = await world.operator.rotate(key, "now")
    expect(await outcomes(world, key)).toEqual(refused)
    expectFailure(await world.client.get("/v1/widget/bookmarks", { token }), "401 invalid_token")
    expect(await outcomes(world, successor)).toEqual(served)
    expect((await listed(world, key))[1]).toMatchObject({ id: key.id, status: "revoked", revoked_at: timestamp })
  })

  it("the old key never ends later than its expiry, and the new one has the same lifetime", async () => {
    const { created_at, expires_at, key, made } = await before(async (expires_at) => {
      const key = await world.operator.key({ expires_at })
      const [{ created_at }] = (await listed(world, key)) as unknown as [{ readonly created_at: string }]
      const made = dataOf<Readonly<Record<"created_at" | "expires_at" | "replaced_expires_at", string>>>(
        await rotate(world, key.id, { overlap: "7d" })
      )
      return { created_at, expires_at, key, made }
    })
    expect(made.replaced_expires_at).toBe(expires_at)
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(
      Date.parse(expires_at) - Date.parse(created_at)
    )
    await until(expires_at)
    expect(await outcomes(world, key)).toEqual(refused)
  })
}

const refusals = (world: World): void => {
  it("of a key that is already rotated, revoked or expired is 409, and creates no key", async () => {
    const rotated = await world.operator.key()
    const successor = await world.operator.rotate(rotated, "now")
    expectFailure(await rotate(world, rotated.id), "409 conflict", "rotated already", successor.id)
    expect(await listed(world, rotated)).toHaveLength(2)
    const revoked = await world.operator.key()
    await world.operator.revoke(revoked)
    expectFailure(await rotate(world, revoked.id), "409 conflict", "revoked")
    const { expired, expires_at } = await before(async (expires_at) => {
      const expired = await world.operator.key({ expires_at })
      return { expired, expires_at }
    })
    await until(expires_at)
    expectFailure(await rotate(world, expired.id), "409 conflict", "expired")
    for (const key of [revoked, expired]) expect(await listed(world, key)).toHaveLength(1)
  })

  it("of twenty concurrent ones, one succeeds, and the others are 409 and create no key", async () => {
    const key = await world.operator.key()
    const all = await Promise.all(Array.from({ length: 20 }, () => rotate(world, key.id)))
    const counted = all.map(outcomeOf).toSorted()
    expect(counted).toEqual(["201", ...Array<string>(19).fill("409 conflict")])
    expect(await listed(world, key)).toHaveLength(2)
  })

  it("is refused if such a key could not be created now, and does not change the old one", async () => {
    const live = await world.operator.key({ environment: "live", max_level: 3 })
    const before = await listed(world, live)
    await world.operator.change(live.organization_id, { kyb_status: "rejected", review_note: "for a test" })
    expectFailure(await rotate(world, live.id, { overlap: "now" }), "403 kyb_required")
    await world.operator.change(live.organization_id, { kyb_status: "verified", granted_level: 2 })
    expectFailure(await rotate(world, live.id, { overlap: "now" }), "403 level_not_granted", "2")
    expect(await listed(world, live)).toEqual(before)
  })

  it.each(["", "2h", "0", "NOW", 3_600, null, undefined, "24h "])("an overlap of %j is 400", async (overlap) => {
    const key = await world.operator.key()
    expectFailure(await rotate(world, key.id, { overlap }), "400 invalid_parameter", "overlap: ")
    expect(await listed(world, key)).toHaveLength(1)
  })
}

const secrecy = (world: World): void => {
  it("the new secret is in exactly one answer", async () => {
    const key = await world.operator.key()
    const { id, secret } = await world.operator.rotate(key, "1h")
    await world.client.get(lookup(2), { key: secret })
    const root = `/v1/admin/organizations/${key.organization_id}`
    const later = [
      await rotate(world, key.id),
      await world.operator.call("GET", `${root}/keys`),
      await world.operator.call("GET", root),
      await world.operator.call("GET", url("/v1/admin/audit", { organization_id: key.organization_id })),
      await world.operator.call("GET", `${root}/credits?environment=test`),
      await rotate(world, id),
      await world.operator.call("DELETE", `/v1/admin/keys/${id}`)
    ]
    for (const { text } of later) expect(text).not.toContain(secret.slice(-34))
  })
}

const rateLimitsOfMembers = (world: World): void => {
  const create = async (
    role: Role,
    organization_id: string,
    rate_limit_per_minute: number,
    kind: KeyKind = "secret"
  ): Promise<Received> => {
    const { headers } = await world.operator.account(role, organization_id)
    const key = { name: "Test", kind, environment: "test", scopes: ["search"], max_level: 1 }
    const target = `/v1/admin/organizations/${organization_id}/keys`
    return world.client.post(target, { ...key, rate_limit_per_minute }, { headers })
  }

  it("is at most the service's default if a member creates the key; only operators can set more", async () => {
    const organization = await world.operator.organization()
    for (const role of ["owner", "developer"] as const) {
      expectFailure(await create(role, organization, 601), "403 insufficient_scope", "600")
      expect((await create(role, organization, 600)).status).toBe(201)
    }
    expect((await create("operator", organization, 601)).status).toBe(201)
    const publishable = (requests: number) => create("developer", organization, requests, "publishable")
    expectFailure(await publishable(6_001), "403 insufficient_scope", "6000")
    expect((await publishable(6_000)).status).toBe(201)
    expect(await listed(world, { id: "", secret: "", organization_id: organization })).toHaveLength(4)
  })

  it("is kept when a member rotates a key whose higher limit an operator set", async () => {
    const key = await world.operator.key({ rate_limit_per_minute: 5_000 })
    const { headers } = await world.operator.account("developer", key.organization_id)
    const rotated = await world.client.post(`/v1/admin/keys/${key.id}/rotate`, { overlap: "now" }, { headers })
    expect(dataOf(rotated)).toMatchObject({ rate_limit_per_minute: 5_000 })
  })
}

const limits = (world: World): void => {
  it("is 429 above it, with the time until 00:00 UTC, and nothing is charged", async () => {
    const key = await world.operator.keyWithCredits(100, { daily_credit_limit: 5 })
    for (const level of [4, 3]) await world.client.get(lookup(level), { key: key.secret })
    const before_s = secondsToMidnight()
    const received = await world.client.get(lookup(2), { key: key.secret })
    expectFailure(received, "429 rate_limit_exceeded", "5 credits a day", "00:00 UTC")
    expect(received.headers).toMatchObject({ "x-credits-charged": "0", "x-credits-remaining": "95" })
    const wait_s = Number(received.headers["retry-after"])
    expect(wait_s).toBeGreaterThanOrEqual(secondsToMidnight())
    expect(wait_s).toBeLessThanOrEqual(before_s + 1)
    expect((await listed(world, key))[0]).toMatchObject({ daily_credit_limit: 5, credits_today: 5 })
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(95)
  })

  it("does not limit free requests, or other keys of the organization", async () => {
    const key = await world.operator.keyWithCredits(100, { daily_credit_limit: 1 })
    const other = await world.operator.key({ organization_id: key.organization_id, environment: "live" })
    expect(await outcomes(world, key)).toEqual(served)
    expectFailure(await world.client.get(lookup(2), { key: key.secret }), "429 rate_limit_exceeded")
    for (const target of [
      lookup(1),
      url("/v1/lookup", { code: postcodes.retired, level: 5 }),
      "/v1/reference/states"
    ]) {
      expect((await world.client.get(target, { key: key.secret })).status).toBe(200)
    }
    expect(await outcomes(world, other)).toEqual(served)
  })

  it("applies to a batch as a whole: all or nothing", async () => {
    const key = await world.operator.keyWithCredits(100, { daily_credit_limit: 5 })
    const units = [postcodes.full, postcodes.bare, postcodes.partly, postcodes.stacked[0]]
    const batch = (count: number, level: number) =>
      world.client.post("/v1/lookup/batch", { level, codes: units.slice(0, count) }, { key: key.secret })
    expectPermanentRefusal(await batch(3, 4), 7, 5)
    expect((await batch(4, 2)).headers["x-credits-charged"]).toBe("4")
    expectFailure(await batch(2, 2), "429 rate_limit_exceeded", "00:00 UTC")
    expect((await batch(1, 2)).headers["x-credits-charged"]).toBe("1")
  })

  it("does not count a repetition with an Idempotency-Key, which is answered even at the limit", async () => {
    const key = await world.operator.keyWithCredits(100, { daily_credit_limit: 3 })
    const ask = (value: string) =>
      world.client.get(lookup(4), { key: key.secret, headers: { "idempotency-key": value } })
    expect((await ask("one")).headers["x-credits-charged"]).toBe("3")
    expectFailure(await ask("two"), "429 rate_limit_exceeded")
    expect((await ask("one")).headers).toMatchObject({ "x-credits-charged": "0", "x-credits-remaining": "97" })
    expect((await listed(world, key))[0]).toMatchObject({ credits_today: 3 })
  })

  it("limits the widget sessions of a publishable key", async () => {
    const key = await world.operator.key({ kind: "publishable", daily_credit_limit: 2 })
    const start = () => world.client.post("/v1/widget/session", { identifier: "a@example.com" }, { key: key.secret })
    const all = [await start(), await start(), await start()]
    expect(all.map(outcomeOf)).toEqual(["200", "200", "429 rate_limit_exceeded"])
    expectFailure(all[2] as (typeof all)[number], "429 rate_limit_exceeded", "00:00 UTC")
  })

  it("is checked before the balance", async () => {
    const key = await world.operator.keyWithCredits(0, { daily_credit_limit: 1 })
    expectFailure(await world.client.get(lookup(2), { key: key.secret }), "402 insufficient_credits")
    await world.operator.grant(key.organization_id, 1, "live", "one more")
    await world.client.get(lookup(2), { key: key.secret })
    expectFailure(await world.client.get(lookup(2), { key: key.secret }), "429 rate_limit_exceeded")
  })
}

/** Checks a permanent refusal with the price and the limit: neither waiting nor credits help. */
const expectPermanentRefusal = (received: Received, price: number, limit: number): void => {
  const numbers = [`costs ${price} credit`, `can spend ${limit} credit`]
  expectFailure(received, "400 invalid_parameter", "daily_credit_limit: ", ...numbers)
  expect(received.headers).not.toHaveProperty("retry-after")
  expect(received.headers).not.toHaveProperty("x-credits-remaining")
}

const pricesAboveLimits = (world: World): void => {
  it("below the price of a lookup is 400 with both numbers, whatever was charged today and whatever the balance", async () => {
    const key = await world.operator.keyWithCredits(0, { daily_credit_limit: 2 })
    const ask = (level: number, code: string = postcodes.full) =>
      world.client.get(url("/v1/lookup", { code, level }), { key: key.secret })
    expectPermanentRefusal(await ask(4), 3, 2)
    await world.operator.grant(key.organization_id, 10, "live", "invoice")
    expectPermanentRefusal(await ask(5), 3, 2)
    // The price depends on the attributes shown, not on the level requested.
    expect((await ask(4, postcodes.bare)).headers["x-credits-charged"]).toBe("1")
    expectPermanentRefusal(await ask(4), 3, 2)
    expectFailure(await ask(3), "429 rate_limit_exceeded", "00:00 UTC")
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(9)
  })

  it("below the sum of a batch is 400 with both numbers; smaller batches pass", async () => {
    const key = await world.operator.keyWithCredits(100, { daily_credit_limit: 3 })
    const batch = (...codes: ReadonlyArray<string>) =>
      world.client.post("/v1/lookup/batch", { level: 3, codes }, { key: key.secret })
    expectPermanentRefusal(await batch(postcodes.full, postcodes.bare, postcodes.partly), 4, 3)
    expect((await batch(postcodes.full, postcodes.bare, postcodes.full)).headers["x-credits-charged"]).toBe("3")
  })

  it("below the price of a widget session is 400 with both numbers", async () => {
    const priced = { ...defaultPriceList, widget_session: 3 }
    const { client } = await world.serveAnother({}, (effect) => Effect.provideService(effect, Prices, priced))
    const key = await world.operator.key({ kind: "publishable", daily_credit_limit: 2 })
    const started = await client.post("/v1/widget/session", { identifier: "a@example.com" }, { key: key.secret })
    expectPermanentRefusal(started, 3, 2)
  })

  it("with an Idempotency-Key, only the credits still due count", async () => {
    const key = await world.operator.keyWithCredits(100, { daily_credit_limit: 2 })
    const ask = (value: string) =>
      world.client.get(lookup(4), { key: key.secret, headers: { "idempotency-key": value } })
    await world.operator.change(key.organization_id, { granted_level: 2 })
    expect((await ask("capped")).headers["x-credits-charged"]).toBe("1")
    await world.operator.change(key.organization_id, { granted_level: 4 })
    expectFailure(await ask("capped"), "429 rate_limit_exceeded")
    expectPermanentRefusal(await ask("another"), 3, 2)
  })
}

const limitsAtOnce = (world: World): void => {
  it("150 concurrent lookups under a limit of 30: 30 are served, and ledger and count agree", async () => {
    const key = await world.operator.keyWithCredits(100, { daily_credit_limit: 30 })
    const all = await Promise.all(Array.from({ length: 150 }, () => world.client.get(lookup(2), { key: key.secret })))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(30)
    expect(all.filter((received) => outcomeOf(received) === "429 rate_limit_exceeded")).toHaveLength(120)
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(70)
    expect((await listed(world, key))[0]).toMatchObject({ credits_today: 30 })
  })

  it("a key that is rotated while its lookups run is charged for exactly the answered ones", async () => {
    const key = await world.operator.keyWithCredits(500)
    const lookups = Array.from({ length: 150 }, () => world.client.get(lookup(2), { key: key.secret }))
    const successor = await world.operator.rotate(key, "now")
    const all = await Promise.all(lookups)
    for (const received of all) expect(["200", "401 invalid_api_key"]).toContain(outcomeOf(received))
    const paid = all.filter(({ status }) => status === 200).length
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(500 - paid)
    expect(await outcomes(world, successor)).toEqual(served)
  })
}
