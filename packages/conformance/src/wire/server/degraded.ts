/** While the store is down, free requests are served, also those whose keys cannot be checked. */

import { Units } from "@postcode/gateway/directory/Units"
import { Unavailable } from "@postcode/gateway/Errors"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import { url } from "../../world/TestClient.ts"
import type { Served, World } from "../../world/World.ts"
import { expectFailure, type Received } from "../Received.ts"

const lookup = url("/v1/lookup", { code: postcodes.full, level: 2 })

export const degraded = (world: World): void => {
  describe("while keys cannot be checked", () => {
    freeRequests(world)
    otherRequests(world)
  })

  it("a search omits the attributes from the store while it is down", async () => {
    const { client } = await world.serveAnother({}, (effect) =>
      Effect.provideService(effect, Units, { attributes: () => Effect.fail(unavailable) })
    )
    const { secret } = await world.operator.key({ max_level: 5 })
    for (const target of ["/v1/search/reverse?lat=6.6018&lng=3.3515", "/v1/search/nearby?lat=6.6018&lng=3.3515"]) {
      const known = await world.client.get(target, { key: secret })
      const received = await client.get(target, { key: secret })
      expect(received.status).toBe(200)
      const own = /"(address|locality_name)":"[^"]*",?/g
      expect(known.text).toMatch(own)
      expect(received.text).not.toMatch(own)
      expect(received.text).toMatch(/"state_name":"Lagos"/)
    }
  })
}

const freeRequests = (world: World): void => {
  it("free requests with a key are served as anonymous and counted by address", async () => {
    const { secret } = await world.operator.key({ max_level: 5 })
    const { client } = await serveWithoutKeys(world)
    for (const target of [
      "/v1/search/autocomplete?q=LA",
      "/v1/search/reverse?lat=6.6018&lng=3.3515",
      "/v1/search/nearby?lat=6.6018&lng=3.3515",
      "/v1/assembly/disassemble?code=LA12A03BG07",
      url("/v1/lookup", { code: postcodes.full }),
      "/v1/nothing"
    ]) {
      client.newVisitor()
      const withKey = await client.get(target, { key: secret })
      client.newVisitor()
      const without = await client.get(target)
      expect([withKey.status, withKey.text]).toEqual([without.status, without.text])
      expect(withKey.headers["x-ratelimit-limit"]).toBe("100")
      expect(withKey.headers["x-ratelimit-remaining"]).toBe("99")
    }
  })

  it("free endpoints that require a key are answered for any well-formed key only", async () => {
    const { secret } = await world.operator.key()
    const { client } = await serveWithoutKeys(world)
    const states = "/v1/reference/states"
    const answered = await world.client.get(states, { key: secret })
    expect((await client.get(states, { key: secret })).text).toBe(answered.text)
    expect((await client.get("/v1/reference/lgas?state=LA", { key: secret })).status).toBe(200)
    expectFailure(await client.get("/v1/reference/lgas?state=1", { key: secret }), "400 invalid_parameter")
    expectFailure(await client.get(states), "401 auth_required")
    for (const key of ["bad", `${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}`]) {
      expectFailure(await client.get(states, { key }), "401 invalid_api_key")
    }
  })
}

const otherRequests = (world: World): void => {
  it("metered requests are 503 with Retry-After, and are not charged", async () => {
    const key = await world.operator.keyWithCredits(10)
    const { client } = await serveWithoutKeys(world)
    expectRetry(await client.get(lookup, { key: key.secret }))
    const batch = { level: 2, codes: [postcodes.full] }
    expectRetry(await client.post("/v1/lookup/batch", batch, { key: key.secret }))
    expect((await client.post("/v1/lookup/batch", { ...batch, level: 1 }, { key: key.secret })).status).toBe(200)
    expectRetry(await client.post("/v1/search/address/batch", { queries: ["Ikeja"] }, { key: key.secret }))
    expectFailure(await client.get(url("/v1/lookup", { code: "LA" }), { key: key.secret }), "400 invalid_parameter")
    expectFailure(await client.get(lookup), "401 auth_required")
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(10)
  })

  it("the operator token is still required", async () => {
    const { secret } = await world.operator.key()
    const { client, operator } = await serveWithoutKeys(world)
    expectFailure(await client.get("/v1/admin/audit", { key: secret }), "401 auth_required")
    expect((await operator.call("GET", "/v1/admin/audit")).status).toBe(200)
  })

  it("preflights and health checks are not counted, and an address above its limit is refused", async () => {
    const { secret } = await world.operator.key()
    const { client } = await serveWithoutKeys(world)
    const send = (target: string, method = "GET") => client.send({ method, target, key: secret })
    expect((await send("/v1/lookup", "OPTIONS")).headers["x-ratelimit-remaining"]).toBe("100")
    expect((await send("/v1/health/ready")).headers["x-ratelimit-remaining"]).toBe("100")
    for (let i = 0; i < 100; i++) expect((await send("/v1/search/autocomplete")).status).toBe(200)
    expectFailure(await send("/v1/search/autocomplete"), "429 rate_limit_exceeded")
    expectFailure(await send(lookup), "429 rate_limit_exceeded")
  })

  it("normal service resumes once keys can be checked", async () => {
    const { secret } = await world.operator.key()
    let isUnavailable = true
    const { client } = await world.serveAnother({}, (effect) =>
      Effect.flatMap(ApiKeys, (apiKeys) => {
        const findByHash: typeof apiKeys.findByHash = (hash, now) =>
          isUnavailable ? Effect.fail(unavailable) : apiKeys.findByHash(hash, now)
        return Effect.provideService(effect, ApiKeys, { ...apiKeys, findByHash })
      })
    )
    expectRetry(await client.get(lookup, { key: secret }))
    isUnavailable = false
    expect((await client.get(lookup, { key: secret })).status).toBe(200)
  })
}

const unavailable = new Unavailable({ retry_after_s: 7 })

const serveWithoutKeys = (world: World): Promise<Served> =>
  world.serveAnother({ addressRateLimit_per_minute: 100, keyRateLimit_per_minute: 500 }, (effect) =>
    Effect.flatMap(ApiKeys, (apiKeys) =>
      Effect.provideService(effect, ApiKeys, { ...apiKeys, findByHash: () => Effect.fail(unavailable) })
    )
  )

const expectRetry = (received: Received): void => {
  expectFailure(received, "503 service_unavailable", "7 s")
  expect(received.headers["retry-after"]).toBe("7")
}
