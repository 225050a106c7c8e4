/** Single lookups: the attributes, the authorization and the price of each level. */
import { type AccessLevel, accessLevels } from "@postcode/core/AccessLevel"
import { compact, display, type Postcode } from "@postcode/core/Postcode"
import { defaultPriceList, lookupPrice } from "@postcode/core/Prices"
import { Prices } from "@postcode/gateway/credits/Prices"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import { url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, type Received } from "../Received.ts"
import { shownAttributes } from "../Vectors.ts"

const target = (code: string, level?: number | string) =>
  url("/v1/lookup", { code, ...(level !== undefined && { level }) })

const cost = (received: Received) => ({
  level: received.headers["x-lookup-level"],
  charged: received.headers["x-credits-charged"],
  remaining: received.headers["x-credits-remaining"]
})

export const lookup = (world: World): void => {
  describe("GET /v1/lookup", () => {
    parameters(world)
    levels(world)
    permissions(world)
    capping(world)
    prices(world)
    delivered(world)
    invalidUnits(world)
  })
}

const parameters = (world: World): void => {
  const formats = [
    postcodes.full,
    display(postcodes.full),
    compact(postcodes.full),
    postcodes.full.toLowerCase(),
    `\t${display(postcodes.full).toLowerCase()}  `,
    postcodes.full.replaceAll("-", "\u2013"),
    postcodes.full.replaceAll("-", "\u00a0")
  ]
  it.each(formats)("accepts any format and returns the canonical one: %j", async (code) => {
    expect(dataOf(await world.client.get(target(code)))).toEqual({
      postcode: postcodes.full,
      valid: true,
      status: "valid"
    })
  })

  it("level is 1 by default", async () => {
    const received = await world.client.get(target(postcodes.full))
    expect(received.headers["x-lookup-level"]).toBe("1")
  })

  it("a missing code is 400", async () => {
    expectFailure(await world.client.get("/v1/lookup?level=1"), "400 invalid_parameter", "code")
  })

  const malformed = {
    "": "code",
    L: "state",
    "1A": "state",
    LA: "lga",
    "LA-1X-A03-BG-07": "lga",
    "LA-12 A03BG07": "district",
    "LA-12-A0-BG-07": "district",
    "LA-12-A03-B1-07": "area",
    "LA-12-A03-BG": "unit",
    "LA-12-A03-BG-077": "unit",
    "LA--12-A03-BG-07": "lga",
    "L\u0410-12-A03-BG-07": "state"
  }
  for (const [code, segment] of Object.entries(malformed)) {
    it(`a malformed code is 400, and the message names ${segment}: ${JSON.stringify(code)}`, async () => {
      expectFailure(await world.client.get(target(code)), "400 invalid_parameter", "code", segment)
    })
  }

  const badLevels = [
    "0",
    "6",
    "-1",
    "1.0",
    "1.5",
    "1e0",
    "0x1",
    "+1",
    " 1",
    "NaN",
    "Infinity",
    "one",
    "\u0661",
    "9".repeat(400)
  ]
  it.each(badLevels)("a level that is not an integer from 1 to 5 is 400: %s", async (level) => {
    const key = await world.operator.key()
    const received = await world.client.get(target(postcodes.full, level), { key: key.secret })
    expectFailure(received, "400 invalid_parameter", "level: expected a whole number from 1 to 5")
  })
}

/** The attributes of the fixture's full unit, by name. */
const everything = {
  postcode: postcodes.full,
  valid: true,
  status: "valid",
  administrative_address: {
    state_name: "Lagos",
    lga_name: "Ikeja",
    locality_name: "\u1ecc\u0300p\u00e1gb\u00e9",
    zone: "South West"
  },
  recent_house_address: { recent: "7 Allen Avenue" },
  building_use_status: "mixed",
  other_building_info: { type: "duplex", owner: "private", delivery_point: true },
  point_geometry: { type: "Point", coordinates: [3.3515, 6.6018] }
}

const attributes = shownAttributes()

/** The answer of a level for a unit with all attributes: the postcode, and the attributes that the vectors list. */
const shown = (level: AccessLevel): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(everything).filter(([name]) => name === "postcode" || attributes.get(level)?.includes(name))
  )

