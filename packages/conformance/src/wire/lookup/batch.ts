/** Batch lookups: one answer for each code, in order; the sum is charged, all or nothing. */
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { TestKey } from "../../world/Operator.ts"
import type { Options } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, type Received } from "../Received.ts"

const target = "/v1/lookup/batch"

interface Results {
  readonly results: ReadonlyArray<{ readonly code: string; readonly result?: object; readonly error?: object }>
}

export const batch = (world: World): void => {
  describe("POST /v1/lookup/batch", () => {
    answers(world)
    bodies(world)
    permissions(world)
    costs(world)
  })
}

const send = (world: World, body: unknown, key?: TestKey, options: Options = {}): Promise<Received> =>
  world.client.post(target, body, { ...options, ...(key !== undefined && { key: key.secret }) })

const answers = (world: World): void => {
  it("answers each code in order, with the code as sent: valid, retired, unknown and malformed ones", async () => {
    const { bare, full, replaced, retired, unknown } = postcodes
    const codes = ["la 12 a03 bg 07", "nonsense", retired, unknown, "", "LA12A03BG08", "LA-12", replaced]
    expect(dataOf(await send(world, { codes }))).toEqual({
      results: [
        { code: codes[0], result: { postcode: full, valid: true, status: "valid" } },
        { code: codes[1], error: { code: "invalid_parameter", message: expect.stringContaining("state") } },
        { code: codes[2], result: { postcode: retired, valid: false, status: "retired" } },
        { code: codes[3], result: { postcode: unknown, valid: false, status: "not_found" } },
        { code: codes[4], error: { code: "invalid_parameter", message: expect.stringContaining("state") } },
        { code: codes[5], result: { postcode: bare, valid: true, status: "valid" } },
        { code: codes[6], error: { code: "invalid_parameter", message: expect.stringContaining("district") } },
        { code: codes[7], result: { postcode: replaced, valid: false, status: "retired", replaced_by: full } }
      ]
    })
  })

  it("answers a repeated code each time", async () => {
    const codes = [postcodes.full, "LA12A03BG07", postcodes.full]
    const { results } = dataOf<Results>(await send(world, { codes }))
    expect(results.map(({ code }) => code)).toEqual(codes)
    expect(results.every(({ result }) => result !== undefined)).toBe(true)
  })

  it("accepts 100 codes, even if all are malformed", async () => {
    const codes = Array.from({ length: 100 }, (_, i) => `bad ${i}`)
    const { results } = dataOf<Results>(await send(world, { codes }))
    expect(results.map(({ code, error }) => [code, error !== undefined])).toEqual(codes.map((code) => [code, true]))
  })

  it("shows the same attributes as a single lookup", async () => {
    const key = await world.operator.key()
    for (const level of [1, 2, 3, 4, 5]) {
      const single = await world.client.get(`/v1/lookup?code=${postcodes.full}&level=${level}`, { key: key.secret })
      const { results } = dataOf<Results>(await send(world, { level, codes: [postcodes.full] }, key))
      expect(results[0]?.result).toEqual(dataOf(single))
    }
  })

  it("serves level 1 by default", async () => {
    const key = await world.operator.key()
    const received = await send(world, { codes: [postcodes.full] }, key)
    expect(received.headers["x-lookup-level"]).toBe("1")
  })
}

const bodies = (world: World): void => {
  const refused: ReadonlyArray<readonly [string, unknown, string]> = [
    ["no codes", { level: 1 }, "codes"],
    ["an empty list", { codes: [] }, "codes: expected at least one code"],
    ["101 codes", { codes: new Array(101).fill(postcodes.full) }, "codes: expected at most 100 codes"],
    ["codes that are no list", { codes: postcodes.full }, "codes"],
    ["a code that is no text", { codes: [postcodes.full, 12] }, "codes[1]"],
    ["a code that is null", { codes: [null] }, "codes[0]"],
    ["a code of 101 characters", { codes: [postcodes.full, "x".repeat(101)] }, "codes[1]: expected at most 100"],
    ["level 0", { level: 0, codes: [postcodes.full] }, "level: expected a whole number from 1 to 5"],
    ["level 6", { level: 6, codes: [postcodes.full] }, "level"],
    ["level 1.5", { level: 1.5, codes: [postcodes.full] }, "level"],
    ["a level in quotes", { level: "1", codes: [postcodes.full] }, "level"],
    ["a level of null", { level: null, codes: [postcodes.full] }, "level"]
  ]
  it.each(refused)("%s is 400", async (_, body, mention) => {
    expectFailure(await send(world, body), "400 invalid_parameter", mention)
  })
}

