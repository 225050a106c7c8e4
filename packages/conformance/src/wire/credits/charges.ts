/** Charges under load and repetition: the balance is never negative, and no charge is doubled or lost. */
import { connect } from "node:net"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { BuyCreditsUrl } from "@postcode/gateway/credits/BuyCreditsUrl"
import { Units } from "@postcode/gateway/directory/Units"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { TestKey } from "../../world/Operator.ts"
import { operatorToken } from "../../world/OperatorToken.ts"
import { url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, outcomeOf, type Received } from "../Received.ts"

const lookup = (level: number, code: string = postcodes.full) => url("/v1/lookup", { code, level })

export const charges = (world: World): void => {
  describe("charges", () => {
    atOnce(world)
    hangingUp(world)
    buying(world)
  })
  describe("Idempotency-Key", () => {
    repeated(world)
    repeatedWithOtherData(world)
    reused(world)
    form(world)
  })
}

/** Checks that each entry's balance follows from the previous one, and that the last one is the current balance. */
const expectLedger = async (world: World, key: TestKey, entries: ReadonlyArray<number>): Promise<void> => {
  const target = `/v1/admin/organizations/${key.organization_id}/credits?environment=live`
  const walked = await world.operator.walk<{ amount: number; balance_after: number; id: string }>(
    target,
    "entries",
    100
  )
  const oldestFirst = walked.items.toReversed()
  expect(oldestFirst.map(({ amount }) => amount)).toEqual(entries)
  let balance = 0
  for (const { amount, balance_after } of oldestFirst) {
    balance += amount
    expect(balance_after).toBe(balance)
  }
  expect(new Set(oldestFirst.map(({ id }) => id)).size).toBe(entries.length)
  expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(balance)
}

const buying = (world: World): void => {
  const template = "https://pay.example/buy?for={organization_id}&in={environment}"
  const serveWith = (url: string) =>
    world.serveAnother({}, (effect) => Effect.provideService(effect, BuyCreditsUrl, url))

  it("a 402 names the page where the organization buys credits, to its secret keys only", async () => {
    const { client } = await serveWith(template)
    const key = await world.operator.keyWithCredits(0)
    const page = `https://pay.example/buy?for=${key.organization_id}&in=live`
    const refused = await client.get(lookup(2), { key: key.secret })
    expectFailure(
      refused,
      "402 insufficient_credits",
      `this request costs 1 credit and the balance is 0: nothing was charged; buy credits at ${page}`
    )
    expect(refused.headers).toMatchObject({ "x-credits-charged": "0", "x-credits-remaining": "0" })
    const { organization_id } = key
    const batch = { path: "/v1/lookup/batch", body: { codes: [postcodes.full], level: 2 } }
    expectFailure(await client.post(batch.path, batch.body, { key: key.secret }), "402 insufficient_credits", page)
    const options = { kind: "publishable", environment: "live", organization_id } as const
    const publishable = await world.operator.key({ ...options, scopes: ["lookup"], max_level: 2 })
    const visitor = await client.get(lookup(2), { key: publishable.secret })
    expect(visitor.status).toBe(402)
    expect(visitor.body).not.toContain("pay.example")
  })

  it("the balance has the page, of test credits only if the page sells them", async () => {
    const { organization_id } = await world.operator.keyWithCredits(5)
    const shown = async (url: string, environment: string) => {
      const { client } = await serveWith(url)
      const target = `/v1/admin/organizations/${organization_id}/credits?environment=${environment}`
      return (dataOf(await client.get(target, { token: operatorToken })) as { buy_url: unknown }).buy_url
    }
    expect(await shown(template, "live")).toBe(`https://pay.example/buy?for=${organization_id}&in=live`)
    expect(await shown(template, "test")).toBe(`https://pay.example/buy?for=${organization_id}&in=test`)
    const liveOnly = "https://pay.example/{organization_id}"
    expect(await shown(liveOnly, "live")).toBe(`https://pay.example/${organization_id}`)
    expect(await shown(liveOnly, "test")).toBe(null)
  })
}

const minusOne = (count: number): ReadonlyArray<number> => new Array<number>(count).fill(-1)

