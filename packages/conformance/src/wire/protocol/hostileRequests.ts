/** Well-formed requests that try to be treated as other requests, or to use excessive resources. */
import { describe, expect, it } from "vitest"
import { operatorToken } from "../../world/OperatorToken.ts"
import { json } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { documents } from "../Contract.ts"
import { expectFailure, outcomeOf, type Received } from "../Received.ts"

const live = "/v1/health/live"
const assemble = "/v1/assembly/assemble"

export const hostileRequests = (world: World): void => {
  describe("hostile requests", () => {
    manyAtOnce(world)
    otherNames(world)
    otherPaths(world)
    costlyBodies(world)
    compression(world)
  })
}

const manyAtOnce = (world: World): void => {
  it("1,000 requests in one packet are answered in order", async () => {
    const targets = Array.from({ length: 1_000 }, (_, i) => (i % 3 === 0 ? "/v1/nothing" : live))
    const close = (i: number) => (i === 999 ? "Connection: close\r\n" : "")
    // With an address, because all raw requests without one share a rate limit.
    const visitor = `Host: a\r\nX-Forwarded-For: ${world.client.newVisitor()}\r\n`
    const all = await world.client.sendRaw({
      bytes: targets
        .map((target, i) => `GET ${target} HTTP/1.1\r\n${visitor}X-Request-Id: ${i}\r\n${close(i)}\r\n`)
        .join(""),
      asked: targets.map((target) => ({ method: "GET", target }))
    })
    expect(all.map(({ headers }) => headers["x-request-id"])).toEqual(targets.map((_, i) => `${i}`))
    expect(all.map(outcomeOf)).toEqual(targets.map((target) => (target === live ? "200" : "404 not_found")))
  })

  it("900 headers are read, including a key at the end, and 1,100 are 400", async () => {
    const request = (count: number) =>
      `GET ${live} HTTP/1.1\r\nHost: a\r\n${"a:\r\n".repeat(count)}X-API-Key: none\r\nConnection: close\r\n\r\n`
    const asked = [{ method: "GET", target: live, headers: { "x-api-key": "none" } }]
    const [read] = await world.client.sendRaw({ bytes: request(900), asked })
    expectFailure(read as Received, "401 invalid_api_key")
    const [refused] = await world.client.sendRaw({ bytes: request(1_100) })
    expectFailure(refused as Received, "400 invalid_parameter", "too long")
  })
}

