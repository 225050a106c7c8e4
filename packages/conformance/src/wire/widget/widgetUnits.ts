/** Lookup and search by place in a widget session: graded by its key, paid by the session, 30 calls and 5 lookups. */
import { SessionUses } from "@postcode/gateway/widget/sessions/SessionUses"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { fixtureUnits, postcodes } from "../../world/FixtureDirectory.ts"
import type { KeyScene, TestKey } from "../../world/Operator.ts"
import { type TestClient, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, outcomeOf, type Received } from "../Received.ts"

export const widgetUnits = (world: World): void => {
  describe("GET /v1/widget/lookup", () => lookups(world))
  describe("GET /v1/widget/reverse and /v1/widget/nearby", () => places(world))
  describe("lookup, reverse and nearby in a widget session", () => bounds(world))
}

type Query = Readonly<Record<string, string | number>>

const at = { lat: 6.6018, lng: 3.3515 }
const publicNames = { state_name: "Lagos", lga_name: "Ikeja" }
const locality_name = "\u1ecc\u0300p\u00e1gb\u00e9"
const address = "7 Allen Avenue"
const point_geometry = { type: "Point", coordinates: [3.3515, 6.6018] }

/** A session of a new key. */
const session = async (
  world: World,
  scene: KeyScene = {}
): Promise<{ readonly key: TestKey; readonly token: string }> => {
  const key = await world.operator.key({ kind: "publishable", ...scene })
  return { key, token: await world.operator.session(key) }
}

const lookUp = (client: TestClient, token: string, code: string = postcodes.full): Promise<Received> =>
  client.get(url("/v1/widget/lookup", { code }), { token })

const reverse = (client: TestClient, token: string, query: Query = at): Promise<Received> =>
  client.get(url("/v1/widget/reverse", query), { token })

const nearby = (client: TestClient, token: string, query: Query = at): Promise<Received> =>
  client.get(url("/v1/widget/nearby", query), { token })

const lookups = (world: World): void => {
  it.each([
    [1, {}, 1],
    [2, { locality: true }, 2],
    [3, { locality: true, use: true }, 3],
    [4, { locality: true, use: true }, 3],
    [5, { locality: true, use: true }, 3]
  ] as const)("a key of level %d sees %j, and never building data or coordinates", async (max_level, sees, served) => {
    const { token } = await session(world, { max_level, scopes: ["lookup"] })
    const received = await lookUp(world.client, token)
    const seen: { readonly locality?: true; readonly use?: true } = sees
    expect(dataOf(received)).toMatchObject({
      postcode: postcodes.full,
      valid: true,
      administrative_address: { ...publicNames, ...(seen.locality && { locality_name, zone: "South West" }) },
      ...(seen.locality && { recent_house_address: { recent: address } }),
      ...(seen.use && { building_use_status: "mixed" })
    })
    const fields = Object.keys(dataOf<object>(received))
    expect(fields).not.toContain("other_building_info")
    expect(fields).not.toContain("point_geometry")
    expect(fields.includes("recent_house_address")).toBe(seen.locality === true)
    expect(fields.includes("building_use_status")).toBe(seen.use === true)
    expect(dataOf<{ readonly limited_to?: number }>(received).limited_to).toBe(served < 3 ? served : undefined)
    expect(received.headers["x-lookup-level"]).toBe(String(served))
    expect(received.headers["cache-control"]).toBe("no-store")
    expect(received.headers).not.toHaveProperty("x-credits-charged")
  })

  it("the organization's grant caps the level, also during the session", async () => {
    const { key, token } = await session(world, { max_level: 5 })
    expect(dataOf(await lookUp(world.client, token))).toHaveProperty("building_use_status")
    await world.operator.change(key.organization_id, { granted_level: 1 })
    expect(dataOf<object>(await lookUp(world.client, token))).toMatchObject({ administrative_address: publicNames })
    expect(dataOf(await lookUp(world.client, token))).not.toHaveProperty("recent_house_address")
  })

  it("a key without the scope lookup is 403 insufficient_scope", async () => {
    const { token } = await session(world, { scopes: ["search"] })
    expectFailure(await lookUp(world.client, token), "403 insufficient_scope", "lookup")
  })

  it("an unknown or retired unit is not valid, and shows no attribute", async () => {
    const { token } = await session(world)
    for (const [code, status] of [
      [postcodes.unknown, "not_found"],
      [postcodes.retired, "retired"]
    ] as const) {
      const data = dataOf<object>(await lookUp(world.client, token, code))
      expect(data).toMatchObject({ postcode: code, valid: false, status })
      expect(data).not.toHaveProperty("administrative_address")
    }
  })

  it("a unit without a name has no name, and the object of names stays", async () => {
    const { token } = await session(world, { max_level: 1 })
    const data = dataOf(await lookUp(world.client, token, postcodes.nameless))
    expect(data).toMatchObject({ valid: true, administrative_address: {} })
  })

  it("takes any format, and names the segment of a malformed code", async () => {
    const { token } = await session(world)
    expect(dataOf(await lookUp(world.client, token, " la12a03bg07 "))).toMatchObject({ postcode: postcodes.full })
    expectFailure(await lookUp(world.client, token, "LA-12-A03-BG"), "400 invalid_parameter", "code: ")
  })
}

