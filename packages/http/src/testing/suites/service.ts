/** Health, the interface description and its page, stopping. */
import { gunzipSync } from "node:zlib"
import { StoreHealth } from "@postcode/core/ports/StoreHealth"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { endpoints } from "../Contract.ts"
import { fixtureEdition, fixtureUnits } from "../FixtureDirectory.ts"
import { dataOf, expectFailure, jsonOf, outcomeOf } from "../Received.ts"
import type { World } from "../World.ts"

export const service = (world: World): void => {
  describe("health", () => health(world))
  describe("GET /v1/openapi.json", () => description(world))
  describe("documents", () => documents(world))
}

const health = (world: World): void => {
  it("live says that the process lives", async () => {
    expect(dataOf(await world.client.get("/v1/health/live"))).toEqual({ status: "live" })
  })

  it("ready says which directory is served", async () => {
    expect(dataOf(await world.client.get("/v1/health/ready"))).toEqual({
      status: "ready",
      directory: {
        ...fixtureEdition,
        changes: 0,
        units: fixtureUnits.length,
        active_units: fixtureUnits.filter(({ active }) => active).length
      }
    })
  })

  it.each(["connected", "away"] as const)("ready stays, and says that the database is %s", async (state) => {
    const { client } = await world.serveAnother({}, (effect) =>
      Effect.provideService(effect, StoreHealth, { database: () => state })
    )
    expect(dataOf(await client.get("/v1/health/ready"))).toMatchObject({ status: "ready", database: state })
  })

  it("ready is 503 with Retry-After while the service drains; everything else is answered, and connections end", async () => {
    const { client, gateway } = await world.serveAnother()
    expect((await client.get("/v1/health/ready")).headers.connection).toBe("keep-alive")
    gateway.drain()
    const received = await client.get("/v1/health/ready")
    expectFailure(received, "503 service_unavailable")
    expect(received.headers["retry-after"]).toBe("1")
    for (const target of ["/v1/health/live", "/v1/search/autocomplete?q=LA"]) {
      const answered = await client.get(target)
      expect(answered.status).toBe(200)
      expect(answered.headers.connection).toBe("close")
    }
  })
}

interface Description {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
}

const description = (world: World): void => {
  it("is OpenAPI 3.1 and lists every endpoint that is served, and no other", async () => {
    const { openapi, paths } = jsonOf(await world.client.get("/v1/openapi.json")) as Description
    expect(openapi).toMatch(/^3\.1\.\d+$/)
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
    )
    const served = endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`)
    expect(listed.toSorted()).toEqual(served.toSorted())
  })

  it("says of each endpoint which key it needs, what it answers, and which failures it has", async () => {
    const { paths } = jsonOf(await world.client.get("/v1/openapi.json")) as Description
    const security = {
      public: [{}, { apiKey: [] }],
      key: [{ apiKey: [] }],
      publishable: [{ apiKey: [] }],
      session: [{ sessionToken: [] }],
      manager: [{ operatorToken: [] }, { consoleSession: [] }],
      visitor: [{}]
    }
    for (const { access, errorStatuses, method, operation, path, successStatus } of endpoints) {
      const described = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]
      expect(described, operation).toMatchObject({ operationId: operation, security: security[access] })
      const statuses = [successStatus, ...errorStatuses].map(String).toSorted()
      expect(Object.keys(described?.responses as object).toSorted(), operation).toEqual(statuses)
    }
  })
}

const documents = (world: World): void => {
  const pages = ["/v1/openapi.json", "/v1/docs"]

  it.each(pages)("%s is compressed for those who take gzip, and is the same text", async (target) => {
    const plain = await world.client.get(target)
    expect(plain.headers).not.toHaveProperty("content-encoding")
    expect(plain.headers.vary).toBe("Accept-Encoding")
    for (const accepted of ["gzip", "br, GZIP;q=0.5", "gzip, deflate, br, zstd"]) {
      const gzipped = await world.client.get(target, { headers: { "accept-encoding": accepted } })
      expect(gzipped.headers["content-encoding"]).toBe("gzip")
      expect(gzipped.body.length).toBeLessThan(plain.body.length / 2)
      expect(gunzipSync(gzipped.body).equals(plain.body)).toBe(true)
    }
  })

  it.each(pages)("%s is not compressed for those who refuse gzip", async (target) => {
    for (const accepted of ["identity", "br", "gzip;q=0", "gzip; q=0.000, br", "x-gzipped"]) {
      const received = await world.client.get(target, { headers: { "accept-encoding": accepted } })
      expect(received.headers).not.toHaveProperty("content-encoding")
    }
  })

  it.each(pages)("%s has an ETag, and is 304 to those who have it", async (target) => {
    const { etag = "" } = (await world.client.get(target)).headers
    expect(etag).toMatch(/^W\/"[\w-]{16,}"$/)
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
      const received = await world.client.get(target, { headers: { "if-none-match": known } })
      expect(received.status).toBe(304)
      expect(received.headers.etag).toBe(etag)
    }
    for (const known of ['"other"', etag.slice(3, -1), ""]) {
      expect((await world.client.get(target, { headers: { "if-none-match": known } })).status).toBe(200)
    }
  })

  it("the page is whole in itself: it loads nothing from anyone else and may not", async () => {
    const { headers, text } = await world.client.get("/v1/docs")
    expect(text).toMatch(/^<!doctype html>/i)
    expect(text).toContain("Postcode Gateway")
    expect(text).not.toMatch(/<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=["']?(?:https?:)?\/\//i)
    expect(headers["content-security-policy"]).toContain("default-src 'none'")
    expect(headers["content-security-policy"]).not.toMatch(/https?:/)
  })

  it("a document costs one request and needs no key", async () => {
    const received = await world.client.get("/v1/openapi.json")
    expect(outcomeOf(received)).toBe("200")
    expect(received.headers["x-ratelimit-remaining"]).toBe("599")
  })
}
