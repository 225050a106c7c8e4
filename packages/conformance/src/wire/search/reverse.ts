/** Searches by coordinate: the nearest unit, and the units around a point. */
import { type Coordinate, distance_m } from "@postcode/core/Coordinate"
import { display } from "@postcode/core/Postcode"
import { confidence, roundDistance } from "@postcode/core/ReverseGeocoder"
import { describe, expect, it } from "vitest"
import { fixtureUnits, postcodes } from "../../world/FixtureDirectory.ts"
import type { KeyScene } from "../../world/Operator.ts"
import { url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, type Received } from "../Received.ts"

type Query = Readonly<Record<string, string | number>>

const at = { lat: 6.6018, lng: 3.3515 }
const names = {
  state_name: "Lagos",
  lga_name: "Ikeja",
  locality_name: "\u1ecc\u0300p\u00e1gb\u00e9",
  address: "7 Allen Avenue"
}

export const reverse = (world: World): void => {
  for (const [path, radius] of searches) {
    describe(`GET ${path}`, () => {
      coordinates(world, path)
      invalidRadii(world, path, radius)
      synonyms(world, path, radius)
      nameMatrix(world, path)
    })
  }
  describe("GET /v1/search/reverse", () => {
    appliedRadii(world)
    nearest(world)
  })
  describe("GET /v1/search/nearby", () => around(world))
}

const searches = [
  ["/v1/search/reverse", "max_distance_m"],
  ["/v1/search/nearby", "radius"]
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
  for (const name of ["lat", "lng"]) {
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
      ["lng", 180]
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
    for (const [lat, lng] of [
      ["6.6018", "3.3515"],
      [`6.6018${"0".repeat(100)}`, `${"0".repeat(100)}3.3515`],
      ["06.60180", "3.35150"],
      ["66018e-4", "33515E-4"],
      [".66018e1", "0.33515e+1"]
    ] as const) {
      expect(unitIn(await world.client.get(url(path, { lat, lng })))).toMatchObject({ distance_m: 0 })
    }
  })

  it("plain decimals of any length are read: a tiny one is a place, a huge one is out of range", async () => {
    expect((await world.client.get(url(path, { lat: "0.0000001", lng: "-0.0000001" }))).status).toBe(200)
    for (const value of ["15000000000000000000000", "-15000000000000000000000", "9".repeat(1_000)]) {
      for (const [name, bound] of [
        ["lat", 90],
        ["lng", 180]
      ] as const) {
        const received = await world.client.get(url(path, { ...at, [name]: value }))
        expectFailure(received, "400 invalid_parameter", `${name}: expected`, `from -${bound} to ${bound}`)
      }
    }
  })
}

const invalidRadii = (world: World, path: string, name: string): void => {
  it("a radius that is negative or not a plain decimal is 400", async () => {
    for (const radius_m of [...invalidDecimals, "-1", "-0.001", "-1e-9"]) {
      const received = await world.client.get(url(path, { ...at, [name]: radius_m }))
      expectFailure(received, "400 invalid_parameter", `${name}: expected a radius in metres`)
    }
  })
}

const synonyms = (world: World, path: string, radius: string): void => {
  it("lon means lng, and radius_m the radius", async () => {
    const { lat, lng } = at
    for (const radius_m of ["0", "0.5", "200", "9999"]) {
      const query = { lat: lat + 0.0005, lng, [radius]: radius_m }
      const expected = dataOf(await world.client.get(url(path, query)))
      const named = { lat: lat + 0.0005, lon: lng, radius_m }
      expect(dataOf(await world.client.get(url(path, named)))).toEqual(expected)
    }
  })

  it("both names of one parameter at once are 400, also with equal values, and the message names both", async () => {
    for (const [name, synonym] of [
      ["lng", "lon"],
      [radius, "radius_m"]
    ] as const) {
      const received = await world.client.get(url(path, { ...at, [radius]: 20, [synonym]: 20 }))
      const message = `${synonym}: means the same as ${name}: send only one of them`
      expectFailure(received, "400 invalid_parameter", message)
    }
  })
}