const places = (world: World): void => {
  const unitAt = async (token: string): Promise<ReadonlyArray<object>> => {
    const { unit } = dataOf<{ readonly unit: object }>(await reverse(world.client, token))
    const { results } = dataOf<{ readonly results: ReadonlyArray<object> }>(await nearby(world.client, token))
    return [unit, results[0] as object]
  }

  const bare = { postcode: postcodes.full, display: "LA 12 A03 BG 07", distance_m: 0, confidence: "high" }
  it.each([
    ["level 1", { max_level: 1 }, { limited_to: 1 }],
    ["level 2", { max_level: 2 }, { locality_name, address, limited_to: 2 }],
    ["level 4", { max_level: 4 }, { locality_name, address, limited_to: 4 }],
    ["level 5", { max_level: 5 }, { locality_name, address, point_geometry }],
    ["level 5 and a grant of 4", { max_level: 4, granted_level: 4 }, { locality_name, address, limited_to: 4 }],
    ["level 5 without the scope search", { max_level: 5, scopes: ["lookup"] }, { limited_to: 1 }]
  ] as ReadonlyArray<readonly [string, KeyScene, object]>)(
    "a session of a key of %s sees the names of state and LGA, and what its level shows",
    async (_, scene, details) => {
      const { token } = await session(world, scene)
      for (const unit of await unitAt(token)) expect(unit).toEqual({ ...bare, ...publicNames, ...details })
    }
  )

  it("reverse answers like the public one, with its radius", async () => {
    const { token } = await session(world, { max_level: 1 })
    expect(dataOf(await reverse(world.client, token, { ...at, max_distance_m: 1_000 }))).toMatchObject({
      found: true,
      coordinate: [at.lng, at.lat],
      area: "LA-12-A03-BG",
      district: "LA-12-A03",
      state: "LA",
      radius_m: 250
    })
    expect(dataOf(await reverse(world.client, token, { lat: 0, lng: 0 }))).toEqual({
      found: false,
      coordinate: [0, 0],
      message: expect.any(String),
      radius_m: 25
    })
  })

  it("nearby reaches 300 m, whatever is asked for, and answers an empty list where nothing is", async () => {
    const { token } = await session(world)
    const center = { lat: 6.6118, lng: 3.3615 }
    const codesOf = async (query: Query): Promise<ReadonlyArray<string>> =>
      dataOf<{ readonly results: ReadonlyArray<{ readonly postcode: string }> }>(
        await nearby(world.client, token, query)
      ).results.map(({ postcode }) => postcode)
    const within300 = [...postcodes.stacked, "LA-12-B01-AC-01"]
    expect(fixtureUnits.length).toBeGreaterThan(within300.length)
    expect(await codesOf(center)).toEqual(within300)
    expect(await codesOf({ ...center, radius: 2_000 })).toEqual(within300)
    expect(await codesOf({ ...center, radius: 0, limit: 2 })).toEqual(postcodes.stacked.slice(0, 2))
    expect(await codesOf({ lat: 0, lng: 0 })).toEqual([])
  })

  it("lon and radius_m mean the same, as on the gateway", async () => {
    const { token } = await session(world)
    const query = { lat: at.lat, lon: at.lng, radius_m: 25 }
    expect(dataOf(await reverse(world.client, token, query))).toMatchObject({ found: true })
    expect(outcomeOf(await nearby(world.client, token, query))).toBe("200")
    expectFailure(await nearby(world.client, token, { ...at, lon: 1 }), "400 invalid_parameter", "lon")
  })

  it.each(["0", "21", "100", "1.5"])("a limit of %s is 400", async (limit) => {
    const { token } = await session(world)
    const received = await nearby(world.client, token, { ...at, limit })
    expectFailure(received, "400 invalid_parameter", "limit: expected a whole number from 1 to 20")
  })
}