const levels = (world: World): void => {
  for (const level of accessLevels) {
    it(`level ${level} shows its own attributes and those of lower levels, and no others`, async () => {
      const key = await world.operator.key()
      const received = await world.client.get(target(postcodes.full, level), { key: key.secret })
      expect(dataOf(received)).toEqual(shown(level))
      expect(received.headers["x-lookup-level"]).toBe(String(level))
    })

    it(`level ${level} has its objects even without known attributes, and only known values in them`, async () => {
      const key = await world.operator.key()
      const names = { state_name: "Lagos", lga_name: "Ikeja", zone: "South West" }
      const bare = dataOf<Record<string, unknown>>(
        await world.client.get(target(postcodes.bare, level), { key: key.secret })
      )
      const { building_use_status: _, ...expected } = shown(level)
      expect(bare).toEqual({
        ...expected,
        postcode: postcodes.bare,
        ...(level >= 2 && { administrative_address: names, recent_house_address: {} }),
        ...(level >= 4 && { other_building_info: {} }),
        ...(level >= 5 && { point_geometry: { type: "Point", coordinates: [3.3515, 6.602] } })
      })
    })
  }

  it("an unknown value is omitted, and false is a value", async () => {
    const key = await world.operator.key()
    expect(dataOf(await world.client.get(target(postcodes.partly, 4), { key: key.secret }))).toEqual({
      postcode: postcodes.partly,
      valid: true,
      status: "valid",
      administrative_address: { state_name: "Lagos", lga_name: "Ikeja", zone: "South West" },
      recent_house_address: { recent: "9 Awolowo Way" },
      other_building_info: { delivery_point: false }
    })
  })

  it("a unit whose state has no name has an empty administrative address", async () => {
    const key = await world.operator.key()
    const data = dataOf(await world.client.get(target(postcodes.nameless, 2), { key: key.secret }))
    expect(data).toMatchObject({ valid: true, administrative_address: {}, recent_house_address: {} })
  })

  it("coordinates are GeoJSON: longitude first", async () => {
    const key = await world.operator.key()
    const data = dataOf(await world.client.get(target(postcodes.nameless, 5), { key: key.secret }))
    expect(data).toMatchObject({ point_geometry: { type: "Point", coordinates: [-70.6, -33.5] } })
  })
}

const permissions = (world: World): void => {
  it("level 1 is public", async () => {
    const received = await world.client.get(target(postcodes.full, 1))
    expect(dataOf(received)).toEqual({ postcode: postcodes.full, valid: true, status: "valid" })
    expect(cost(received)).toEqual({ level: "1", charged: undefined, remaining: undefined })
  })

  it("level 1 needs no scope", async () => {
    const key = await world.operator.key({ scopes: ["search"] })
    expect((await world.client.get(target(postcodes.full, 1), { key: key.secret })).status).toBe(200)
  })

  it.each([2, 3, 4, 5])("level %i without a key is 401 auth_required", async (level) => {
    expectFailure(await world.client.get(target(postcodes.full, level)), "401 auth_required")
    expectFailure(await world.client.get(target(postcodes.unknown, level)), "401 auth_required")
  })

  it.each([2, 3, 4, 5])("level %i without the scope lookup is 403 insufficient_scope", async (level) => {
    const key = await world.operator.key({ scopes: ["search"] })
    const received = await world.client.get(target(postcodes.full, level), { key: key.secret })
    expectFailure(received, "403 insufficient_scope", "lookup")
  })

  for (const max_level of accessLevels) {
    it(`a key with the maximum ${max_level} is served up to it and refused above: 403 level_not_granted`, async () => {
      const key = await world.operator.key({ max_level })
      for (const level of accessLevels) {
        const received = await world.client.get(target(postcodes.full, level), { key: key.secret })
        if (level <= max_level) expect(dataOf(received)).toEqual(shown(level))
        else expectFailure(received, "403 level_not_granted", String(max_level))
      }
    })
  }

  it.each(["secret", "publishable"] as const)("a %s key may look up", async (kind) => {
    const key = await world.operator.key({ kind, scopes: ["lookup"] })
    expect(dataOf(await world.client.get(target(postcodes.full, 2), { key: key.secret }))).toEqual(shown(2))
  })

  it("a publishable key of level 5 is served level 2 at most, and charged for level 2", async () => {
    const origin = "https://shop.example"
    const key = await world.operator.keyWithCredits(10, { kind: "publishable", origins: [origin] })
    for (const [level, headers] of [
      [3, {}],
      [4, { origin }],
      [5, {}]
    ] as const) {
      const received = await world.client.get(target(postcodes.full, level), { key: key.secret, headers })
      expect(dataOf(received)).toEqual({ ...shown(2), limited_to: 2 })
      expect(received.headers["x-lookup-level"]).toBe("2")
    }
    const { entries } = await world.operator.statement(key.organization_id, "live")
    expect(entries.map(({ amount }) => amount)).toEqual([-1, -1, -1, 10])
  })

  it("a publishable key is refused above its own maximum, like any key", async () => {
    const key = await world.operator.key({ kind: "publishable", max_level: 3 })
    expect((await world.client.get(target(postcodes.full, 3), { key: key.secret })).headers["x-lookup-level"]).toBe("2")
    expectFailure(
      await world.client.get(target(postcodes.full, 4), { key: key.secret }),
      "403 level_not_granted",
      "level 3"
    )
  })
}