const appliedRadii = (world: World): void => {
  const applied: ReadonlyArray<readonly [string, number]> = [
    ["", 25],
    ["0", 0],
    ["-0", 0],
    ["0.5", 0.5],
    ["12.25", 12.25],
    ["250", 250],
    ["251", 250],
    ["100000", 250],
    ["15000000000000000000000", 250],
    ["1e300", 250]
  ]
  it.each(applied)("a distance of %s m is applied as %s, and radius_m reports it", async (max_distance_m, expected) => {
    for (const place of [at, { lat: 0, lng: 0 }]) {
      const data = await ask(world, "/v1/search/reverse", { ...place, max_distance_m })
      expect(data).toMatchObject({ radius_m: expected })
    }
  })

  it("the coordinate is answered as [longitude, latitude]", async () => {
    for (const [lat, lng, coordinate] of [
      ["-33.5", "-70.6", [-70.6, -33.5]],
      ["-0", "0", [0, 0]],
      ["0.0000001", "-0.0000001", [-1e-7, 1e-7]]
    ] as const) {
      expect(await ask(world, "/v1/search/reverse", { lat, lng })).toMatchObject({ coordinate })
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
      // A caller can tell names that are unknown from names that are not shown.
      ...(isShown ? names : { limited_to: 1 })
    })
  })

  it("no names without a key, and the unit says that it is shown at level 1", async () => {
    const unit = await unitAt(world, path)
    expect(Object.keys(unit)).toEqual(["postcode", "display", "distance_m", "confidence", "limited_to"])
    expect(unit).toMatchObject({ limited_to: 1 })
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
    const query = { lat: -33.5, lng: -70.6 }
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
const unitAt = async (world: World, path: string, key?: string): Promise<object> =>
  unitIn(await world.client.get(url(path, at), key === undefined ? {} : { key }))

const unitIn = (received: Received): object => {
  const data = dataOf<ReadonlyArray<object> | { readonly unit: object }>(received)
  return "unit" in data ? data.unit : (data[0] as object)
}

const nearest = (world: World): void => {
  const path = "/v1/search/reverse"

  it("returns the nearest active unit with the codes derived from it", async () => {
    expect(await ask(world, path, { lat: 6.60181, lng: 3.35151 })).toEqual({
      found: true,
      coordinate: [3.35151, 6.60181],
      unit: {
        postcode: postcodes.full,
        display: "LA 12 A03 BG 07",
        distance_m: 1.6,
        confidence: "high",
        limited_to: 1
      },
      area: "LA-12-A03-BG",
      district: "LA-12-A03",
      state: "LA",
      depth: "unit",
      message: expect.stringContaining("1.6 m"),
      radius_m: 25
    })
  })

  it("without a unit, the answer has found, coordinate, message and radius_m, and no other field", async () => {
    const data = await ask(world, path, { lat: 0, lng: 0, max_distance_m: 1_000 })
    expect(data).toEqual({ found: false, coordinate: [0, 0], message: expect.any(String), radius_m: 250 })
  })

  it("of several units at one point, the first in postcode order is returned", async () => {
    const data = await ask(world, path, { lat: 6.6118, lng: 3.3615, max_distance_m: 0 })
    expect(data).toMatchObject({ found: true, unit: { postcode: postcodes.stacked[0], distance_m: 0 } })
  })

  it("a radius of 0 finds units at exactly the point only", async () => {
    expect(await ask(world, path, { ...at, max_distance_m: 0 })).toMatchObject({ found: true })
    expect(await ask(world, path, { ...at, lat: at.lat + 1e-6, max_distance_m: 0 })).toMatchObject({ found: false })
  })

  it("a retired unit is not found", async () => {
    const { lat, lon: lng } = fixtureUnits.find(({ postcode }) => postcode === postcodes.retired) as Coordinate
    expect(await ask(world, path, { lat, lng, max_distance_m: 250 })).toMatchObject({ found: false })
  })

  it("distance is on the ellipsoid, rounded to 0.1 m; confidence is high to 10 m, medium to 50 m, low beyond", async () => {
    const seen = new Set<string>()
    for (let step = 0; step <= 24; step++) {
      const from = { lat: 6.6138 + step * 0.00009, lon: 3.3615 }
      const expected_m = roundDistance(distance_m(from, { lat: 6.6138, lon: 3.3615 }))
      const data = await ask(world, path, { lat: from.lat, lng: from.lon, max_distance_m: 250 })
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
    const centres = [
      { lat: 6.6018, lon: 3.3515 },
      { lat: 6.6118, lon: 3.3615 },
      { lat: 6.6128, lon: 3.3615 },
      { lat: 9.06, lon: 7.4951 }
    ]
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
            confidence: confidence(exact_m),
            limited_to: 1
          }))
        const data = await ask<Around>(world, path, { lat: centre.lat, lng: centre.lon, radius: radius_m })
        expect(data, `${radius_m} m around ${centre.lat},${centre.lon}`).toEqual(expected)
      }
    }
  })

  it("returns an empty list if no unit is near", async () => {
    expect(await ask(world, path, { lat: 0, lng: 0 })).toEqual([])
  })

  it("the radius is 300 m by default", async () => {
    const data = await ask<Around>(world, path, { lat: 6.6118, lng: 3.3615 })
    expect(data.map(({ postcode }) => postcode)).toEqual([...postcodes.stacked, "LA-12-B01-AC-01"])
  })

  it("a radius above 2,000 m is applied as 2,000", async () => {
    const query = { lat: 6.6118, lng: 3.3615 }
    const all = await ask(world, path, { ...query, radius: 2_000 })
    for (const radius of ["2001", "100000", "15000000000000000000000", "1e300"]) {
      expect(await ask(world, path, { ...query, radius })).toEqual(all)
    }
  })

  it("limit keeps the nearest units; it is 1 to 100, and 20 by default", async () => {
    const query = { lat: 6.6118, lng: 3.3615, radius: 2_000 }
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
