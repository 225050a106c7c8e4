/** Any web page may send requests and read answers, but not send cookies. */
import { describe, expect, it } from "vitest"
import type { TestKey } from "../../world/Operator.ts"
import { url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { documents, endpoints } from "../Contract.ts"
import { dataOf, expectFailure, outcomeOf } from "../Received.ts"
import { makeScene, sampleMessage } from "../Samples.ts"

const origin = "https://shop.example"
const lookup = url("/v1/lookup", { code: "LA-12-A03-BG-07", level: 2 })

export const crossOrigin = (world: World): void => {
  describe("cross-origin requests", () => {
    preflights(world)
    answers(world)
    publishableKeys(world)
    hostedPage(world)
  })
}

const preflights = (world: World): void => {
  const headers = {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "x-api-key,content-type"
  }

  for (const { method, operation } of endpoints) {
    it(`a preflight of ${operation} allows ${method} with the headers that callers send`, async () => {
      const { target } = sampleMessage(operation, await makeScene(world.operator, operation))
      const received = await world.client.send({ method: "OPTIONS", target, headers })
      expect(received.status).toBe(204)
      expect(received.headers.allow?.split(", ")).toContain(method)
      expect(received.headers["access-control-allow-methods"]?.split(", ")).toContain(method)
      const allowed = received.headers["access-control-allow-headers"]?.toLowerCase().split(", ")
      expect(allowed).toEqual(
        expect.arrayContaining(["authorization", "content-type", "idempotency-key", "x-api-key", "x-request-id"])
      )
      expect(Number(received.headers["access-control-max-age"])).toBeGreaterThanOrEqual(600)
    })
  }

  it.each(documents)("a preflight of %s is answered", async (target) => {
    expect((await world.client.send({ method: "OPTIONS", target, headers })).status).toBe(204)
  })

  it("a preflight needs no credential, ignores parameters and is never counted", async () => {
    for (let i = 0; i < 5; i++) {
      const received = await world.client.send({ method: "OPTIONS", target: "/v1/admin/audit?limit=x", headers })
      expect(received.status).toBe(204)
      expect(received.headers["x-ratelimit-remaining"]).toBe("600")
    }
  })

  it("a preflight passes even above the limit, because pages could not read the 429 otherwise", async () => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 1 })
    await client.get("/v1/lookup")
    expectFailure(await client.get("/v1/lookup"), "429 rate_limit_exceeded")
    expect((await client.send({ method: "OPTIONS", target: "/v1/lookup", headers })).status).toBe(204)
  })

  it("OPTIONS of an unknown path is 404", async () => {
    expectFailure(await world.client.send({ method: "OPTIONS", target: "/v1/nothing", headers }), "404 not_found")
    expectFailure(await world.client.send({ method: "OPTIONS", target: "*", headers }), "404 not_found")
  })
}

const answers = (world: World): void => {
  it.each(["https://shop.example", "null", "http://localhost:5173", "file://", "no origin"])(
    "every page gets the same readable answer: Origin %s",
    async (sent) => {
      for (const target of ["/v1/search/autocomplete", "/v1/lookup", "/v1/nothing"]) {
        const without = await world.client.get(target)
        const received = await world.client.get(target, { headers: { origin: sent, cookie: "a=b" } })
        expect(outcomeOf(received)).toBe(outcomeOf(without))
        expect(received.headers["access-control-allow-origin"]).toBe("*")
        expect(received.headers).not.toHaveProperty("access-control-allow-credentials")
      }
    }
  )
}

const publishableKeys = (world: World): void => {
  it("a publishable key passes from its own origins and without an origin", async () => {
    const key = await world.operator.key({ kind: "publishable", origins: [origin, "http://localhost:5173"] })
    for (const sent of [origin, "http://localhost:5173"]) {
      expect((await world.client.get(lookup, { key: key.secret, headers: { origin: sent } })).status).toBe(200)
    }
    expect((await world.client.get(lookup, { key: key.secret })).status).toBe(200)
  })

  const others = ["https://shop.example.evil", "http://shop.example", "https://shop.example:8443", "null", "*", ""]
  it.each(others)("a publishable key from another origin is 403 origin_not_allowed: %s", async (sent) => {
    const key = await world.operator.key({ kind: "publishable", origins: [origin] })
    for (const target of [lookup, "/v1/search/autocomplete", "/v1/reference/states", "/v1/health/live"]) {
      const received = await world.client.get(target, { key: key.secret, headers: { origin: sent } })
      expectFailure(received, "403 origin_not_allowed")
    }
  })

  it("the message names the origin, so that it can be added", async () => {
    const key = await world.operator.key({ kind: "publishable", origins: [] })
    const received = await world.client.get(lookup, { key: key.secret, headers: { origin } })
    expectFailure(received, "403 origin_not_allowed", origin)
  })

  it("a secret key is not bound to origins", async () => {
    const key = await world.operator.key()
    expect((await world.client.get(lookup, { key: key.secret, headers: { origin } })).status).toBe(200)
  })
}