const capping = (world: World): void => {
  for (const granted_level of accessLevels) {
    it(`above the grant ${granted_level} the answer is capped at the grant, and charged for the level served`, async () => {
      const key = await world.operator.key({ granted_level: 5 })
      await world.operator.change(key.organization_id, { granted_level, review_note: "shrunk" })
      let balance = 1_000
      for (const level of accessLevels) {
        const served = Math.min(level, granted_level) as AccessLevel
        const received = await world.client.get(target(postcodes.full, level), { key: key.secret })
        expect(dataOf(received)).toEqual({ ...shown(served), ...(served < level && { limited_to: served }) })
        balance -= lookupPrice(defaultPriceList, served)
        const metered = { charged: String(lookupPrice(defaultPriceList, served)), remaining: String(balance) }
        expect(cost(received)).toEqual({
          level: String(served),
          ...(level === 1 ? { charged: undefined, remaining: undefined } : metered)
        })
      }
    })
  }

  it("a raised grant is active at once", async () => {
    const key = await world.operator.key({ granted_level: 5 })
    for (const granted_level of [2, 4, 1, 3] as const) {
      await world.operator.change(key.organization_id, { granted_level })
      const received = await world.client.get(target(postcodes.full, 5), { key: key.secret })
      expect(dataOf(received)).toEqual({ ...shown(granted_level), limited_to: granted_level })
    }
  })
}

const prices = (world: World): void => {
  it("levels 1 to 5 cost 0, 1, 2, 3 and 3 credits", async () => {
    const key = await world.operator.keyWithCredits(100)
    for (const level of accessLevels) await world.client.get(target(postcodes.full, level), { key: key.secret })
    const { balance, entries } = await world.operator.statement(key.organization_id, "live")
    expect(balance).toBe(91)
    expect(entries.map(({ amount }) => amount)).toEqual([-3, -3, -2, -1, 100])
  })

  it("each charge is one ledger entry with its reason, the request's id and the balance after it", async () => {
    const key = await world.operator.keyWithCredits(10)
    const received = await world.client.get(target(postcodes.full, 4), {
      key: key.secret,
      headers: { "x-request-id": "order-66" }
    })
    expect(cost(received)).toEqual({ level: "4", charged: "3", remaining: "7" })
    const { entries } = await world.operator.statement(key.organization_id, "live")
    expect(entries[0]).toMatchObject({ amount: -3, reason: "lookup", reference: "order-66", balance_after: 7 })
  })

  it("a repeated X-Request-Id is charged again: it is not an Idempotency-Key", async () => {
    const key = await world.operator.keyWithCredits(10)
    const headers = { "x-request-id": "same" }
    for (let i = 0; i < 3; i++) await world.client.get(target(postcodes.full, 2), { key: key.secret, headers })
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(7)
  })

  it("402 if the balance is below the price: nothing is charged or returned, and headers show the balance", async () => {
    const key = await world.operator.keyWithCredits(2)
    const received = await world.client.get(target(postcodes.full, 4), { key: key.secret })
    expectFailure(received, "402 insufficient_credits", "3", "2")
    expect(cost(received)).toEqual({ level: undefined, charged: "0", remaining: "2" })
    expect((await world.operator.statement(key.organization_id, "live")).entries).toHaveLength(1)
    const cheaper = await world.client.get(target(postcodes.full, 3), { key: key.secret })
    expect(cost(cheaper)).toEqual({ level: "3", charged: "2", remaining: "0" })
  })

  it("only level 1 is served with a balance of 0", async () => {
    const key = await world.operator.keyWithCredits(0)
    expect(dataOf(await world.client.get(target(postcodes.full, 1), { key: key.secret }))).toEqual(shown(1))
    for (const level of [2, 3, 4, 5]) {
      const received = await world.client.get(target(postcodes.full, level), { key: key.secret })
      expectFailure(received, "402 insufficient_credits")
    }
  })

  it("test and live keys are charged to separate balances", async () => {
    const live = await world.operator.keyWithCredits(10)
    const test = await world.operator.key({ organization_id: live.organization_id, environment: "test" })
    await world.client.get(target(postcodes.full, 2), { key: live.secret })
    await world.client.get(target(postcodes.full, 4), { key: test.secret })
    expect((await world.operator.statement(live.organization_id, "live")).balance).toBe(9)
    expect((await world.operator.statement(live.organization_id, "test")).balance).toBe(997)
  })

  it("all keys of an organization are charged to one balance", async () => {
    const first = await world.operator.keyWithCredits(10)
    const second = await world.operator.key({ organization_id: first.organization_id, environment: "live" })
    await world.client.get(target(postcodes.full, 2), { key: first.secret })
    const received = await world.client.get(target(postcodes.full, 2), { key: second.secret })
    expect(cost(received)).toEqual({ level: "2", charged: "1", remaining: "8" })
  })

  it("a refused request costs nothing", async () => {
    const key = await world.operator.keyWithCredits(10, { max_level: 3 })
    await world.client.get(target("LA", 3), { key: key.secret })
    await world.client.get(target(postcodes.full, 4), { key: key.secret })
    await world.client.send({ method: "DELETE", target: target(postcodes.full, 3), key: key.secret })
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(10)
  })

  it("prices are configuration", async () => {
    const priced = { ...defaultPriceList, lookup: { 2: 10, 3: 20, 4: 30, 5: 40 } }
    const { client } = await world.serveAnother({}, (effect) => Effect.provideService(effect, Prices, priced))
    const key = await world.operator.keyWithCredits(100)
    const charged: Array<string | undefined> = []
    for (const level of [2, 3, 5]) {
      charged.push(cost(await client.get(target(postcodes.full, level), { key: key.secret })).charged)
    }
    expect(charged).toEqual(["10", "20", "40"])
  })
}

