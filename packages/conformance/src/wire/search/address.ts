/** Address search: what each kind of caller sees, and what it costs. */

import { searchAddress } from "@postcode/core/AddressSearch"
import { Directory } from "@postcode/core/Directory"
import { type AnswerRecord, LoadControl } from "@postcode/http"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { KeyScene, TestKey } from "../../world/Operator.ts"
import { type Options, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, outcomeOf, type Received } from "../Received.ts"

/** The fields of an answer that the suites read. */
export interface Found {
  readonly code: string | null
  readonly precision: string | null
  readonly candidates: ReadonlyArray<{ readonly code: string }>
}

/** Texts, and texts of the same length about which the directory knows nothing finer than an LGA. */
export const secretTexts: ReadonlyArray<readonly [known: string, unknown: string]> = [
  ["7 Allen Avenue, Opagbe, Ikeja, Lagos", "7 Alqen Awqnue, Owqgbe, Ikeja, Lagos"],
  ["7 allen avenue", "7 alqzn avqnze"],
  ["Oregun, Ikeja", "Orzqun, Ikeja"],
  ["Garki Abuja Municipal", "Gqzki Abuja Municipal"],
  ["behind 9 Awolowo Way, Ikeja", "behind 9 Awqlzwo Wqz, Ikeja"],
  [postcodes.full, postcodes.unknown],
  [postcodes.full.slice(0, 12), "LA-12-Z99-ZZ"],
  ["LA-12-A03", "LA-12-Z99"],
  [postcodes.retired, "LA-14-C10-AA-02"],
  [`${postcodes.full.slice(0, -1)}O`, `${postcodes.unknown.slice(0, -1)}O`]
]

/** Texts of states and LGAs. */
const publicTexts = ["Ikeja", "Ikeja, Lagos State", "lagos", "Abuja Municipal", "nothing like it", "?", "42", "KN"]

/** The same directory, built without addresses. */
export const withoutAddresses = (world: World): Directory =>
  new Directory({ ...world.fixture.directory.contents, addresses: undefined })

const path = "/v1/search/address"
const ask = (world: World, q: string, options: Options = {}, limit?: number): Promise<Received> =>
  world.client.get(url(path, limit === undefined ? { q } : { q, limit }), options)

const unitText = "7 Allen Avenue, Opagbe, Ikeja"

export const address = (world: World): void => {
  describe(`GET ${path}`, () => {
    belowLevel2(world)
    refusals(world)
    depths(world)
    prices(world)
    idempotency(world)
    form(world)
    privacy(world)
    load(world)
  })
}

const unpaid: ReadonlyArray<readonly [string, KeyScene | undefined]> = [
  ["no key", undefined],
  ["a key of level 1", { max_level: 1 }],
  ["a grant of 1", { granted_level: 1, max_level: 1 }],
  ["a key of level 5 without the scope search", { scopes: ["lookup"] }]
]

const belowLevel2 = (world: World): void => {
  it.each(unpaid)("%s: the answer is one from states and LGAs alone, and free", async (_, scene) => {
    const key = scene && (await world.operator.keyWithCredits(5, scene))
    const options = key === undefined ? {} : { key: key.secret }
    const places = withoutAddresses(world)
    for (const q of [...secretTexts.flat(), ...publicTexts]) {
      const received = await ask(world, q, options)
      const found = dataOf<Found>(received)
      expect(found, q).toEqual(searchAddress(places, q, { finest: "lga" }))
      for (const { code } of [found, ...found.candidates]) expect(code?.length ?? 0, q).toBeLessThanOrEqual(5)
      expect(received.headers).not.toHaveProperty("x-credits-charged")
    }
    if (key !== undefined) expect((await world.operator.statement(key.organization_id, "live")).entries).toHaveLength(1)
  })

  it.each(unpaid)("%s: the length of an answer does not depend on what the directory knows", async (_, scene) => {
    const options = scene === undefined ? {} : { key: (await world.operator.key(scene)).secret }
    for (const [known, unknown] of secretTexts) {
      const lengths: Array<string | undefined> = []
      for (const q of [known, unknown]) lengths.push((await ask(world, q, options)).headers["content-length"])
      expect(lengths[0], known).toBe(lengths[1])
    }
  })

  it("a grant that was lowered to 1 counts at once", async () => {
    const key = await world.operator.key()
    expect(dataOf<Found>(await ask(world, unitText, { key: key.secret })).precision).toBe("unit")
    await world.operator.change(key.organization_id, { granted_level: 1 })
    const found = dataOf<Found>(await ask(world, unitText, { key: key.secret }))
    expect(found).toEqual(searchAddress(withoutAddresses(world), unitText, { finest: "lga" }))
  })
}

