/** Batches of points and of addresses: one answer for each item, in order, as the single search gives it. */

import type { AnswerRecord } from "@postcode/http"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { KeyScene, TestKey } from "../../world/Operator.ts"
import { type Options, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, outcomeOf, type Received } from "../Received.ts"
import { secretTexts } from "./address.ts"

const reversePath = "/v1/search/reverse/batch"
const addressPath = "/v1/search/address/batch"

interface Results {
  readonly results: ReadonlyArray<Readonly<Record<string, unknown>>>
}

const at = { lat: 6.6018, lng: 3.3515 }
const unitText = "7 Allen Avenue, Opagbe, Ikeja"

export const batches = (world: World): void => {
  describe(`POST ${reversePath}`, () => reverseBatch(world))
  describe(`POST ${addressPath}`, () => {
    addressAnswers(world)
    addressPrices(world)
  })
  describe.each([
    [reversePath, "points", at],
    [addressPath, "queries", "Ikeja"]
  ] as const)("POST %s", (path, list, item) => {
    permissions(world, path, { [list]: [item] })
    bodies(world, path, list, item)
    rateLimits(world, path, list, item)
  })
}

const send = (world: World, path: string, body: unknown, key?: TestKey, options: Options = {}): Promise<Received> =>
  world.client.post(path, body, { ...options, ...(key !== undefined && { key: key.secret }) })

const reverseBatch = (world: World): void => {
  const points = [at, { lat: 0, lng: 0 }, { lat: 6.60181, lng: 3.35151 }, at, { lat: 6.65, lng: 3.4 }]

  it.each([
    ["level 5", {}],
    ["level 1, without names", { max_level: 1 }]
  ] as ReadonlyArray<readonly [string, KeyScene]>)("answers each point as alone: %s", async (_, scene) => {
    const key = await world.operator.key(scene)
    for (const max_distance_m of [undefined, 0, 300]) {
      const body = { points, ...(max_distance_m !== undefined && { max_distance_m }) }
      const { results } = dataOf<Results>(await send(world, reversePath, body, key))
      expect(results).toHaveLength(points.length)
      for (const [i, { lat, lng }] of points.entries()) {
        const query = { lat, lng, ...(max_distance_m !== undefined && { max_distance_m }) }
        const single = await world.client.get(url("/v1/search/reverse", query), { key: key.secret })
        expect(results[i]).toEqual({ lat, lng, result: dataOf(single) })
      }
    }
  })

  it("the item of a point out of range has an error", async () => {
    const key = await world.operator.key()
    const points = [{ lat: 90.1, lng: 0 }, at, { lat: 0, lng: -181 }]
    const { results } = dataOf<Results>(await send(world, reversePath, { points }, key))
    const error = (message: string) => ({ error: { code: "invalid_parameter", message } })
    expect(results).toEqual([
      { ...points[0], ...error("lat: expected a latitude in degrees from -90 to 90") },
      { ...at, result: expect.objectContaining({ found: true }) },
      { ...points[2], ...error("lng: expected a longitude in degrees from -180 to 180") }
    ])
  })

  it.each([
    ["a latitude in quotes", { points: [at, { lat: "6.6", lng: 3.3 }] }, "points[1].lat: expected a latitude"],
    ["a point without a longitude", { points: [{ lat: 1 }] }, "points[0].lng: this is required"],
    ["a negative distance", { points: [at], max_distance_m: -1 }, "max_distance_m: expected a radius in metres"],
    ["a distance in quotes", { points: [at], max_distance_m: "5" }, "max_distance_m: expected a radius in metres"]
  ])("%s is 400", async (_, body, mention) => {
    const key = await world.operator.key()
    expectFailure(await send(world, reversePath, body, key), "400 invalid_parameter", mention)
  })

  it("is free, and shows no credits", async () => {
    const key = await world.operator.keyWithCredits(5)
    const headers = { "idempotency-key": "x".repeat(200) }
    const received = await send(world, reversePath, { points }, key, { headers })
    expect(outcomeOf(received)).toBe("200")
    expect(received.headers).not.toHaveProperty("x-credits-charged")
    expect((await world.operator.statement(key.organization_id, "live")).entries).toHaveLength(1)
  })
}