const bounds = (world: World): void => {
  it("a session has 30 calls over all replicas, then it is 429; another session goes on, and nothing is charged", async () => {
    const { key, token } = await session(world)
    const other = await world.operator.session(key)
    const replica = await world.serveAnother()
    for (let i = 0; i < 30; i++) {
      const { client } = i % 2 === 0 ? world : replica
      const call = i < 4 ? lookUp : i % 3 === 0 ? reverse : nearby
      expect(outcomeOf(await call(client, token))).toBe("200")
    }
    for (const call of [lookUp, reverse, nearby]) {
      const received = await call(replica.client, token)
      expectFailure(received, "429 rate_limit_exceeded", "its 30 lookups and queries by place", "start another session")
      expect(received.headers["retry-after"]).toBe("900")
    }
    expect(outcomeOf(await lookUp(world.client, other))).toBe("200")
    expect(outcomeOf(await world.client.get(url("/v1/widget/address", { q: "Ikeja" }), { token }))).toBe("200")
    const { entries } = await world.operator.statement(key.organization_id, "test")
    expect(entries.map(({ reason }) => reason)).toEqual(["widget_session", "widget_session", "opening"])
  })

  it("sessions of one Idempotency-Key, which is charged once, share their calls", async () => {
    const key = await world.operator.key({ kind: "publishable" })
    const start = async () => {
      const options = { key: key.secret, headers: { "idempotency-key": "one session" } }
      return dataOf<{ token: string }>(await world.client.post("/v1/widget/session", {}, options)).token
    }
    for (let i = 0; i < 5; i++) expect(outcomeOf(await lookUp(world.client, await start()))).toBe("200")
    expectFailure(await lookUp(world.client, await start()), "429 rate_limit_exceeded", "its 5 lookups")
    expect((await world.operator.statement(key.organization_id, "test")).entries).toHaveLength(2)
  })

  it("five of them may be lookups, of any outcome; then reverse and nearby go on", async () => {
    const { token } = await session(world)
    for (let i = 0; i < 5; i++) {
      expect(outcomeOf(await lookUp(world.client, token, i === 0 ? postcodes.unknown : postcodes.full))).toBe("200")
    }
    expectFailure(
      await lookUp(world.client, token),
      "429 rate_limit_exceeded",
      "its 5 lookups",
      "start another session"
    )
    expect(outcomeOf(await reverse(world.client, token))).toBe("200")
    expect(outcomeOf(await nearby(world.client, token))).toBe("200")
  })

  it("what is malformed or not permitted is not counted", async () => {
    const taken: Array<string> = []
    const uses = { take: (_: unknown, use: string) => Effect.sync(() => taken.push(use) > 0) }
    const { client } = await world.serveAnother({}, (effect) => Effect.provideService(effect, SessionUses, uses))
    const { token } = await session(world)
    const { token: withoutLookup } = await session(world, { scopes: ["search"] })
    expect((await lookUp(client, token, "nothing")).status).toBe(400)
    expect((await reverse(client, token, { ...at, lat: 91 })).status).toBe(400)
    expect((await nearby(client, token, { ...at, limit: 21 })).status).toBe(400)
    expect((await lookUp(client, withoutLookup)).status).toBe(403)
    expect(taken).toEqual([])
    await lookUp(client, token)
    await reverse(client, token)
    await nearby(client, token)
    expect(taken).toEqual(["lookup", "unit", "unit", "unit"])
  })

  it("without a token it is 401 auth_required, after its key was revoked 401 invalid_token", async () => {
    const { key, token } = await session(world)
    await world.operator.revoke(key)
    for (const target of [url("/v1/widget/lookup", { code: postcodes.full }), url("/v1/widget/reverse", at)]) {
      expectFailure(await world.client.get(target), "401 auth_required")
      expectFailure(await world.client.get(target, { token }), "401 invalid_token")
    }
  })
}