const atOnce = (world: World): void => {
  it("200 lookups on 40 credits: 40 are served, 160 are 402, and balance and ledger agree", async () => {
    const key = await world.operator.keyWithCredits(40)
    const all = await Promise.all(Array.from({ length: 200 }, () => world.client.get(lookup(2), { key: key.secret })))
    const served = all.filter(({ status }) => status === 200)
    expect(served).toHaveLength(40)
    expect(all.filter((received) => outcomeOf(received) === "402 insufficient_credits")).toHaveLength(160)
    const remaining = served.map(({ headers }) => Number(headers["x-credits-remaining"]))
    expect(remaining.toSorted((a, b) => b - a)).toEqual(Array.from({ length: 40 }, (_, i) => 39 - i))
    await expectLedger(world, key, [40, ...minusOne(40)])
  })

  it("lookups of different prices on too few credits never bring the balance below zero", async () => {
    const key = await world.operator.keyWithCredits(50)
    const all = await Promise.all(
      Array.from({ length: 120 }, (_, i) => world.client.get(lookup(2 + (i % 3)), { key: key.secret }))
    )
    const charged = all.reduce((sum, { headers }) => sum + Number(headers["x-credits-charged"]), 0)
    const { balance, entries } = await world.operator.statement(key.organization_id, "live")
    expect(balance).toBe(50 - charged)
    expect(balance).toBeGreaterThanOrEqual(0)
    expect(balance).toBeLessThan(3)
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(balance)
    expect(Math.min(...entries.map(({ balance_after }) => balance_after))).toBeGreaterThanOrEqual(0)
  })

  it("a key that is revoked while its lookups run is charged for exactly the answered ones", async () => {
    const key = await world.operator.keyWithCredits(500)
    const lookups = Array.from({ length: 40 }, () => world.client.get(lookup(2), { key: key.secret }))
    const revoked = world.operator.revoke(key)
    const all = await Promise.all(lookups)
    await revoked
    const served = all.filter(({ status }) => status === 200).length
    for (const received of all) expect(["200", "401 invalid_api_key"]).toContain(outcomeOf(received))
    await expectLedger(world, key, [500, ...minusOne(served)])
  })
}

const hangingUp = (world: World): void => {
  it("a client that disconnects before the answer stops the work, and is not charged", async () => {
    const key = await world.operator.keyWithCredits(10)
    const steps: Array<string> = []
    const endless = Effect.never.pipe(
      Effect.onInterrupt(() => Effect.sync(() => steps.push("interrupted"))),
      Effect.ensuring(Effect.sync(() => steps.push("ended")))
    )
    const attributes = () =>
      Effect.andThen(
        Effect.sync(() => steps.push("asked")),
        endless
      )
    const { client } = await world.serveAnother({}, (effect) => Effect.provideService(effect, Units, { attributes }))
    const socket = connect(client.port, "127.0.0.1")
    socket.write(`GET ${lookup(4)} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key.secret}\r\n\r\n`)
    await expect.poll(() => steps).toEqual(["asked"])
    socket.destroy()
    await expect.poll(() => steps).toEqual(["asked", "interrupted", "ended"])
    await expectLedger(world, key, [10])
  })
}

const repeated = (world: World): void => {
  const ask = (key: TestKey, value: string, target = lookup(4)): Promise<Received> =>
    world.client.get(target, { key: key.secret, headers: { "idempotency-key": value } })

  it("a repeated request is answered again and not charged again", async () => {
    const key = await world.operator.keyWithCredits(10)
    const first = await ask(key, "order 1")
    const again = await ask(key, "order 1")
    expect(first.headers).toMatchObject({ "x-credits-charged": "3", "x-credits-remaining": "7" })
    expect(again.headers).toMatchObject({ "x-credits-charged": "0", "x-credits-remaining": "7", "x-lookup-level": "4" })
    expect(again.text).toBe(first.text)
    await expectLedger(world, key, [10, -3])
  })

  it("the format of the code does not make it another request", async () => {
    const key = await world.operator.keyWithCredits(10)
    await ask(key, "a", lookup(2, "LA-12-A03-BG-07"))
    const again = await ask(key, "a", lookup(2, " la 12 a03 bg 07 "))
    expect(again.headers["x-credits-charged"]).toBe("0")
  })

  it("another value is another request", async () => {
    const key = await world.operator.keyWithCredits(10)
    await ask(key, "a")
    await ask(key, "b")
    await ask(key, "A")
    await expectLedger(world, key, [10, -3, -3, -3])
  })

  it("30 concurrent requests are charged once", async () => {
    const key = await world.operator.keyWithCredits(100)
    const all = await Promise.all(Array.from({ length: 30 }, () => ask(key, "at once")))
    expect(all.every(({ status }) => status === 200)).toBe(true)
    const charged = all.map(({ headers }) => Number(headers["x-credits-charged"]))
    expect(charged.reduce((sum, amount) => sum + amount, 0)).toBe(3)
    await expectLedger(world, key, [100, -3])
  })

  it("a value whose first request was 402 can be used after credits are granted", async () => {
    const key = await world.operator.keyWithCredits(1)
    expectFailure(await ask(key, "later"), "402 insufficient_credits")
    await world.operator.grant(key.organization_id, 9, "live", "invoice 2")
    const received = await ask(key, "later")
    expect(received.headers).toMatchObject({ "x-credits-charged": "3", "x-credits-remaining": "7" })
    expect((await ask(key, "later")).headers["x-credits-charged"]).toBe("0")
  })

  it("a value whose first request was 402 can also be used for another request", async () => {
    const key = await world.operator.keyWithCredits(1)
    expectFailure(await ask(key, "changed mind"), "402 insufficient_credits")
    expect((await ask(key, "changed mind", lookup(2))).headers["x-credits-charged"]).toBe("1")
  })

  it("a charged request is answered again even with a balance of 0", async () => {
    const key = await world.operator.keyWithCredits(3)
    await ask(key, "paid")
    expect((await ask(key, "paid")).headers).toMatchObject({ "x-credits-charged": "0", "x-credits-remaining": "0" })
  })

  it("values are separate for each key", async () => {
    const first = await world.operator.keyWithCredits(10)
    const second = await world.operator.key({ organization_id: first.organization_id, environment: "live" })
    await ask(first, "mine")
    expect((await ask(second, "mine", lookup(2))).headers["x-credits-charged"]).toBe("1")
    await expectLedger(world, first, [10, -3, -1])
  })

  it("a capped request is the same request after the grant has changed, and only the difference is charged", async () => {
    const key = await world.operator.keyWithCredits(10)
    await world.operator.change(key.organization_id, { granted_level: 2 })
    expect((await ask(key, "capped")).headers).toMatchObject({ "x-credits-charged": "1", "x-lookup-level": "2" })
    await world.operator.change(key.organization_id, { granted_level: 4 })
    expect((await ask(key, "capped")).headers).toMatchObject({ "x-credits-charged": "2", "x-lookup-level": "4" })
    expect((await ask(key, "capped")).headers["x-credits-charged"]).toBe("0")
    await expectLedger(world, key, [10, -1, -2])
  })
}