const addressAnswers = (world: World): void => {
  const texts = [...secretTexts.flat(), "Ikeja", "Ikeja, Lagos State", "nothing like it", "?"]

  it.each([
    ["level 2 and the scope search", { max_level: 2, scopes: ["search"] }],
    ["level 1", { max_level: 1 }],
    ["without the scope search", { scopes: ["lookup"] }]
  ] as ReadonlyArray<readonly [string, KeyScene]>)("answers each text as alone: %s", async (_, scene) => {
    const key = await world.operator.keyWithCredits(1_000, scene)
    for (const limit of [undefined, 1, 20]) {
      const body = { queries: texts, ...(limit !== undefined && { limit }) }
      const { results } = dataOf<Results>(await send(world, addressPath, body, key))
      expect(results.map(({ q }) => q)).toEqual(texts)
      for (const [i, q] of texts.entries()) {
        const query = { q, ...(limit !== undefined && { limit }) }
        const single = await world.client.get(url("/v1/search/address", query), { key: key.secret })
        expect(results[i]?.result, q).toEqual(dataOf(single))
      }
    }
  })

  it("the item of a text that is empty or too long has an error", async () => {
    const key = await world.operator.key()
    const queries = ["", "Ikeja", "x".repeat(201), "x".repeat(200)]
    const { results } = dataOf<Results>(await send(world, addressPath, { queries }, key))
    const error = { code: "invalid_parameter", message: "q: expected 1 to 200 characters" }
    expect(results).toEqual([
      { q: queries[0], error },
      { q: queries[1], result: expect.objectContaining({ code: "LA-12" }) },
      { q: queries[2], error },
      { q: queries[3], result: expect.objectContaining({ code: null }) }
    ])
  })

  it.each([
    ["a text that is none", { queries: ["Ikeja", 1] }, "queries[1]"],
    ["limit 21", { queries: ["Ikeja"], limit: 21 }, "limit: expected a whole number from 1 to 20"],
    ["a limit in quotes", { queries: ["Ikeja"], limit: "1" }, "limit: expected a whole number from 1 to 20"]
  ])("%s is 400", async (_, body, mention) => {
    const key = await world.operator.key()
    expectFailure(await send(world, addressPath, body, key), "400 invalid_parameter", mention)
  })

  it("other requests are answered while the texts of a batch are searched", async () => {
    const key = await world.operator.key()
    const queries = Array.from({ length: 100 }, (_, i) => `${i} Allen Avenue, Opagbe, Ikeja`)
    let ended = false
    const answered = send(world, addressPath, { queries }, key).finally(() => {
      ended = true
    })
    let answeredBefore = 0
    while (!ended) {
      expect(outcomeOf(await world.client.get("/v1/search/autocomplete?q=LA"))).toBe("200")
      if (!ended) answeredBefore++
    }
    expect(outcomeOf(await answered)).toBe("200")
    expect(answeredBefore).toBeGreaterThan(1)
  })

  it("neither the record of an answer, nor ledger, usage and audit log have a text", async () => {
    const records: Array<AnswerRecord> = []
    const { client } = await world.serveAnother({ onAnswer: (record) => records.push(record) })
    const key = await world.operator.key()
    const queries = [unitText, "Canarytext, Ikeja"]
    const options = { key: key.secret, headers: { "idempotency-key": "private" } }
    dataOf(await client.post(addressPath, { queries }, options))
    expect(records).toHaveLength(1)
    const organization = `/v1/admin/organizations/${key.organization_id}`
    const kept: Array<string> = [JSON.stringify(records)]
    for (const target of [
      `${organization}/credits?environment=test`,
      `${organization}/usage`,
      "/v1/admin/audit?limit=100"
    ]) {
      kept.push((await world.operator.call("GET", target)).text)
    }
    for (const text of kept) expect(text).not.toMatch(/allen|opagbe|canarytext/i)
  })
}

const addressPrices = (world: World): void => {
  const fine = [unitText, "Oregun, Ikeja", postcodes.full]
  const charged = ({ headers }: Received): string => `${headers["x-credits-charged"]}/${headers["x-credits-remaining"]}`

  it("is charged the sum of its texts in one entry, a repeated text once", async () => {
    const key = await world.operator.keyWithCredits(50)
    const queries = [...fine, "Ikeja", unitText, "", "nothing like it"]
    const headers = { "x-request-id": "my-addresses" }
    expect(charged(await send(world, addressPath, { queries }, key, { headers }))).toBe("3/47")
    const { entries } = await world.operator.statement(key.organization_id, "live")
    expect(entries).toHaveLength(2)
    expect(entries[0]).toMatchObject({ amount: -3, reason: "address_batch", level: 2, reference: "my-addresses" })
  })

  it("is all or nothing: with one credit too few it is 402, and nothing is charged or returned", async () => {
    const key = await world.operator.keyWithCredits(2)
    const received = await send(world, addressPath, { queries: fine }, key)
    expectFailure(received, "402 insufficient_credits", "costs 3 credits")
    expect(received.text).not.toMatch(/allen|opagbe|LA-12/i)
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(2)
    await world.operator.grant(key.organization_id, 1, "live", "one more")
    expect(charged(await send(world, addressPath, { queries: fine }, key))).toBe("3/0")
    expect(charged(await send(world, addressPath, { queries: ["Ikeja"] }, key))).toBe("0/0")
  })

  it("is charged once with an Idempotency-Key; other texts, another order or another limit are 422", async () => {
    const key = await world.operator.keyWithCredits(50)
    const headers = { "idempotency-key": "addresses 1" }
    const body = { queries: fine, limit: 5 }
    const repeat = (other: unknown) => send(world, addressPath, other, key, { headers })
    expect(charged(await repeat(body))).toBe("3/47")
    expect(charged(await repeat(body))).toBe("0/47")
    const others = [
      { ...body, limit: 4 },
      { ...body, queries: fine.toReversed() },
      { ...body, queries: [...fine, fine[0]] },
      { ...body, queries: [...fine, ""] }
    ]
    for (const other of others) expectFailure(await repeat(other), "422 idempotency_key_reused")
  })

  it("a grant that was lowered to 1 is answered with states and LGAs, free", async () => {
    const key = await world.operator.keyWithCredits(9)
    await world.operator.change(key.organization_id, { granted_level: 1 })
    const { results } = dataOf<Results>(await send(world, addressPath, { queries: fine }, key))
    for (const { result } of results)
      expect((result as { readonly code: string | null }).code?.length ?? 0).toBeLessThan(6)
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(9)
  })
}