const permissions = (world: World): void => {
  const body = { level: 2, codes: [postcodes.full] }

  it("level 2 without a key is 401", async () => {
    expectFailure(await send(world, body), "401 auth_required")
  })

  it("without the scope lookup it is 403", async () => {
    expectFailure(await send(world, body, await world.operator.key({ scopes: ["search"] })), "403 insufficient_scope")
  })

  it("above the key's maximum it is 403", async () => {
    expectFailure(await send(world, body, await world.operator.key({ max_level: 1 })), "403 level_not_granted")
  })

  it("a publishable key is 403 key_type_not_allowed at every level, and nothing is charged", async () => {
    const origin = "https://shop.example"
    const key = await world.operator.keyWithCredits(10, { kind: "publishable", origins: [origin] })
    for (const level of [1, 2, 5]) {
      for (const headers of [{}, { origin }]) {
        const received = await send(world, { ...body, level }, key, { headers })
        expectFailure(received, "403 key_type_not_allowed", "a batch needs a secret key")
      }
    }
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(10)
  })

  it("above the grant it is capped and charged for the level served", async () => {
    const key = await world.operator.keyWithCredits(10)
    await world.operator.change(key.organization_id, { granted_level: 2 })
    const received = await send(world, { level: 4, codes: [postcodes.full, postcodes.bare] }, key)
    expect(received.headers).toMatchObject({ "x-lookup-level": "2", "x-credits-charged": "2" })
  })
}

const costs = (world: World): void => {
  it("is charged the sum of the codes served, in one entry", async () => {
    const key = await world.operator.keyWithCredits(100)
    const codes = [postcodes.full, "malformed", postcodes.retired, postcodes.bare, postcodes.unknown, postcodes.full]
    const received = await send(world, { level: 4, codes }, key, { headers: { "x-request-id": "my-batch" } })
    expect(received.headers).toMatchObject({ "x-credits-charged": "4", "x-credits-remaining": "96" })
    const { entries } = await world.operator.statement(key.organization_id, "live")
    expect(entries).toHaveLength(2)
    expect(entries[0]).toMatchObject({ amount: -4, reason: "lookup_batch", reference: "my-batch", balance_after: 96 })
  })

  it("a repeated code, in any format, is answered each time and charged once", async () => {
    const key = await world.operator.keyWithCredits(10)
    const codes = [postcodes.full, "LA12A03BG07", " la 12 a03 bg 07 ", postcodes.full, postcodes.partly]
    const received = await send(world, { level: 3, codes }, key)
    expect(received.headers).toMatchObject({ "x-credits-charged": "3", "x-credits-remaining": "7" })
    const { results } = dataOf<Results>(received)
    expect(results.map(({ code }) => code)).toEqual(codes)
    for (const i of [1, 2, 3]) expect(results[i]?.result).toEqual(results[0]?.result)
    const { entries } = await world.operator.statement(key.organization_id, "live")
    expect(entries.map(({ amount }) => amount)).toEqual([-3, 10])
  })

  it("codes that are not served are not charged", async () => {
    const key = await world.operator.keyWithCredits(0)
    const received = await send(world, { level: 4, codes: ["malformed", postcodes.retired, postcodes.unknown] }, key)
    expect(dataOf<Results>(received).results).toHaveLength(3)
    expect(received.headers).toMatchObject({ "x-credits-charged": "0", "x-credits-remaining": "0" })
  })

  it("is all or nothing: with one credit too few it is 402, and nothing is charged or returned", async () => {
    const key = await world.operator.keyWithCredits(5)
    const codes = [postcodes.full, postcodes.partly]
    const received = await send(world, { level: 4, codes }, key)
    expectFailure(received, "402 insufficient_credits", "6", "5")
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(5)
    await world.operator.grant(key.organization_id, 1, "live", "one more")
    expect((await send(world, { level: 4, codes }, key)).headers["x-credits-remaining"]).toBe("0")
  })

  it("is charged once with an Idempotency-Key; other codes, another order or another level with it are 422", async () => {
    const key = await world.operator.keyWithCredits(100)
    const headers = { "idempotency-key": "batch 1" }
    const body = { level: 3, codes: [postcodes.full, postcodes.bare] }
    expect((await send(world, body, key, { headers })).headers["x-credits-charged"]).toBe("3")
    expect((await send(world, body, key, { headers })).headers["x-credits-charged"]).toBe("0")
    const others = [
      { ...body, level: 2 },
      { ...body, codes: body.codes.toReversed() },
      { ...body, codes: [postcodes.full] },
      { ...body, codes: [...body.codes, postcodes.full] },
      { ...body, codes: [...body.codes, "malformed"] }
    ]
    for (const other of others) expectFailure(await send(world, other, key, { headers }), "422 idempotency_key_reused")
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(97)
  })

  it("counts as one request", async () => {
    const key = await world.operator.key({ rate_limit_per_minute: 5 })
    const received = await send(world, { codes: new Array(100).fill(postcodes.full) }, key)
    expect(received.headers["x-ratelimit-remaining"]).toBe("4")
  })
}