const refusals = (world: World): void => {
  it.each([
    ["level 1", { max_level: 1 }],
    ["level 2", { max_level: 2 }],
    ["level 2 without the scope search", { max_level: 2, scopes: ["lookup"] }],
    ["an unverified organization", { environment: "live" }]
  ] as ReadonlyArray<readonly [string, KeyScene]>)(
    "a publishable key is 403 key_type_not_allowed: %s",
    async (what, scene) => {
      const key = await world.operator.key({ kind: "publishable", ...scene })
      if (what.startsWith("an unverified"))
        await world.operator.change(key.organization_id, { kyb_status: "rejected", review_note: "for a test" })
      for (const q of [unitText, "Ikeja"]) {
        expectFailure(await ask(world, q, { key: key.secret }), "403 key_type_not_allowed", "widget session")
      }
    }
  )

  it.each(unpaid.slice(1))("a live key of an unverified organization is 403 kyb_required: %s", async (_, scene) => {
    const key = await world.operator.key({ environment: "live", ...scene })
    await world.operator.change(key.organization_id, { kyb_status: "rejected", review_note: "for a test" })
    const received = await ask(world, unitText, { key: key.secret })
    expectFailure(received, "403 kyb_required")
    expect(received.text).not.toMatch(/allen|opagbe|LA-12/i)
  })

  it.each([
    ["a secret key of level 5", {}],
    ["a live key", { environment: "live" }],
    ["a publishable key", { kind: "publishable" }],
    ...unpaid.slice(1)
  ] as ReadonlyArray<readonly [string, KeyScene]>)(
    "a suspended organization is 403 organization_suspended, also for states and LGAs: %s",
    async (_, scene) => {
      const key = await world.operator.key(scene)
      await world.operator.suspend(key.organization_id)
      for (const q of [unitText, "Ikeja"]) {
        const received = await ask(world, q, { key: key.secret })
        expectFailure(received, "403 organization_suspended", "suspended")
        expect(received.text).not.toMatch(/allen|opagbe|LA-12/i)
        expect(received.headers).not.toHaveProperty("x-credits-charged")
      }
    }
  )

  it("a revoked key is 401 invalid_api_key", async () => {
    const key = await world.operator.key()
    await world.operator.revoke(key)
    expectFailure(await ask(world, "Ikeja", { key: key.secret }), "401 invalid_api_key")
  })
}

const depths = (world: World): void => {
  it.each([
    ["level 2 and the scope search", { max_level: 2, scopes: ["search"] }],
    ["level 5 and both scopes", {}],
    ["a live key of a verified organization", { environment: "live" }]
  ] as ReadonlyArray<readonly [string, KeyScene]>)("%s: all depths", async (_, scene) => {
    const key = await world.operator.keyWithCredits(50, scene)
    const found = dataOf<Found>(await ask(world, unitText, { key: key.secret }))
    expect(found).toMatchObject({ code: postcodes.full, precision: "unit", action: "accept" })
    for (const q of [...secretTexts.flat(), ...publicTexts]) {
      const expected = searchAddress(world.fixture.directory, q, { limit: 20 })
      expect(dataOf<Found>(await ask(world, q, { key: key.secret }, 20)), q).toEqual(expected)
    }
  })
}

const prices = (world: World): void => {
  it("an answer with a code finer than an LGA costs one credit, any other nothing", async () => {
    const key = await world.operator.keyWithCredits(50)
    let balance = 50
    for (const q of [...secretTexts.flat(), ...publicTexts]) {
      const received = await ask(world, q, { key: key.secret, headers: { "x-request-id": "address-1" } })
      const { candidates, code } = dataOf<Found>(received)
      const isFine = [{ code }, ...candidates].some((one) => (one.code?.length ?? 0) > 5)
      if (isFine) balance--
      expect(received.headers, q).toMatchObject({
        "x-credits-charged": isFine ? "1" : "0",
        "x-credits-remaining": String(balance)
      })
    }
    expect(balance).toBeGreaterThan(20)
    expect(balance).toBeLessThan(49)
    const statement = await world.operator.statement(key.organization_id, "live")
    expect(statement.balance).toBe(balance)
    expect(statement.entries[0]).toMatchObject({
      amount: -1,
      reason: "address_search",
      level: 2,
      reference: "address-1"
    })
  })

  it("without credits it is 402 with the price, and nothing is answered; states and LGAs are still free", async () => {
    const key = await world.operator.keyWithCredits(0)
    const received = await ask(world, unitText, { key: key.secret })
    expectFailure(received, "402 insufficient_credits", "costs 1 credit")
    expect(received.text).not.toMatch(/allen|opagbe|LA-12/i)
    expect(received.headers).toMatchObject({ "x-credits-charged": "0", "x-credits-remaining": "0" })
    expect(outcomeOf(await ask(world, "Ikeja", { key: key.secret }))).toBe("200")
  })

  it("the daily limit of a key bounds it", async () => {
    const key = await world.operator.keyWithCredits(9, { daily_credit_limit: 1 })
    expect(outcomeOf(await ask(world, unitText, { key: key.secret }))).toBe("200")
    expectFailure(await ask(world, unitText, { key: key.secret }), "429 rate_limit_exceeded")
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(8)
  })

  it("usage has the query with its credits", async () => {
    const key = await world.operator.key()
    await ask(world, unitText, { key: key.secret })
    await expect
      .poll(async () => {
        const target = `/v1/admin/organizations/${key.organization_id}/usage?environment=test`
        return dataOf<{ readonly usage: unknown }>(await world.operator.call("GET", target)).usage
      })
      .toEqual([expect.objectContaining({ operation: "search.address", requests: 1, credits: 1 })])
  })
}