type Headers = Readonly<Record<string, string>>

/** The hosted page of the widget is on the service's own origin, and any page can embed it. */
const hostedPage = (world: World): void => {
  const service = "https://gateway.example"
  const framedBy = (parent: string) => ({ origin: service, "x-embedding-origin": parent })
  const startSession = (key: TestKey, headers: Headers) =>
    world.client.post("/v1/widget/session", { identifier: "ada@example.ng" }, { key: key.secret, headers })

  it("sends requests for the page that embeds it, which must be one of the key's origins", async () => {
    const key = await world.operator.key({ kind: "publishable", origins: [origin] })
    expect(outcomeOf(await startSession(key, framedBy(origin)))).toBe("200")
    expect((await world.client.get(lookup, { key: key.secret, headers: framedBy(origin) })).status).toBe(200)
    for (const parent of ["https://other.example", "null", "", service]) {
      expectFailure(await startSession(key, framedBy(parent)), "403 origin_not_allowed")
      // Browsers send no `Origin` with GET to the page's own origin.
      const headers = { "x-embedding-origin": parent }
      expectFailure(await world.client.get(lookup, { key: key.secret, headers }), "403 origin_not_allowed")
    }
  })

  it("cannot be embedded by other pages with the key of an app that lists the service's own origin", async () => {
    const key = await world.operator.key({ kind: "publishable", origins: [service] })
    expect(outcomeOf(await startSession(key, { origin: service }))).toBe("200")
    expectFailure(await startSession(key, framedBy("https://other.example")), "403 origin_not_allowed")
  })

  it("has sessions that are valid only for the embedding page that started them", async () => {
    const key = await world.operator.key({ kind: "publishable", origins: [origin, service] })
    const { token } = dataOf<{ readonly token: string }>(await startSession(key, framedBy(origin)))
    const bookmarks = (headers: Headers) =>
      world.client.send({ method: "GET", target: "/v1/widget/bookmarks", token, headers })
    expect(outcomeOf(await bookmarks(framedBy(origin)))).toBe("200")
    expectFailure(await bookmarks(framedBy("https://other.example")), "401 invalid_token")
    expectFailure(await bookmarks({ origin: service }), "401 invalid_token")
  })

  it.each(["cross-site", "same-site", "none", "same-origin, same-origin", ""])(
    "is on the service's own origin: with another Sec-Fetch-Site, the origin of the page counts: %j",
    async (site) => {
      const evil = "https://evil.example"
      const key = await world.operator.key({ kind: "publishable", origins: [origin] })
      const headers = { origin: evil, "x-embedding-origin": origin, "sec-fetch-site": site }
      expectFailure(await startSession(key, headers), "403 origin_not_allowed", evil)
      expectFailure(await world.client.get(lookup, { key: key.secret, headers }), "403 origin_not_allowed", evil)
      const { token } = dataOf<{ readonly token: string }>(await startSession(key, framedBy(origin)))
      const bookmarks = { method: "GET", target: "/v1/widget/bookmarks", token, headers }
      expectFailure(await world.client.send(bookmarks), "401 invalid_token")
      expect(outcomeOf(await startSession(key, { ...framedBy(origin), "sec-fetch-site": "same-origin" }))).toBe("200")
    }
  )

  it("is the only page that can set its header: no preflight allows it to pages of other origins", async () => {
    const { headers } = await world.client.send({
      method: "OPTIONS",
      target: "/v1/widget/session",
      headers: { origin, "access-control-request-headers": "x-embedding-origin" }
    })
    expect(headers["access-control-allow-headers"]?.toLowerCase()).not.toMatch(/x-embedding-origin|\*/)
  })
}