const permissions = (world: World, path: string, body: object): void => {
  it("without a key it is 401", async () => {
    expectFailure(await send(world, path, body), "401 auth_required", "secret API key")
  })

  it("a publishable key is 403 key_type_not_allowed, and its items are not counted", async () => {
    const origin = "https://shop.example"
    const key = await world.operator.key({ kind: "publishable", origins: [origin], rate_limit_per_minute: 5 })
    for (const [i, headers] of [{}, { origin }].entries()) {
      const received = await send(world, path, body, key, { headers })
      expectFailure(received, "403 key_type_not_allowed", "a batch needs a secret key")
      expect(received.headers["x-ratelimit-remaining"]).toBe(String(4 - i))
    }
  })

  it("a live key of an unverified organization is 403 kyb_required", async () => {
    const key = await world.operator.key({ environment: "live" })
    await world.operator.change(key.organization_id, { kyb_status: "rejected", review_note: "for a test" })
    expectFailure(await send(world, path, body, key), "403 kyb_required")
  })
}

const bodies = (world: World, path: string, list: string, item: unknown): void => {
  it.each([
    ["no list", {}, `${list}: this is required`],
    ["an empty list", { [list]: [] }, `${list}: expected at least one of the ${list}`],
    ["101 items", { [list]: new Array(101).fill(item) }, `${list}: expected at most 100 ${list}`],
    ["an item that is null", { [list]: [item, null] }, `${list}[1]`]
  ])("%s is 400", async (_, body, mention) => {
    expectFailure(await send(world, path, body, await world.operator.key()), "400 invalid_parameter", mention)
  })

  it("accepts 100 items", async () => {
    const received = await send(world, path, { [list]: new Array(100).fill(item) }, await world.operator.key())
    expect(dataOf<Results>(received).results).toHaveLength(100)
  })
}

const rateLimits = (world: World, path: string, list: string, item: unknown): void => {
  const items = (count: number) => ({ [list]: new Array(count).fill(item) })

  it("counts each item as one request, of the key and of the organization", async () => {
    const key = await world.operator.key({ rate_limit_per_minute: 30 })
    const received = await send(world, path, items(10), key)
    expect(received.headers).toMatchObject({ "x-ratelimit-limit": "30", "x-ratelimit-remaining": "20" })
    const other = await world.operator.key({ organization_id: key.organization_id, rate_limit_per_minute: 6_000 })
    await world.operator.change(key.organization_id, { rate_limit_per_minute: 40 })
    await expect.poll(async () => (await send(world, path, items(1), other)).headers["x-ratelimit-limit"]).toBe("40")
    expectFailure(await send(world, path, items(31), other), "429 rate_limit_exceeded")
  })

  it("more items than are left are 429 with Retry-After, and only the request itself counts", async () => {
    const key = await world.operator.key({ rate_limit_per_minute: 30 })
    await send(world, path, items(10), key)
    const received = await send(world, path, items(21), key)
    expectFailure(received, "429 rate_limit_exceeded")
    expect(received.headers["x-ratelimit-remaining"]).toBe("19")
    const retryAfter_s = Number(received.headers["retry-after"])
    expect(retryAfter_s).toBeGreaterThanOrEqual(1)
    expect(retryAfter_s).toBeLessThanOrEqual(60)
    expect((await send(world, path, items(19), key)).headers["x-ratelimit-remaining"]).toBe("0")
  })

  it("more items than the limit are 400 with the limit, since waiting would not help", async () => {
    const key = await world.operator.key({ rate_limit_per_minute: 30 })
    const received = await send(world, path, items(31), key)
    expectFailure(received, "400 invalid_parameter", `${list}: each of them counts`, "at most 30")
    expect(outcomeOf(await send(world, path, items(29), key))).toBe("200")
  })
}