const idempotency = (world: World): void => {
  const repeat = (key: TestKey, q: string, limit?: number) =>
    ask(world, q, { key: key.secret, headers: { "idempotency-key": "one" } }, limit)

  it("a repeated request is answered again and not charged again; another text or limit is 422", async () => {
    const key = await world.operator.keyWithCredits(9)
    const first = await repeat(key, unitText)
    const again = await repeat(key, unitText)
    expect(first.headers["x-credits-charged"]).toBe("1")
    expect(again.headers).toMatchObject({ "x-credits-charged": "0", "x-credits-remaining": "8" })
    expect(again.text).toBe(first.text)
    expectFailure(await repeat(key, `${unitText}.`), "422 idempotency_key_reused")
    expectFailure(await repeat(key, unitText, 6), "422 idempotency_key_reused")
  })

  it("what was free below level 2 is charged when the same request shows more", async () => {
    const key = await world.operator.keyWithCredits(9)
    await world.operator.change(key.organization_id, { granted_level: 1 })
    expect((await repeat(key, unitText)).headers["x-credits-charged"]).toBe("0")
    await world.operator.change(key.organization_id, { granted_level: 2 })
    expect((await repeat(key, unitText)).headers["x-credits-charged"]).toBe("1")
  })
}

const form = (world: World): void => {
  it("q has 1 to 200 characters", async () => {
    for (const query of [{}, { q: "" }] as const) {
      expectFailure(await world.client.get(url(path, query)), "400 invalid_parameter", "q: this is required")
    }
    expect(outcomeOf(await ask(world, "x".repeat(200)))).toBe("200")
    expectFailure(await ask(world, "x".repeat(201)), "400 invalid_parameter", "q: expected 1 to 200 characters")
  })

  it("limit is 1 to 20, and 5 by default", async () => {
    const { secret: key } = await world.operator.key()
    const q = "Ikeja, Lagos, Oregun"
    const all = dataOf<Found>(await ask(world, q, { key }, 20)).candidates
    for (const limit of [1, 2]) {
      expect(dataOf<Found>(await ask(world, q, { key }, limit)).candidates).toEqual(all.slice(0, limit))
    }
    expect(dataOf<Found>(await ask(world, q, { key })).candidates).toEqual(all.slice(0, 5))
    for (const limit of ["0", "21", "-1", "1.5", "ten"]) {
      const received = await world.client.get(url(path, { q, limit }))
      expectFailure(received, "400 invalid_parameter", "limit: expected a whole number from 1 to 20")
    }
  })

  it("HEAD is 405, and no answer is stored by a cache", async () => {
    const received = await world.client.send({ method: "HEAD", target: url(path, { q: "Ikeja" }) })
    expect(received.status).toBe(405)
    expect(received.headers.allow).toBe("GET, OPTIONS")
    expect((await ask(world, "Ikeja")).headers["cache-control"]).toBe("no-store")
  })
}

const privacy = (world: World): void => {
  it("neither the record of an answer, nor ledger, usage and audit log have the text", async () => {
    const records: Array<AnswerRecord> = []
    const { client } = await world.serveAnother({ onAnswer: (record) => records.push(record) })
    const key = await world.operator.key()
    const q = "7 Allen Avenue, Opagbe, Ikeja, Canarytext"
    const options = { key: key.secret, headers: { "idempotency-key": "private" } }
    dataOf(await client.get(url(path, { q }), options))
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

const load = (world: World): void => {
  it("waits with the paid requests only if it can be charged: with a key", async () => {
    const closed = { limit: 0, target_ms: 1_000, timeout_ms: 0 }
    const { secret: key } = await world.operator.key()
    const target = url(path, { q: "Ikeja" })
    const withoutPaid = await world.serveAnother({ loadControl: new LoadControl(undefined, { paid: closed }) })
    expect(outcomeOf(await withoutPaid.client.get(target))).toBe("200")
    expectFailure(await withoutPaid.client.get(target, { key }), "503 service_unavailable")
    const withoutFree = await world.serveAnother({ loadControl: new LoadControl(undefined, { free: closed }) })
    expectFailure(await withoutFree.client.get(target), "503 service_unavailable")
    expect(outcomeOf(await withoutFree.client.get(target, { key }))).toBe("200")
  })
}
