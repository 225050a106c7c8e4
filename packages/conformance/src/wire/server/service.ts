/** Health, the interface description and its page, and an operator's files. */
import { gunzipSync } from "node:zlib"
import { StoreHealth } from "@postcode/gateway/store/StoreHealth"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { fixtureEdition, fixtureUnits } from "../../world/FixtureDirectory.ts"
import { archive, hostedFiles } from "../../world/HostedFiles.ts"
import type { TestClient } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { endpoints } from "../Contract.ts"
import { dataOf, expectFailure, jsonOf, outcomeOf } from "../Received.ts"

export const service = (world: World): void => {
  describe("health", () => health(world))
  describe("GET /v1/openapi.json", () => description(world))
  describe("documents", () => documents(world))
  describe("an operator's files", () => files(world))
  describe("an operator's files, on demand and in parts", () => filesOnDemand(world))
}

const health = (world: World): void => {
  it("live reports that the process runs", async () => {
    expect(dataOf(await world.client.get("/v1/health/live"))).toEqual({ status: "live" })
  })

  it("ready reports the current directory", async () => {
    expect(dataOf(await world.client.get("/v1/health/ready"))).toEqual({
      status: "ready",
      directory: {
        ...fixtureEdition,
        changes: 0,
        units: fixtureUnits.length,
        active_units: fixtureUnits.filter(({ active }) => active).length,
        addresses: true
      }
    })
  })

  it.each(["connected", "unavailable"] as const)(
    "ready stays ready, and reports that the database is %s",
    async (state) => {
      const { client } = await world.serveAnother({}, (effect) =>
        Effect.provideService(effect, StoreHealth, { database: () => state })
      )
      expect(dataOf(await client.get("/v1/health/ready"))).toMatchObject({ status: "ready", database: state })
    }
  )

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
  it("is OpenAPI 3.1 and lists exactly the endpoints that are served", async () => {
    const { openapi, paths } = jsonOf(await world.client.get("/v1/openapi.json")) as Description
    expect(openapi).toMatch(/^3\.1\.\d+$/)
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
    )
    const served = endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`)
    expect(listed.toSorted()).toEqual(served.toSorted())
  })

  it("describes the key, the answers and the failures of each endpoint", async () => {
    const { paths } = jsonOf(await world.client.get("/v1/openapi.json")) as Description
    const security = {
      public: [{}, { apiKey: [] }],
      key: [{ apiKey: [] }],
      publishable: [{ apiKey: [] }],
      secret: [{ apiKey: [] }],
      session: [{ sessionToken: [] }],
      manager: [{ operatorToken: [] }, { managementKey: [] }, { consoleSession: [] }],
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
  const pages = ["/v1/openapi.json", "/v1/docs", "/pages/one.html"]

  it.each(pages)("%s is compressed if the client accepts gzip, and is the same text", async (target) => {
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

  it.each(pages)("%s is not compressed if the client does not accept gzip", async (target) => {
    for (const accepted of ["identity", "br", "gzip;q=0", "gzip; q=0.000, br", "x-gzipped"]) {
      const received = await world.client.get(target, { headers: { "accept-encoding": accepted } })
      expect(received.headers).not.toHaveProperty("content-encoding")
    }
  })

  it.each(pages)("%s has an ETag, and is 304 if the client sends it", async (target) => {
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

  it("the page is self-contained: it loads nothing from other hosts, and its policy forbids it", async () => {
    const { headers, text } = await world.client.get("/v1/docs")
    expect(text).toMatch(/^<!doctype html>/i)
    expect(text).toContain("Postcode Gateway")
    expect(text).not.toMatch(/<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=["']?(?:https?:)?\/\//i)
    expect(headers["content-security-policy"]).toContain("default-src 'none'")
    expect(headers["content-security-policy"]).not.toMatch(/https?:/)
  })

  it("a document needs no key and counts as one request", async () => {
    const received = await world.client.get("/v1/openapi.json")
    expect(outcomeOf(received)).toBe("200")
    expect(received.headers["x-ratelimit-remaining"]).toBe("599")
  })
}

const files = (world: World): void => {
  it.each(hostedFiles.map((file) => [file.path, file] as const))("%s is served unchanged", async (path, file) => {
    const received = await world.client.get(`${path}?any=query`)
    expect(received.status).toBe(200)
    const content = typeof file.content === "function" ? await file.content() : file.content
    expect(Buffer.from(content).equals(received.body)).toBe(true)
    expect(received.headers).toMatchObject({ "content-type": file.contentType, ...file.headers })
    expect(received.headers["x-ratelimit-remaining"]).toBe("599")
  })

  it("a file that compression does not make smaller is sent uncompressed", async () => {
    const received = await world.client.get("/pages/dot.bin", { headers: { "accept-encoding": "gzip" } })
    expect(received.headers).not.toHaveProperty("content-encoding")
    expect(received.headers.vary).toBe("Accept-Encoding")
    expect([...received.body]).toEqual([0, 255, 1, 254, 2])
  })

  it("accept no other method, and are not found under a path in another case or with a trailing slash", async () => {
    const received = await world.client.send({ method: "POST", target: "/pages/dot.bin" })
    expectFailure(received, "405 method_not_allowed")
    expect(received.headers.allow).toBe("GET, HEAD, OPTIONS")
    for (const target of ["/pages/dot.bin/", "/Pages/dot.bin", "//", "/pages", "/pages/dot%2ebin"]) {
      expectFailure(await world.client.get(target), "404 not_found")
    }
  })

  it("are no-store if the request has a key, whatever headers the file sets", async () => {
    const { secret } = await world.operator.key()
    expect((await world.client.get("/pages/one.html", { key: secret })).headers["cache-control"]).toBe("no-store")
  })

  it("count against rate limits", async () => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 1 })
    expect((await client.get("/pages/one.html")).status).toBe(200)
    expectFailure(await client.get("/pages/one.html"), "429 rate_limit_exceeded")
  })

  it.each(["/v1/lookup", "/v1/docs", "/v1/widget/session", "/v1/admin/keys/key_1"])(
    "a file at the path %s is refused at start, on either host",
    async (path) => {
      const files = [{ path, contentType: "text/plain", content: "mine" }]
      for (const host of ["gateway", "platform", "both"] as const) {
        const started = world.serveAnother({ host, files })
        await expect(started).rejects.toThrow(`files, ${path}: the service answers there itself`)
      }
    }
  )

  it("a file without a host is on both hosts, and a file with a host only on that one", async () => {
    const ofBoth = { path: "/", contentType: "text/plain", content: "c" }
    const ofGateway = { path: "/of-gateway", contentType: "text/plain", content: "a", host: "gateway" } as const
    const ofPlatform = { path: "/of-platform", contentType: "text/plain", content: "b", host: "platform" } as const
    const served = {
      gateway: ["/", "/of-gateway"],
      platform: ["/", "/of-platform"],
      both: ["/", "/of-gateway", "/of-platform"]
    }
    for (const host of ["gateway", "platform", "both"] as const) {
      const { client } = await world.serveAnother({ host, files: [ofBoth, ofGateway, ofPlatform] })
      for (const path of served.both) {
        const headers = { "x-forwarded-for": client.newVisitor() }
        const { status } = await fetch(`http://127.0.0.1:${client.port}${path}`, { headers })
        expect(status, `${path} on ${host}`).toBe(served[host].includes(path) ? 200 : 404)
      }
    }
  })
}

