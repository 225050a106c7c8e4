/** Live keys of an organization whose verification was revoked: refused where a key is required, else anonymous. */

import { Units } from "@postcode/gateway/directory/Units"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { KeyScene, TestKey } from "../../world/Operator.ts"
import { json, type Message, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, outcomeOf } from "../Received.ts"

const shop = "https://shop.example"
const lookup = (level: number) => url("/v1/lookup", { code: postcodes.full, level })
const batch = (level: number) => json({ level, codes: [postcodes.full] })
const identifier = "verification@example.com"

export const verification = (world: World): void => {
  describe("live keys without a verified organization", () => {
    keyRequired(world)
    keyOptional(world)
    sessions(world)
    charges(world)
  })
}

const withdraw = ({ organization_id }: TestKey, world: World, kyb_status = "unverified"): Promise<void> =>
  world.operator.change(organization_id, { kyb_status, review_note: "papers expired" })

/** A live key with 100 credits. */
const liveKey = async (world: World, scene: KeyScene = {}): Promise<TestKey> => {
  const key = await world.operator.key({ environment: "live", ...scene })
  const credits = { amount: 100, environment: "live", reference: "verification" }
  dataOf(await world.operator.call("POST", `/v1/admin/organizations/${key.organization_id}/credits`, credits))
  return key
}

const publishable: KeyScene = { kind: "publishable", origins: [shop] }

const keyRequired = (world: World): void => {
  const calls: ReadonlyArray<readonly [string, Message, KeyScene]> = [
    ...[2, 3, 4, 5].map((level) => [`lookup at level ${level}`, { method: "GET", target: lookup(level) }, {}] as const),
    ["lookup with a publishable key", { method: "GET", target: lookup(2) }, publishable],
    ["lookup without its scope", { method: "GET", target: lookup(2) }, { scopes: ["search"] }],
    ...[1, 4].map(
      (level) =>
        [`batch at level ${level}`, { method: "POST", target: "/v1/lookup/batch", ...batch(level) }, {}] as const
    ),
    ["states", { method: "GET", target: "/v1/reference/states" }, {}],
    ["lgas", { method: "GET", target: "/v1/reference/lgas?state=LA" }, {}],
    ["districts", { method: "GET", target: "/v1/reference/districts?state=LA&lga=12" }, {}],
    ["areas", { method: "GET", target: "/v1/reference/areas?state=LA&lga=12&district=A03" }, {}],
    ["a widget session", { method: "POST", target: "/v1/widget/session", ...json({ identifier }) }, publishable]
  ]
  it.each(calls)("%s → 403 kyb_required, and nothing is charged", async (_, message, scene) => {
    const key = await liveKey(world, scene)
    for (const status of ["unverified", "pending", "rejected"]) {
      await withdraw(key, world, status)
      await expect
        .poll(async () => outcomeOf(await world.client.send({ ...message, key: key.secret })))
        .toBe("403 kyb_required")
    }
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(100)
  })

  it("passes again once its organization is verified again", async () => {
    const key = await liveKey(world)
    await withdraw(key, world)
    const outcome = async () => outcomeOf(await world.client.get(lookup(2), { key: key.secret }))
    await expect.poll(outcome).toBe("403 kyb_required")
    await world.operator.change(key.organization_id, { kyb_status: "verified" })
    await expect.poll(outcome).toBe("200")
  })

  it("the message names the missing verification", async () => {
    const key = await liveKey(world)
    await withdraw(key, world)
    expectFailure(await world.client.get(lookup(2), { key: key.secret }), "403 kyb_required", "verified")
  })

  it("test keys of the same organization still work", async () => {
    const live = await liveKey(world)
    const test = await world.operator.key({ organization_id: live.organization_id })
    await withdraw(live, world)
    expect(outcomeOf(await world.client.get(lookup(4), { key: test.secret }))).toBe("200")
    expect(outcomeOf(await world.client.get("/v1/reference/states", { key: test.secret }))).toBe("200")
  })
}

const keyOptional = (world: World): void => {
  const free: ReadonlyArray<string> = [
    lookup(1),
    "/v1/search/autocomplete?q=LA",
    url("/v1/search/reverse", { lat: 6.6018, lng: 3.3515, max_distance_m: 300 }),
    url("/v1/search/nearby", { lat: 6.6018, lng: 3.3515, radius: 300 }),
    url("/v1/assembly/disassemble", { code: postcodes.full })
  ]
  it.each(free)("is served as anonymous: %s", async (target) => {
    const key = await liveKey(world)
    await withdraw(key, world)
    const anonymous = dataOf(await world.client.get(target))
    await expect.poll(async () => dataOf(await world.client.get(target, { key: key.secret }))).toEqual(anonymous)
  })

  it("a lookup at level 1 with an Idempotency-Key is also served as anonymous, and shows no credits", async () => {
    const key = await liveKey(world)
    await withdraw(key, world)
    const headers = { "idempotency-key": "verification" }
    const received = await world.client.get(lookup(1), { key: key.secret, headers })
    expect(outcomeOf(received)).toBe("200")
    expect(received.headers).not.toHaveProperty("x-credits-remaining")
  })
}

const sessions = (world: World): void => {
  it("the token of a widget session of such a key → 403 kyb_required, for bookmarks and selections", async () => {
    const key = await liveKey(world, publishable)
    const token = await world.operator.session(key)
    const bookmarks: Message = { method: "GET", target: "/v1/widget/bookmarks", token }
    const body = json({ postcode: postcodes.full })
    const selected: Message = { method: "POST", target: "/v1/widget/selected", token, ...body }
    for (const message of [bookmarks, selected]) expect(outcomeOf(await world.client.send(message))).toBe("200")
    await withdraw(key, world)
    for (const message of [bookmarks, selected]) {
      await expect.poll(async () => outcomeOf(await world.client.send(message))).toBe("403 kyb_required")
    }
  })
}

const charges = (world: World): void => {
  it("verification that is revoked between the check of the key and the charge: 403, and nothing is charged", async () => {
    const key = await liveKey(world)
    const { client } = await world.serveAnother({}, (effect) =>
      Effect.gen(function* () {
        const units = yield* Units
        const organizations = yield* Organizations
        const withdrawn = Effect.orDie(organizations.update(key.organization_id, { kyb_status: "unverified" }))
        const attributes: typeof units.attributes = (codes, directory) =>
          Effect.andThen(
            withdrawn,
            Effect.suspend(() => units.attributes(codes, directory))
          )
        return yield* Effect.provideService(effect, Units, { ...units, attributes })
      })
    )
    expectFailure(await client.get(lookup(4), { key: key.secret }), "403 kyb_required", "verified")
    const { balance, entries } = await world.operator.statement(key.organization_id, "live")
    expect({ balance, entries: entries.length }).toEqual({ balance: 100, entries: 1 })
  })
}
