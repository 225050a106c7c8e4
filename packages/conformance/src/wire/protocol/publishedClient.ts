/**
 * Plays a client of the published gateway: it sends every published request in its published form, always with
 * `X-API-Key`, and holds each answer against what such clients insist on.
 */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import { json, type Message, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { errorOf, jsonOf, outcomeOf, type Received } from "../Received.ts"

export const publishedClient = (world: World): void => {
  describe("a client of the published gateway", () => {
    gateway(world)
    widget(world)
    widgetSearches(world)
    refusals(world)
    envelopes(world)
  })
}

/** Coordinates as such clients write them, whatever their size. */
const here = { lng: "3.3515", lat: "6.6018" }

const gateway = (world: World): void => {
  const keys = {
    "a secret test key": { kind: "secret", environment: "test" },
    "a publishable key": { kind: "publishable", environment: "live" },
    "a key without the scope search": { scopes: ["lookup"] }
  } as const

  describe.each(Object.entries(keys))("with %s", (_, scene) => {
    const connect = async () => clientOf(world, (await world.operator.key(scene)).secret)

    it("lookup: `valid` is a boolean, for units that exist and for others", async () => {
      const { get } = await connect()
      for (const code of [postcodes.full, "LA12A03BG07", "la 12 a03 bg 07"]) {
        const expected = { postcode: postcodes.full, valid: true, status: "valid" }
        expect(lookedUp(await get("/v1/lookup", { code }))).toMatchObject(expected)
      }
      for (const [postcode, rest] of [
        [postcodes.unknown, { status: "not_found" }],
        [postcodes.retired, { status: "retired" }],
        [postcodes.replaced, { status: "retired", replaced_by: postcodes.full }]
      ] as const) {
        const data = lookedUp(await get("/v1/lookup", { code: postcode, level: "1" }))
        expect(data).toEqual({ postcode, valid: false, ...rest })
      }
    })

    it("autocomplete: a segment and a list of codes", async () => {
      const { get } = await connect()
      for (const [q, segment, code] of [
        ["L", "state", "LA"],
        ["LA1", "lga", "12"],
        ["LA-12-A03-BG", "unit", "07"]
      ] as const) {
        const data = dataIn(await get("/v1/search/autocomplete", { q }))
        expect(data).toMatchObject({
          segment,
          suggestions: expect.arrayContaining([expect.objectContaining({ code })])
        })
      }
    })

    it("reverse: `found` is a boolean, with the unit or the reason", async () => {
      const { get } = await connect()
      expect(reversed(await get("/v1/search/reverse", here))).toMatchObject({
        found: true,
        coordinate: [3.3515, 6.6018],
        unit: { postcode: postcodes.full, display: "LA 12 A03 BG 07", distance_m: 0, confidence: "high" },
        area: "LA-12-A03-BG",
        district: "LA-12-A03",
        state: "LA",
        depth: "unit",
        radius_m: 25
      })
      for (const max_distance_m of ["250", "300", "15000000000000000000000"]) {
        const answer = reversed(await get("/v1/search/reverse", { lng: "3", lat: "3", max_distance_m }))
        expect(answer).toEqual({ found: false, coordinate: [3, 3], message: expect.any(String), radius_m: 250 })
      }
      const tiny = await get("/v1/search/reverse", { lng: "-0.0000001", lat: "0.0000001", max_distance_m: "0.0000001" })
      expect(reversed(tiny)).toMatchObject({ found: false, coordinate: [-1e-7, 1e-7], radius_m: 1e-7 })
    })

    it("nearby: a list under `data`, also if no unit is near", async () => {
      const { get } = await connect()
      const units = listed(await get("/v1/search/nearby", { ...here, radius: "150" }))
      expect(units[0]).toMatchObject({ postcode: postcodes.full, display: "LA 12 A03 BG 07", distance_m: 0 })
      expect(units).toEqual(listed(await get("/v1/search/nearby", here)).slice(0, units.length))
      expect(listed(await get("/v1/search/nearby", { lng: "3", lat: "3", radius: "300" }))).toEqual([])
    })

    it("assemble and disassemble, also of segments without leading zeros", async () => {
      const { get, post } = await connect()
      const segments = { state: "EK", lga: "01", district: "A03", area: "FK", unit: "07" }
      const formats = { postcode: "EK-01-A03-FK-07", display: "EK 01 A03 FK 07", compact: "EK01A03FK07" }
      for (const body of [segments, { ...segments, lga: "1", unit: "7" }]) {
        expect(dataIn(await post("/v1/assembly/assemble", body))).toEqual(formats)
      }
      for (const code of Object.values(formats)) {
        expect(dataIn(await get("/v1/assembly/disassemble", { code }))).toEqual(segments)
      }
    })
  })

  it("a lookup at each level has at least what the level adds", async () => {
    const { get } = await clientOf(world, (await world.operator.key()).secret)
    const added = ["valid", "administrative_address", "building_use_status", "other_building_info", "point_geometry"]
    for (const level of [1, 2, 3, 4, 5]) {
      const data = lookedUp(await get("/v1/lookup", { code: postcodes.full, level: String(level) }))
      expect(Object.keys(data)).toEqual(expect.arrayContaining(added.slice(0, level)))
    }
  })
}

const widget = (world: World): void => {
  const identifiers = [
    { identifier_type: "nin", identifier: "52345678901" },
    { identifier_type: "email", identifier: "played@published.example" }
  ]
  it.each(identifiers)("a widget session by $identifier_type: bookmarks and selections, with the key", async (body) => {
    const bookmarks = [{ postcode: postcodes.full, label: "Home" }]
    await world.operator.call("PUT", "/v1/admin/end-users", { identifiers: [body.identifier], bookmarks })
    const { secret } = await world.operator.key({ kind: "publishable" })
    const { token } = dataIn<{ readonly token: string; readonly expires_in: number }>(
      await clientOf(world, secret).post("/v1/widget/session", body)
    )
    const { get, post } = clientOf(world, secret, token)
    expect(dataIn(await get("/v1/widget/bookmarks"))).toEqual({ bookmarks })
    for (const source of ["bookmark", "search", "discover", undefined]) {
      expect(dataIn(await post("/v1/widget/selected", { postcode: postcodes.full, source }))).toEqual({
        recorded: true
      })
    }
  })
}

const widgetSearches = (world: World): void => {
  /** A session of a key of this level, with which the client calls on. */
  const startSession = async (max_level: AccessLevel) => {
    const { secret } = await world.operator.key({ kind: "publishable", max_level })
    const body = { identifier_type: "nin", identifier: "52345678902" }
    const { token } = dataIn<{ readonly token: string }>(await clientOf(world, secret).post("/v1/widget/session", body))
    return clientOf(world, secret, token)
  }

  it("a session's lookup: validity, names, recent address and building use, never geometry", async () => {
    const { get } = await startSession(5)
    expect(lookedUp(await get("/v1/widget/lookup", { code: postcodes.full }))).toMatchObject({
      postcode: postcodes.full,
      valid: true,
      administrative_address: { state_name: "Lagos", lga_name: "Ikeja", locality_name: "\u1ecc\u0300p\u00e1gb\u00e9" },
      recent_house_address: { recent: "7 Allen Avenue" },
      building_use_status: "mixed"
    })
    const unknown = lookedUp(await get("/v1/widget/lookup", { code: postcodes.unknown }))
    expect(unknown).toMatchObject({ valid: false, status: "not_found" })
    expect((await get("/v1/widget/lookup", { code: postcodes.full })).text).not.toContain("geometry")
  })

  const point_geometry = { type: "Point", coordinates: [3.3515, 6.6018] }
  const unit = { postcode: postcodes.full, distance_m: 0, state_name: "Lagos", lga_name: "Ikeja" }

  it("a session's reverse: the nearest unit with names and point geometry", async () => {
    const { get } = await startSession(5)
    const found = reversed(await get("/v1/widget/reverse", here))
    expect(found).toMatchObject({ found: true, unit: { ...unit, point_geometry } })
    expect(reversed(await get("/v1/widget/reverse", { lng: "3", lat: "3" }))).toMatchObject({ found: false })
  })

  it("a session's nearby: units with point geometry under `data.results`, within 300 m", async () => {
    const { get } = await startSession(5)
    const query = { ...here, radius: "2000" }
    const { results } = dataIn<{ readonly results: ReadonlyArray<{ readonly distance_m: number }> }>(
      await get("/v1/widget/nearby", query)
    )
    expect(results[0]).toMatchObject({ ...unit, point_geometry })
    expect(Math.max(...results.map(({ distance_m }) => distance_m))).toBeLessThanOrEqual(300)
    expect(dataIn(await get("/v1/widget/nearby", { lng: "3", lat: "3" }))).toEqual({ results: [] })
  })

  it("with a key of level 1, the shapes are the same; what it may not see is omitted", async () => {
    const { get } = await startSession(1)
    const found = reversed(await get("/v1/widget/reverse", here))
    expect(found).toMatchObject({ found: true, unit })
    const looked = lookedUp(await get("/v1/widget/lookup", { code: postcodes.full }))
    expect(looked).toMatchObject({ valid: true, administrative_address: { state_name: "Lagos", lga_name: "Ikeja" } })
    for (const text of [JSON.stringify(found), JSON.stringify(looked)]) {
      expect(text).not.toMatch(/geometry|Allen Avenue|mixed/)
    }
  })

  it("nothing is charged for them beyond the session", async () => {
    const key = await world.operator.keyWithCredits(1, { kind: "publishable" })
    const body = { identifier_type: "email", identifier: "played@published.example" }
    const started = await clientOf(world, key.secret).post("/v1/widget/session", body)
    const { get } = clientOf(world, key.secret, dataIn<{ readonly token: string }>(started).token)
    dataIn(await get("/v1/widget/lookup", { code: postcodes.full }))
    dataIn(await get("/v1/widget/reverse", here))
    dataIn(await get("/v1/widget/nearby", here))
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(0)
  })
}

const refusals = (world: World): void => {
  const code = postcodes.full

  it("no key at level 2: 401 auth_required", async () => {
    const received = await clientOf(world).get("/v1/lookup", { code, level: "2" })
    expect(refusedIn(received)).toBe("401 auth_required")
  })

  it("no token of a widget session: 401 auth_required", async () => {
    const { secret } = await world.operator.key({ kind: "publishable" })
    const { get, post } = clientOf(world, secret)
    expect(refusedIn(await get("/v1/widget/bookmarks"))).toBe("401 auth_required")
    expect(refusedIn(await post("/v1/widget/selected", { postcode: code }))).toBe("401 auth_required")
  })

  it("an unknown or revoked key: 401 invalid_api_key, also where no key is needed", async () => {
    const revoked = await world.operator.key()
    await world.operator.revoke(revoked)
    for (const key of ["not-a-key", revoked.secret]) {
      const { get } = clientOf(world, key)
      expect(refusedIn(await get("/v1/lookup", { code }))).toBe("401 invalid_api_key")
      expect(refusedIn(await get("/v1/search/nearby", here))).toBe("401 invalid_api_key")
    }
  })

  it("a level above the key's: 403 level_not_granted", async () => {
    const { secret } = await world.operator.key({ max_level: 1 })
    const received = await clientOf(world, secret).get("/v1/lookup", { code, level: "2" })
    expect(refusedIn(received)).toBe("403 level_not_granted")
  })

  it("no credits left: 402 insufficient_credits", async () => {
    const { secret } = await world.operator.keyWithCredits(0)
    const received = await clientOf(world, secret).get("/v1/lookup", { code, level: "2" })
    expect(refusedIn(received)).toBe("402 insufficient_credits")
  })
}

const envelopes = (world: World): void => {
  const long = "a".repeat(5_000)
  const requests: ReadonlyArray<readonly [what: string, expected: number, message: Message]> = [
    ["a latitude of 91", 400, { method: "GET", target: url("/v1/search/reverse", { ...here, lat: "91" }) }],
    [
      "a huge coordinate",
      400,
      { method: "GET", target: url("/v1/search/nearby", { ...here, lng: "15000000000000000000000" }) }
    ],
    ["a missing coordinate", 400, { method: "GET", target: url("/v1/search/nearby", { lat: here.lat }) }],
    ["a query of 5,000 characters", 400, { method: "GET", target: url("/v1/search/autocomplete", { q: long }) }],
    ["a code of 5,000 characters", 400, { method: "GET", target: url("/v1/lookup", { code: long }) }],
    ["markup in a query", 400, { method: "GET", target: url("/v1/lookup", { code: "<script>" }) }],
    ["a target of 50,000 characters", 400, { method: "GET", target: `/v1/lookup?code=${"a".repeat(50_000)}` }],
    ["a malformed body", 400, { method: "POST", target: "/v1/assembly/assemble", ...json({}), body: "{" }],
    ["a form instead of JSON", 415, { method: "POST", target: "/v1/assembly/assemble", body: "state=LA" }],
    ["an unknown path", 404, { method: "GET", target: "/v1/nothing" }],
    ["a path outside of the interface", 404, { method: "GET", target: "/wp-json/nothing.html" }],
    ["another method", 405, { method: "DELETE", target: "/v1/lookup" }]
  ]
  it.each(requests)("%s is %i in the envelope, also for a browser", async (_, expected, message) => {
    const { secret } = await world.operator.key()
    for (const accept of ["application/json", "text/html,*/*"]) {
      const headers = { ...message.headers, accept }
      const received = await world.client.send({ ...message, headers, key: secret })
      expect(refusedIn(received)).toMatch(new RegExp(`^${expected} [a-z_]+$`))
    }
  })
}

/** A client with a base URL and a key, which it sends with every request. */
const clientOf = (world: World, key?: string, token?: string) => {
  const credentials = { ...(key !== undefined && { key }), ...(token !== undefined && { token }) }
  return {
    get: (path: string, query: Readonly<Record<string, string>> = {}): Promise<Received> =>
      world.client.get(url(path, query), credentials),
    post: (path: string, body: unknown): Promise<Received> => world.client.post(path, body, credentials)
  }
}

/** The `data` of a success: JSON with this member alone. */
const dataIn = <Data>(received: Received): Data => {
  expect(received.headers["content-type"]).toMatch(/^application\/json\b/)
  expect(received.status, received.text).toBeLessThan(300)
  const body = jsonOf(received) as { readonly data: Data }
  expect(Object.keys(body)).toEqual(["data"])
  return body.data
}

/** The status and code of a failure: JSON with a code and a message, whatever the failure. */
const refusedIn = (received: Received): string => {
  expect(received.headers["content-type"]).toMatch(/^application\/json\b/)
  expect(jsonOf(received)).toEqual({ error: { code: expect.any(String), message: expect.any(String) } })
  expect(errorOf(received).message).not.toBe("")
  return outcomeOf(received)
}

const lookedUp = (received: Received) => {
  const data = dataIn<{ readonly postcode: string; readonly valid: boolean }>(received)
  expect(data.valid).toBeTypeOf("boolean")
  return data
}

const reversed = (received: Received) => {
  const data = dataIn<{ readonly found: boolean }>(received)
  expect(data.found).toBeTypeOf("boolean")
  return data
}

const listed = (received: Received) => {
  const data = dataIn<ReadonlyArray<{ readonly postcode: string; readonly distance_m: number }>>(received)
  expect(Array.isArray(data)).toBe(true)
  return data
}