/** Files that are made when they are asked for, and parts of files. */
const filesOnDemand = (world: World): void => {
  // Not by the client, which knows the files of every gateway, and whole documents only.
  const read = async (client: TestClient, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const sent = { ...headers, "x-forwarded-for": client.newVisitor() }
    const response = await fetch(`http://127.0.0.1:${client.port}${path}`, { headers: sent })
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) }
  }

  it("a file is made once, at the first request, for all that ask meanwhile; after a failure it is tried again", async () => {
    let calls = 0
    const content = async () => {
      calls++
      if (calls === 1) throw new Error("the file could not be made")
      return "made"
    }
    const files = [{ path: "/made", contentType: "text/plain; charset=utf-8", content }]
    const { client } = await world.serveAnother({ files })
    expect(calls).toBe(0)
    expect((await read(client, "/made")).status).toBe(500)
    const received = await Promise.all([1, 2, 3].map(() => read(client, "/made")))
    expect(received.map(({ body }) => body.toString())).toEqual(["made", "made", "made"])
    expect(calls).toBe(2)
  })

  it("a part of a file is sent as it is asked for, without compression", async () => {
    const part = (range: string) => read(world.client, "/pages/archive", { range, "accept-encoding": "gzip" })
    const some = await part("bytes=100-199")
    expect(some.status).toBe(206)
    expect([...some.body]).toEqual([...archive.subarray(100, 200)])
    expect(some.headers.get("content-range")).toBe("bytes 100-199/1000")
    expect(some.headers.has("content-encoding")).toBe(false)
    expect([...(await part("bytes=-10")).body]).toEqual([...archive.subarray(990)])
    const beyond = await part("bytes=1000-")
    expect([beyond.status, beyond.headers.get("content-range"), beyond.body.length]).toEqual([416, "bytes */1000", 0])
    expect((await part("bytes=5-2, x")).body).toHaveLength(1_000)
  })
}