const delivered = (world: World): void => {
  it.each([
    ["all", postcodes.full, [1, 2, 3, 3]],
    ["part", postcodes.partly, [1, 1, 3, 3]],
    ["the names of state and LGA", postcodes.bare, [1, 1, 1, 3]],
    ["nothing but its place", postcodes.nameless, [0, 0, 0, 3]]
  ] as const)(
    "costs the price of the highest level of which an attribute is shown, where %s is known",
    async (_, code, prices) => {
      const key = await world.operator.keyWithCredits(100)
      let balance = 100
      for (const [i, level] of [2, 3, 4, 5].entries()) {
        const charged = prices[i] as number
        balance -= charged
        const received = await world.client.get(target(code, level), { key: key.secret })
        expect(cost(received)).toEqual({
          level: String(level),
          charged: String(charged),
          remaining: String(balance)
        })
      }
      const { entries } = await world.operator.statement(key.organization_id, "live")
      expect(entries.map(({ amount }) => amount)).toEqual([
        ...prices
          .filter((price) => price > 0)
          .map((price) => -price)
          .toReversed(),
        100
      ])
    }
  )

  it("a unit without attributes is served with a balance of 0, below level 5", async () => {
    const key = await world.operator.keyWithCredits(0)
    for (const level of [2, 3, 4]) {
      const received = await world.client.get(target(postcodes.nameless, level), { key: key.secret })
      expect(dataOf(received)).toMatchObject({ valid: true, administrative_address: {} })
      expect(cost(received)).toEqual({ level: String(level), charged: "0", remaining: "0" })
    }
    const received = await world.client.get(target(postcodes.nameless, 5), { key: key.secret })
    expectFailure(received, "402 insufficient_credits", "3")
  })
}

const invalidUnits = (world: World): void => {
  const { full, lastOfItsState, replaced, replacedTwice, retired, unknown } = postcodes
  const notFound = { status: "not_found" }
  const isRetired = { status: "retired" }
  const invalid: ReadonlyArray<readonly [string, Postcode, object]> = [
    ["unknown", unknown, notFound],
    ["unknown, of an unknown state", "XX-00-000-XX-00" as Postcode, notFound],
    ["retired", retired, isRetired],
    ["retired and the only one of its state", lastOfItsState, isRetired],
    ["retired and replaced", replaced, { status: "retired", replaced_by: full }],
    ["retired and replaced by one that is replaced", replacedTwice, { status: "retired", replaced_by: replaced }]
  ]
  for (const [what, code, status] of invalid) {
    it(`a unit that is ${what} is 200 and valid: false at every level, and costs nothing`, async () => {
      const key = await world.operator.keyWithCredits(10)
      for (const level of accessLevels) {
        const received = await world.client.get(target(code, level), { key: key.secret })
        expect(dataOf(received)).toEqual({ postcode: code, valid: false, ...status })
        if (level > 1) expect(cost(received)).toEqual({ level: String(level), charged: "0", remaining: "10" })
      }
      expect((await world.operator.statement(key.organization_id, "live")).entries).toHaveLength(1)
    })
  }

  it("an unknown unit is also served with a balance of 0", async () => {
    const key = await world.operator.keyWithCredits(0)
    const received = await world.client.get(target(postcodes.unknown, 4), { key: key.secret })
    expect(dataOf(received)).toEqual({ postcode: postcodes.unknown, valid: false, status: "not_found" })
  })
}