const otherNames = (world: World): void => {
  const overrides: Readonly<Record<string, string>> = {
    "x-http-method-override": "DELETE",
    "x-http-method": "DELETE",
    "x-method-override": "DELETE",
    "x-original-url": "/v1/admin/audit",
    "x-rewrite-url": "/v1/admin/audit",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "http",
    "x-forwarded-prefix": "/evil",
    forwarded: "host=evil.example;proto=http;for=203.0.113.1",
    host: "evil.example",
    "x-api-version": "2",
    te: "trailers",
    "accept-charset": "utf-16",
    accept: "text/html"
  }
  it.each(Object.entries(overrides))("%s: %s has no effect, and is not repeated", async (name, value) => {
    for (const target of [live, ...documents]) {
      const plain = await world.client.get(target)
      const sent = await world.client.get(target, { headers: { [name]: value } })
      expect([sent.status, sent.text]).toEqual([plain.status, plain.text])
      expect(Object.keys(sent.headers)).toEqual(Object.keys(plain.headers))
      expect(JSON.stringify(sent.headers)).not.toContain("evil")
    }
  })

  it("an absolute target is routed by its path, whatever its host", async () => {
    for (const origin of ["http://evil.example", "https://user:pass@[::1]:99", "HTTP://a"]) {
      const [received] = await world.client.sendRaw({
        bytes: `GET ${origin}${live} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
        asked: [{ method: "GET", target: live }]
      })
      expect(received?.text).toBe('{"data":{"status":"live"}}')
    }
  })

  const noPaths = ["*", "v1/health/live", "ftp://a/v1/health/live", `http:${live}`, "?", "#", "http://"]
  it.each(noPaths)("the target %s is 404 at most", async (target) => {
    for (const method of ["GET", "OPTIONS"]) {
      const [received] = await world.client.sendRaw({
        bytes: `${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
        asked: [{ method }]
      })
      expect(["400 invalid_parameter", "404 not_found"]).toContain(outcomeOf(received as Received))
    }
  })
}

const otherPaths = (world: World): void => {
  const [file = ""] = documents.filter((path) => path.endsWith(".html"))
  const variants = [
    `${file}/`,
    `/${file}`,
    `/.${file}`,
    `/x/..${file}`,
    `/x/%2e%2e${file}`,
    `/x/%2E%2E%2F${file.slice(1)}`,
    `/%2f${file}`,
    `/${file.slice(1).replaceAll("/", "\\")}`,
    `/${file.slice(1).replaceAll("/", "%5c")}`,
    `${file};a=b`,
    `${file}%00`,
    `${file}%20`,
    `${file}.`,
    `${file}::$DATA`,
    file.toUpperCase(),
    file.replace("o", "%6f"),
    file.replace("o", "%C2%BA"),
    `${file}/../../../../etc/passwd`,
    "/console/../../../etc/passwd",
    "/console/..%2f..%2fetc/passwd",
    "/v1/widget/embed/../../../etc/passwd",
    "/v1/docs/..%5c..%5cwin.ini"
  ]
  it.each(variants)("a file has exactly one path: %s", async (target) => {
    expect((await world.client.get(file)).status).toBe(200)
    for (const asked of [target, `${target}?${file}`]) {
      const bytes = `GET ${asked} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
      const [received] = await world.client.sendRaw({ bytes: Buffer.from(bytes, "latin1") })
      expectFailure(received as Received, "404 not_found")
    }
  })
}

const costlyBodies = (world: World): void => {
  const post = (body: string) => world.client.send({ ...json({}), method: "POST", target: assemble, body })

  it("nesting 100,000 deep is 413, complete or not", async () => {
    for (const body of ["[".repeat(100_000), "[".repeat(100_000) + "]".repeat(100_000), '{"a":'.repeat(100_000)]) {
      expectFailure(await post(body), "413 payload_too_large")
    }
  })

  it("a number of 60,000 digits is an invalid value, and a body with a million digits is too long", async () => {
    expectFailure(await post(`{"state":${"9".repeat(60_000)}}`), "400 invalid_parameter", "state")
    expectFailure(await post(`{"state":${"9".repeat(1_000_000)}}`), "413 payload_too_large")
  })

  it("thousands of unknown names are ignored, whatever their hashes", async () => {
    const fields = Array.from({ length: 3_000 }, (_, i) => `"${i * 65_536}":0`)
    const segments = '"state":"LA","lga":"12","district":"A03","area":"BG","unit":"07"'
    expect((await post(`{${fields.join(",")},${segments}}`)).status).toBe(200)
  })

  it.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then"])(
    "a field called %s is a normal unknown field: ignored, or refused where unknown fields are",
    async (name) => {
      const hidden = `{"${name}":{"state":"LA","lga":"12","district":"A03","area":"BG","unit":"07"}}`
      expectFailure(await post(hidden), "400 invalid_parameter", "state")
      const patch = `{"${name}":{"granted_level":5},"name":"Sample"}`
      const organization = await world.operator.organization({ granted_level: 1 })
      const target = `/v1/admin/organizations/${organization}`
      const sent = { ...json({}), method: "PATCH", target, token: operatorToken, body: patch }
      const changed = await world.client.send(sent)
      expectFailure(changed, "400 invalid_body", "unknown field", name)
      const stored = await world.client.get(target, { token: operatorToken })
      expect(stored.text).toContain('"granted_level":1')
    }
  )
}

const compression = (world: World): void => {
  it("answers are never compressed, so that their length reveals nothing of their content; documents are", async () => {
    const headers = { "accept-encoding": "gzip, br, deflate, zstd" }
    const answers = [live, "/v1/search/autocomplete?q=LA", "/v1/lookup?code=LA-12-A03-BG-07", "/v1/nothing"]
    for (const target of answers) {
      expect((await world.client.get(target, { headers })).headers).not.toHaveProperty("content-encoding")
    }
    expect((await world.client.get("/v1/openapi.json", { headers })).headers["content-encoding"]).toBe("gzip")
  })
}
