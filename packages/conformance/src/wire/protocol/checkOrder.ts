/** A request with several errors is answered by the first check that fails, in the contract's order. */
import { composeKey, randomLength } from "@postcode/gateway/keys/ApiKey"
import { describe, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import { json, type Message, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { expectFailure } from "../Received.ts"

const badKey = composeKey("secret", "test", "z".repeat(randomLength))
const wellFormed = url("/v1/lookup", { code: postcodes.full, level: 4 })
const malformed = url("/v1/lookup", { code: "LA", level: 4 })

export const checkOrder = (world: World): void => {
  describe("order of checks: key and its origin → rate limit → body and parameters → scope → level → credits", () => {
    keyFirst(world)
    rateLimitNext(world)
    parametersNext(world)
    scopeThenLevelThenCredits(world)
  })
}

const keyFirst = (world: World): void => {
  const otherErrors: ReadonlyArray<readonly [string, Message]> = [
    ["malformed parameters", { method: "GET", target: malformed }],
    ["a malformed body", { method: "POST", target: "/v1/assembly/assemble", ...json(undefined), body: "{" }],
    ["an unknown path", { method: "GET", target: "/v1/nothing" }],
    ["a wrong method", { method: "PATCH", target: "/v1/lookup" }],
    ["a wrong operator token", { method: "GET", target: "/v1/admin/audit", token: "wrong" }]
  ]
  it.each(otherErrors)("invalid key and %s → 401 invalid_api_key", async (_, message) => {
    expectFailure(await world.client.send({ ...message, key: badKey }), "401 invalid_api_key")
  })

  it.each(otherErrors)("an origin that is not allowed and %s → 403 origin_not_allowed", async (_, message) => {
    const { secret: key } = await world.operator.key({ kind: "publishable", origins: ["https://shop.example"] })
    const headers = { ...message.headers, origin: "https://other.example" }
    expectFailure(await world.client.send({ ...message, headers, key }), "403 origin_not_allowed")
  })

  it("an origin that is not allowed and above the limit of the key → 403 origin_not_allowed", async () => {
    const scene = { kind: "publishable", origins: [], rate_limit_per_minute: 1 } as const
    const { secret: key } = await world.operator.key(scene)
    await world.client.get(wellFormed, { key })
    expectFailure(await world.client.get(wellFormed, { key }), "429 rate_limit_exceeded")
    const headers = { origin: "https://other.example" }
    expectFailure(await world.client.get(wellFormed, { headers, key }), "403 origin_not_allowed")
  })
}

const rateLimitNext = (world: World): void => {
  const otherErrors: ReadonlyArray<readonly [string, Message]> = [
    ["malformed parameters", { method: "GET", target: malformed }],
    ["a malformed body", { method: "POST", target: "/v1/assembly/assemble", ...json(undefined), body: "{" }],
    ["a body that is too large", { method: "POST", target: "/v1/assembly/assemble", ...json("x".repeat(70_000)) }],
    ["an unknown path", { method: "GET", target: "/v1/nothing" }],
    ["a wrong method", { method: "PATCH", target: "/v1/lookup" }],
    ["a missing operator token", { method: "GET", target: "/v1/admin/audit" }]
  ]
  it.each(otherErrors)("above the limit and %s → 429", async (_, message) => {
    const key = await world.operator.key({ rate_limit_per_minute: 1 })
    await world.client.get("/v1/search/autocomplete", { key: key.secret })
    expectFailure(await world.client.send({ ...message, key: key.secret }), "429 rate_limit_exceeded")
  })

  it("above the limit of the address and an invalid key → 429, so that further guessing reveals nothing", async () => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 1 })
    expectFailure(await client.get(wellFormed, { key: badKey }), "401 invalid_api_key")
    expectFailure(await client.get(wellFormed, { key: badKey }), "429 rate_limit_exceeded")
  })
}

const parametersNext = (world: World): void => {
  it("malformed parameters and no key where one is required → 400", async () => {
    expectFailure(await world.client.get(malformed), "400 invalid_parameter", "code")
    expectFailure(await world.client.get("/v1/reference/areas"), "400 invalid_parameter", "state")
  })

  it("malformed parameters and no scope → 400", async () => {
    const key = await world.operator.key({ scopes: ["search"] })
    expectFailure(await world.client.get(malformed, { key: key.secret }), "400 invalid_parameter", "code")
  })

  it("a malformed Idempotency-Key and no scope → 400", async () => {
    const key = await world.operator.key({ scopes: ["search"] })
    const headers = { "idempotency-key": "x".repeat(129) }
    const received = await world.client.get(wellFormed, { key: key.secret, headers })
    expectFailure(received, "400 invalid_parameter", "Idempotency-Key")
  })

  it("a malformed body and no scope → 400", async () => {
    const key = await world.operator.key({ scopes: ["search"] })
    const received = await world.client.post("/v1/lookup/batch", { level: 2, codes: [] }, { key: key.secret })
    expectFailure(received, "400 invalid_parameter", "codes")
  })

  it("malformed parameters and a missing operator token → 401, without checking parameters", async () => {
    expectFailure(await world.client.get("/v1/admin/audit?limit=0"), "401 auth_required")
    expectFailure(await world.client.post("/v1/admin/organizations", {}), "401 auth_required")
  })
}

const scopeThenLevelThenCredits = (world: World): void => {
  it("an origin that is not allowed and no scope → 403 origin_not_allowed", async () => {
    const key = await world.operator.key({ kind: "publishable", origins: ["https://a.example"], scopes: ["search"] })
    const headers = { origin: "https://b.example" }
    expectFailure(await world.client.get(wellFormed, { key: key.secret, headers }), "403 origin_not_allowed")
  })

  it("no scope and too high a level → 403 insufficient_scope", async () => {
    const key = await world.operator.key({ scopes: ["search"], max_level: 1 })
    expectFailure(await world.client.get(wellFormed, { key: key.secret }), "403 insufficient_scope")
  })

  it("no scope and no credits → 403 insufficient_scope", async () => {
    const key = await world.operator.keyWithCredits(0, { scopes: ["search"] })
    expectFailure(await world.client.get(wellFormed, { key: key.secret }), "403 insufficient_scope")
  })

  it("too high a level and no credits → 403 level_not_granted", async () => {
    const key = await world.operator.keyWithCredits(0, { max_level: 3 })
    expectFailure(await world.client.get(wellFormed, { key: key.secret }), "403 level_not_granted")
  })

  it("only too few credits → 402", async () => {
    const key = await world.operator.keyWithCredits(0)
    expectFailure(await world.client.get(wellFormed, { key: key.secret }), "402 insufficient_credits")
  })
}
