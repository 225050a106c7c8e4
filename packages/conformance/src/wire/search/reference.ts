/** The codes that exist under a branch: free, for any key. */
import { Prices } from "@postcode/gateway/credits/Prices"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { KeyScene } from "../../world/Operator.ts"
import { url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure } from "../Received.ts"

const areas = "/v1/reference/areas"
const lists = [
  ["/v1/reference/states", {}],
  ["/v1/reference/lgas", { state: "LA" }],
  ["/v1/reference/districts", { state: "LA", lga: "12" }],
  [areas, { state: "LA", lga: "12", district: "A03" }]
] as const

export const reference = (world: World): void => {
  describe("GET /v1/reference", () => {
    contents(world)
    keys(world)
    parameters(world)
    prices(world)
  })
}

const prices = (world: World): void => {
  const path = "/v1/reference/prices"

  it("shows the prices that are charged, to anyone", async () => {
    const charged = { lookup: { 2: 10, 3: 20, 4: 30, 5: 40 }, widget_session: 7, address_search: 9 }
    const { client } = await world.serveAnother({}, (effect) => Effect.provideService(effect, Prices, charged))
    const shown = { ...charged, lookup: { 1: 0, ...charged.lookup } }
    expect(dataOf(await client.get(path))).toEqual(shown)
    const key = await world.operator.keyWithCredits(100)
    expect(dataOf(await client.get(path, { key: key.secret }))).toEqual(shown)
    const looked = await client.get(url("/v1/lookup", { code: postcodes.full, level: "4" }), { key: key.secret })
    expect(looked.headers["x-credits-charged"]).toBe("30")
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(70)
  })

  it("checks a key that is sent", async () => {
    const secret = "svc_live_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    expectFailure(await world.client.get(path, { key: secret }), "401 invalid_api_key")
  })

  it("is free, also with a publishable key, and only GET and HEAD reach it", async () => {
    const key = await world.operator.key({ kind: "publishable" })
    expect((await world.client.get(path, { key: key.secret })).status).toBe(200)
    expect((await world.client.send({ method: "HEAD", target: path })).status).toBe(200)
    expectFailure(await world.client.send({ method: "POST", target: path, body: "{}" }), "405 method_not_allowed")
  })
}

const contents = (world: World): void => {
  const list = async (path: string, query: Readonly<Record<string, string>> = {}) =>
    dataOf(await world.client.get(url(path, query), { key: (await world.operator.key()).secret }))

  it("areas are codes in order, without names", async () => {
    expect(await list(areas, { state: "LA", lga: "12", district: "A03" })).toEqual({
      areas: [{ code: "BG" }, { code: "BH" }]
    })
  })

  it("states are codes in order with their names, of branches that hold an active unit", async () => {
    expect(await list("/v1/reference/states")).toEqual({
      states: [{ code: "FC", name: "Federal Capital Territory" }, { code: "LA", name: "Lagos" }, { code: "ZZ" }]
    })
  })

  it("lgas are codes in order with their names", async () => {
    const lgas = [
      { code: "12", name: "Ikeja" },
      { code: "14", name: "Kosofe" }
    ]
    expect(await list("/v1/reference/lgas", { state: "LA" })).toEqual({ lgas })
    expect(await list("/v1/reference/lgas", { state: "ZZ" })).toEqual({ lgas: [{ code: "99" }] })
  })

  it("districts are codes in order, digits before letters", async () => {
    expect(await list("/v1/reference/districts", { state: "FC", lga: "01" })).toEqual({
      districts: [{ code: "0A0" }, { code: "A00" }]
    })
  })
}

const keys = (world: World): void => {
  const kinds: ReadonlyArray<readonly [string, KeyScene]> = [
    ["a secret key", {}],
    ["a publishable key", { kind: "publishable" }],
    ["a live key without credits", { environment: "live" }],
    ["a key of level 1 with the scope search alone", { max_level: 1, scopes: ["search"] }],
    ["a key with the scope lookup alone", { scopes: ["lookup"] }]
  ]
  it.each(kinds)("%s is enough, and nothing is charged", async (_, scene) => {
    const key = await world.operator.key(scene)
    const environment = scene.environment ?? "test"
    const before = await world.operator.statement(key.organization_id, environment)
    for (const [path, query] of lists) {
      expect((await world.client.get(url(path, query), { key: key.secret })).status).toBe(200)
    }
    expect(await world.operator.statement(key.organization_id, environment)).toEqual(before)
  })

  it.each(lists)("%s accepts codes in upper and lower case", async (path, query) => {
    const { secret } = await world.operator.key()
    const lowered = Object.fromEntries(Object.entries(query).map(([name, code]) => [name, code.toLowerCase()]))
    const received = await world.client.get(url(path, lowered), { key: secret })
    expect(dataOf(received)).toEqual(dataOf(await world.client.get(url(path, query), { key: secret })))
  })

  it.each(lists)("%s without a key is 401 auth_required", async (path, query) => {
    expectFailure(await world.client.get(url(path, query)), "401 auth_required", "X-API-Key")
  })

  it("the operator token is not a key", async () => {
    const received = await world.client.get("/v1/reference/states", { token: "anything at all" })
    expectFailure(received, "401 auth_required")
  })
}

const parameters = (world: World): void => {
  const whole: Readonly<Record<string, string>> = { state: "LA", lga: "12", district: "A03" }
  const wrong: Readonly<Record<string, ReadonlyArray<string>>> = {
    state: ["", "L", "LAG", "12", "\u0410\u0410", " LA"],
    lga: ["", "1", "123", "AB", "1.", "-1"],
    district: ["", "A0", "A033", "A-3", "   "]
  }
  for (const [path, query] of lists.slice(1)) {
    for (const name of Object.keys(query)) {
      it(`${path}: a missing or malformed ${name} is 400 and named`, async () => {
        const key = await world.operator.key()
        const { [name]: _, ...rest } = query as Readonly<Record<string, string>>
        const missing = await world.client.get(url(path, rest), { key: key.secret })
        expectFailure(missing, "400 invalid_parameter", `${name}: this is required`)
        for (const value of wrong[name] ?? []) {
          const received = await world.client.get(url(path, { ...query, [name]: value }), { key: key.secret })
          expectFailure(received, "400 invalid_parameter", `${name}: `)
        }
      })
    }
  }

  const absent: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string]> = [
    ["a state that does not exist", { state: "XX" }, "state"],
    ["a state that has a name but no unit", { state: "KN", lga: "03" }, "state"],
    ["a state whose units are all retired", { state: "BO", lga: "05", district: "A01" }, "state"],
    ["an LGA that does not exist", { lga: "99" }, "lga"],
    ["an LGA of another state", { lga: "01" }, "lga"],
    ["a district that does not exist", { district: "ZZZ" }, "district"],
    ["a district of another LGA", { district: "C10" }, "district"]
  ]
  it.each(absent)("%s is 400 and named", async (_, changes, name) => {
    const key = await world.operator.key()
    const received = await world.client.get(url(areas, { ...whole, ...changes }), { key: key.secret })
    expectFailure(received, "400 invalid_parameter", `${name}: there is none`)
  })
}
