/** Searches by coordinate: the nearest unit, and the units around a point. */
import { distance_m } from "@postcode/core/Coordinate"
import { display } from "@postcode/core/Postcode"
import { confidence, roundDistance } from "@postcode/core/ReverseGeocoder"
import { describe, expect, it } from "vitest"
import { dataOf, expectFailure, type Received } from "../../wire/Received.ts"
import { fixtureUnits, postcodes } from "../../world/FixtureDirectory.ts"
import type { KeyScene } from "../../world/Operator.ts"
import { url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"

type Query = Readonly<Record<string, string | number>>

const at = { lat: 6.6018, lon: 3.3515 }
const names = {
  state_name: "Lagos",
  lga_name: "Ikeja",
  locality_name: "\u1ecc\u0300p\u00e1gb\u00e9",
  address: "7 Allen Avenue"
}

export const reverse = (world: World): void => {
  for (const [path, ceiling_m, default_m] of searches) {
    describe(`GET ${path}`, () => {
      coordinates(world, path)
      radius(world, path, ceiling_m, default_m)
      nameMatrix(world, path)
    })
  }
  describe("GET /v1/search/reverse", () => nearest(world))
  describe("GET /v1/search/nearby", () => around(world))
}

const searches = [
  ["/v1/search/reverse", 250, 25],
  ["/v1/search/nearby", 2_000, 300]
] as const

const ask = async <Data = Readonly<Record<string, unknown>>>(world: World, path: string, query: Query): Promise<Data> =>
  dataOf<Data>(await world.client.get(url(path, query)))

/** Values that are not plain decimals. */
const invalidDecimals = [
  ...[
    "NaN",
    "Infinity",
    "-Infinity",
    "0x10",
    "0b1",
    "1_0",
    "1,5",
    "six",
    "1e",
    "e1",
    "--1",
    "+6",
    " 6",
    "6 ",
    "\u0666"
  ],
  ...["1e400", "-1e400", "1e1000", "6.6.6", "6\u0000", ".", "-", "-.", "1".repeat(400)]
]

const coordinates = (world: World, path: string): void => {
  for (const name of ["lat", "lon"]) {
    it(`a missing or empty ${name} is 400`, async () => {
      const { [name as "lat"]: _, ...rest } = at
      expectFailure(await world.client.get(url(path, rest)), "400 invalid_parameter", `${name}: this is required`)
      const empty = await world.client.get(url(path, { ...rest, [name]: "" }))
      expectFailure(empty, "400 invalid_parameter", `${name}: this is required`)
    })

    it(`a ${name} that is not a plain decimal is 400`, async () => {
      for (const value of invalidDecimals) {
        const received = await world.client.get(url(path, { ...at, [name]: value }))
        expectFailure(received, "400 invalid_parameter", `${name}: expected a l`)
      }
    })
  }

  it("latitudes outside ±90 and longitudes outside ±180 are 400; the bounds are valid", async () => {
    for (const [name, bound] of [
      ["lat", 90],
      ["lon", 180]
    ] as const) {
      for (const sign of ["", "-"]) {
        const inside = await world.client.get(url(path, { ...at, [name]: `${sign}${bound}` }))
        expect(inside.status).toBe(200)
        const outside = await world.client.get(url(path, { ...at, [name]: `${sign}${bound}.0000001` }))
        expectFailure(outside, "400 invalid_parameter", `${name}: expected`, `-${bound} to ${bound}`)
      }
    }
  })

  it("decimals are accepted in any plain notation", async () => {
    for (const [lat, lon] of [
      ["6.6018", "3.3515"],
      ["06.60180", "3.35150"],
      ["66018e-4", "33515E-4"],
      [".66018e1", "0.33515e+1"]
    ] as const) {
      expect(await ask(world, path, { lat, lon })).toMatchObject({ coordinate: [3.3515, 6.6018] })
    }
  })

  it("the coordinate is answered as [lon, lat]", async () => {
    expect(await ask(world, path, { lat: -33.5, lon: -70.6 })).toMatchObject({ coordinate: [-70.6, -33.5] })
    expect(await ask(world, path, { lat: "-0", lon: "0" })).toMatchObject({ coordinate: [0, 0] })
  })
}

const radius = (world: World, path: string, ceiling_m: number, default_m: number): void => {
  const applied: ReadonlyArray<readonly [string, number]> = [
    ["", default_m],
    ["0", 0],
    ["-0", 0],
    ["0.5", 0.5],
    ["12.25", 12.25],
    [String(ceiling_m), ceiling_m],
    [String(ceiling_m + 1), ceiling_m],
    ["100000", ceiling_m],
    ["1e300", ceiling_m]
  ]
  it.each(applied)("a radius of %s m is applied as %s, and radius_m reports it", async (radius_m, expected) => {
    for (const place of [at, { lat: 0, lon: 0 }]) {
      expect(await ask(world, path, { ...place, radius_m })).toMatchObject({ radius_m: expected })
    }
  })

  it("a radius that is negative or not a plain decimal is 400", async () => {
    for (const radius_m of [...invalidDecimals, "-1", "-0.001", "-1e-9"]) {
      const received = await world.client.get(url(path, { ...at, radius_m }))
      expectFailure(received, "400 invalid_parameter", "radius_m: expected a radius in metres")
    }
  })
}

const nameMatrix = (world: World, path: string): void => {
  const seen: ReadonlyArray<readonly [string, KeyScene, boolean]> = [
    ["level 2 and the scope search", { max_level: 2, scopes: ["search"] }, true],
    ["level 5 and both scopes", {}, true],
    ["a publishable key of level 2", { kind: "publishable", max_level: 2 }, true],
    ["a grant of 2", { granted_level: 2, max_level: 2 }, true],
    ["a maximum of 1", { max_level: 1 }, false],
    ["no scope search", { scopes: ["lookup"] }, false]
  ]
  it.each(seen)("names and address with %s: %s", async (_, scene, isShown) => {
    const key = await world.operator.key(scene)
    const unit = await unitAt(world, path, key.secret)
    expect(unit).toEqual({
      postcode: postcodes.full,
      display: display(postcodes.full),
      distance_m: 0,
      confidence: "high",
      ...(isShown && names)
    })
  })

  it("no names without a key", async () => {
    expect(Object.keys(await unitAt(world, path))).toEqual(["postcode", "display", "distance_m", "confidence"])
  })

  it("no names when the grant is lowered to 1, names again when it is 2", async () => {
    const key = await world.operator.key()
    await world.operator.change(key.organization_id, { granted_level: 1 })
    expect(await unitAt(world, path, key.secret)).not.toHaveProperty("state_name")
    await world.operator.change(key.organization_id, { granted_level: 2 })
    expect(await unitAt(world, path, key.secret)).toMatchObject(names)
  })

  it("unknown names are omitted", async () => {
    const key = await world.operator.key()
    const query = { lat: -33.5, lon: -70.6 }
    expect(unitIn(await world.client.get(url(path, query), { key: key.secret }))).toEqual({
      postcode: postcodes.nameless,
      display: display(postcodes.nameless),
      distance_m: 0,
      confidence: "high"
    })
  })

  it("is free: a balance of 0 is served names, and nothing is charged", async () => {
    const key = await world.operator.keyWithCredits(0)
    expect(await unitAt(world, path, key.secret)).toMatchObject(names)
    expect((await world.operator.statement(key.organization_id, "live")).entries).toEqual([])
  })
}

/** The unit that a search finds at the location of the fixture's full unit. */
const unitAt = async (world: World, path: string, key?: string): Promise<object | undefined> =>
  unitIn(await world.client.get(url(path, at), key === undefined ? {} : { key }))

const unitIn = (received: Received): object | undefined => {
  const data = dataOf<ReadonlyArray<object> | { readonly unit: object }>(received)
  return "unit" in data ? data.unit : data[0]
}

const nearest = (world: World): void => {
  const path = "/v1/search/reverse"

  it("returns the nearest active unit with the codes derived from it", async () => {
    expect(await ask(world, path, { lat: 6.60181, lon: 3.35151 })).toEqual({
      found: true,
      coordinate: [3.35151, 6.60181],
      unit: {
        postcode: postcodes.full,
        display: "LA 12 A03 BG 07",
        distance_m: 1.6,
        confidence: "high"
      },
      area: "LA-12-A03-BG",
      district: "LA-12-A03",
      state: "LA",
      message: expect.stringContaining("1.6 m"),
      radius_m: 25
    })
  })

  it("without a unit, the answer has found, coordinate, message and radius_m, and no other field", async () => {
    const data = await ask(world, path, { lat: 0, lon: 0, radius_m: 1_000 })
    expect(data).toEqual({ found: false, coordinate: [0, 0], message: expect.any(String), radius_m: 250 })
  })

  it("of several units at one point, the first in postcode order is returned", async () => {
    const data = await ask(world, path, { lat: 6.6118, lon: 3.3615, radius_m: 0 })
    expect(data).toMatchObject({ found: true, unit: { postcode: postcodes.stacked[0], distance_m: 0 } })
  })

  it("a radius of 0 finds units at exactly the point only", async () => {
    expect(await ask(world, path, { ...at, radius_m: 0 })).toMatchObject({ found: true })
    expect(await ask(world, path, { lat: at.lat + 1e-6, lon: at.lon, radius_m: 0 })).toMatchObject({ found: false })
  })

  it("a retired unit is not found", async () => {
    const { lat, lon } = fixtureUnits.find(({ postcode }) => postcode === postcodes.retired) as typeof at
    expect(await ask(world, path, { lat, lon, radius_m: 250 })).toMatchObject({ found: false })
  })

  it("distance is on the ellipsoid, rounded to 0.1 m; confidence is high to 10 m, medium to 50 m, low beyond", async () => {
    const seen = new Set<string>()
    for (let step = 0; step <= 24; step++) {
      const from = { lat: 6.6138 + step * 0.00009, lon: 3.3615 }
      const expected_m = roundDistance(distance_m(from, { lat: 6.6138, lon: 3.3615 }))
      const data = await ask(world, path, { ...from, radius_m: 250 })
      expect(data).toMatchObject({
        unit: { postcode: "LA-12-B01-AC-01", distance_m: expected_m, confidence: confidence(expected_m) }
      })
      seen.add(confidence(expected_m))
    }
    expect([...seen]).toEqual(["high", "medium", "low"])
  })
}

type Around = ReadonlyArray<{ readonly postcode: string; readonly distance_m: number; readonly confidence: string }>

const around = (world: World): void => {
  const path = "/v1/search/nearby"

  it("returns the active units within the radius, nearest first, ties by postcode, like a linear search", async () => {
    const centres = [at, { lat: 6.6118, lon: 3.3615 }, { lat: 6.6128, lon: 3.3615 }, { lat: 9.06, lon: 7.4951 }]
    for (const centre of centres) {
      for (const radius_m of [0, 30, 120, 300, 1_200, 2_000]) {
        const expected = fixtureUnits
          .filter(({ active }) => active)
          .map((unit) => ({ postcode: unit.postcode, exact_m: distance_m(centre, unit) }))
          .filter(({ exact_m }) => exact_m <= radius_m)
          .sort((a, b) => a.exact_m - b.exact_m || (a.postcode < b.postcode ? -1 : 1))
          .map(({ exact_m, postcode }) => ({
            postcode,
            display: display(postcode),
            distance_m: roundDistance(exact_m),
            confidence: confidence(exact_m)
          }))
        const data = await ask<Around>(world, path, { ...centre, radius_m })
        expect(data, `${radius_m} m around ${centre.lat},${centre.lon}`).toEqual(expected)
      }
    }
  })

  it("returns an empty list if no unit is near", async () => {
    expect(await ask(world, path, { lat: 0, lon: 0 })).toEqual([])
  })

  it("the radius is 300 m by default", async () => {
    const data = await ask<Around>(world, path, { lat: 6.6118, lon: 3.3615 })
    expect(data.map(({ postcode }) => postcode)).toEqual([...postcodes.stacked, "LA-12-B01-AC-01"])
  })

  it("limit keeps the nearest units; it is 1 to 100, and 20 by default", async () => {
    const query = { lat: 6.6118, lon: 3.3615, radius_m: 2_000 }
    const all = await ask<Around>(world, path, query)
    expect(all.length).toBeGreaterThan(4)
    for (const limit of [1, 2, 4, 100]) {
      expect(await ask<Around>(world, path, { ...query, limit })).toEqual(all.slice(0, limit))
    }
    for (const limit of ["0", "101", "-1", "1.0", "NaN", "1e1"]) {
      const received = await world.client.get(url(path, { ...query, limit }))
      expectFailure(received, "400 invalid_parameter", "limit: expected a whole number from 1 to 100")
    }
  })
}