const repeatedWithOtherData = (world: World): void => {
  it("attributes added since the first request are charged, and removed ones are not refunded", async () => {
    const key = await world.operator.keyWithCredits(10)
    let known: UnitAttributes = {}
    const attributes = (codes: ReadonlyArray<Postcode>) => Effect.succeed(codes.map(() => known))
    const { client } = await world.serveAnother({}, (effect) => Effect.provideService(effect, Units, { attributes }))
    const charged: Array<string | undefined> = []
    const imported = [
      {},
      { recent_address: "1 Creek Lane" },
      { delivery_point: true },
      {},
      { building_owner: "private" }
    ]
    for (known of imported) {
      const options = { key: key.secret, headers: { "idempotency-key": "import" } }
      charged.push((await client.get(lookup(4, postcodes.nameless), options)).headers["x-credits-charged"])
    }
    expect(charged).toEqual(["0", "1", "2", "0", "0"])
    await expectLedger(world, key, [10, -1, -2])
  })
}

const reused = (world: World): void => {
  const single = lookup(2)
  const others: ReadonlyArray<readonly [string, string]> = [
    ["another code", lookup(2, postcodes.bare)],
    ["another level", lookup(3)],
    ["a code that is not in use", lookup(2, postcodes.retired)],
    ["level 1", lookup(1)],
    ["level 5", lookup(5)]
  ]
  it.each(others)("another request with the same value is 422: %s", async (_, target) => {
    const key = await world.operator.keyWithCredits(10)
    const options = { key: key.secret, headers: { "idempotency-key": "one" } }
    await world.client.get(single, options)
    expectFailure(await world.client.get(target, options), "422 idempotency_key_reused")
    await expectLedger(world, key, [10, -1])
  })

  it("a batch of the same code with the same value is 422", async () => {
    const key = await world.operator.keyWithCredits(10)
    const options = { key: key.secret, headers: { "idempotency-key": "one" } }
    await world.client.get(single, options)
    const batch = await world.client.post("/v1/lookup/batch", { level: 2, codes: [postcodes.full] }, options)
    expectFailure(batch, "422 idempotency_key_reused")
  })

  it("a free first request also reserves its value", async () => {
    const key = await world.operator.keyWithCredits(10)
    const options = { key: key.secret, headers: { "idempotency-key": "free" } }
    expect(dataOf(await world.client.get(lookup(1), options))).toEqual({
      postcode: postcodes.full,
      valid: true,
      status: "valid"
    })
    expectFailure(await world.client.get(lookup(4), options), "422 idempotency_key_reused")
  })
}

const form = (world: World): void => {
  const valid = [
    "a",
    "x".repeat(128),
    "with spaces inside",
    '~!@#$%^&*()_+{}|:"<>?',
    "0f8fad5b-d9cb-469f-a165-70867728950e"
  ]
  it.each(valid)("1 to 128 printable characters are accepted: %s", async (value) => {
    const key = await world.operator.key()
    const received = await world.client.get(lookup(2), { key: key.secret, headers: { "idempotency-key": value } })
    expect(received.status).toBe(200)
  })

  it.each(["", "x".repeat(129), "caf\u00e9", "tab\tinside", "x".repeat(8_000)])(
    "any other is 400: %j",
    async (value) => {
      const key = await world.operator.keyWithCredits(10)
      const options = { key: key.secret, headers: { "idempotency-key": value } }
      const received = await world.client.get(lookup(2), options)
      expectFailure(received, "400 invalid_parameter", "Idempotency-Key", "1 to 128 printable")
      await expectLedger(world, key, [10])
    }
  )

  it("free endpoints ignore it", async () => {
    const received = await world.client.get("/v1/search/autocomplete", { headers: { "idempotency-key": "" } })
    expect(received.status).toBe(200)
  })
}
