import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { InsufficientCredits, InvalidParameter } from "@postcode/gateway/Errors"
import { Cause, Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import type { Document } from "../../src/documents/Documents.ts"
import type { Reply } from "../../src/pipeline/Dispatch.ts"
import { type GatewayError, InvalidRequest, MethodNotAllowed, toFailure } from "../../src/pipeline/ErrorTable.ts"
import { type Exchange, makeExchange, type Target } from "../../src/pipeline/Exchange.ts"
import { makeRender, makeRenderUnparsable } from "../../src/pipeline/Render.ts"
import type { Route } from "../../src/pipeline/Route.ts"
import { dataPolicy } from "../../src/pipeline/SecurityHeaders.ts"

const decision = { allowed: true, limit: 600, remaining: 598, reset_s: 60, retry_after_s: 0 }

const route: Route = {
  operation: "lookup.single",
  endpoint: "single",
  method: "GET",
  path: "/v1/lookup",
  access: "public",
  host: "gateway",
  metered: true,
  unlimited: false,
  countedBy: undefined,
  fromDirectory: true,
  status: 200,
  readQuery: () => Exit.succeed(undefined),
  isFree: () => false,
  hasBody: false,
  longForm: undefined,
  oauthForm: undefined,
  decodeBody: () => Exit.succeed(undefined),
  handle: () => Effect.succeed({ data: undefined })
}

const document: Document = {
  _tag: "Document",
  path: "/v1/docs",
  contentType: "text/html; charset=utf-8",
  plain: Buffer.from("plain text"),
  gzipped: Buffer.from("zip"),
  digest: "0123456789abcdef",
  headers: { "content-security-policy": "default-src 'none'" }
}

const exchange = (headers: Readonly<Record<string, string>> = {}, method = "GET", target?: Target): Exchange =>
  makeExchange(
    {
      method,
      target: "/v1/lookup?code=x",
      header: (name) => headers[name],
      peer_address: "192.0.2.1",
      body: () => Effect.succeed(new Uint8Array())
    },
    "request-1",
    () => (target === undefined ? undefined : { methods: new Map([["GET", target]]), params: {} })
  )

const built = new DirectoryBuilder({ version: "2026-1", date: "2026-01-31" }).build()
if (!built.ok) throw new Error("a directory without units can be built")
const { directory } = built

const answer = (data: unknown, more: object = {}, answered = route): Exit.Exit<Reply, GatewayError> =>
  Exit.succeed({ _tag: "Answer", route: answered, answer: { data, ...more }, directory, session: undefined })

const page: Exit.Exit<Reply, GatewayError> = Exit.succeed({ _tag: "Document", document })

const render = makeRender({}, undefined)

describe("render", () => {
  it("puts a success into `data`, with its length in bytes", () => {
    const { body, headers, status } = render(exchange(), decision, answer({ name: "\u1ecc" }))
    expect(status).toBe(200)
    expect(body).toBe('{"data":{"name":"\u1ecc"}}')
    expect(headers).toMatchObject({
      "content-length": "23",
      "content-type": "application/json; charset=utf-8",
      "x-request-id": "request-1",
      "x-ratelimit-limit": "600",
      "x-ratelimit-remaining": "598",
      "x-ratelimit-reset": "60"
    })
  })

  it("adds level, charge and balance to metered answers only", () => {
    const metered = answer({}, { level: 3, receipt: { charged: 2, balance: 40 } })
    expect(render(exchange(), decision, metered).headers).toMatchObject({
      "x-lookup-level": "3",
      "x-credits-charged": "2",
      "x-credits-remaining": "40"
    })
    const names = Object.keys(render(exchange(), decision, answer({})).headers)
    expect(names.filter((name) => /credits|level/.test(name))).toEqual([])
  })

  it("adds the version of the data to answers from the directory only", () => {
    const headersOf = (answered: Route) => render(exchange(), decision, answer({}, {}, answered)).headers
    expect(headersOf(route)).toMatchObject({ "x-data-version": "2026-1", "x-data-date": "2026-01-31" })
    const names = Object.keys(headersOf({ ...route, fromDirectory: false }))
    expect(names.filter((name) => name.startsWith("x-data"))).toEqual([])
  })

  it("omits the body of a HEAD response, and keeps its headers", () => {
    const get = render(exchange(), decision, answer([1, 2]))
    const head = render(exchange({}, "HEAD"), decision, answer([1, 2]))
    expect(head).toEqual({ ...get, body: undefined })
    const page_ = render(exchange(), decision, page)
    expect(render(exchange({}, "HEAD"), decision, page)).toEqual({ ...page_, body: undefined })
  })

  it("answers a failure by the error table, with its headers", () => {
    const failed = Exit.fail(new InsufficientCredits({ required: 3, balance: 2 }))
    const { body, headers, status } = render(exchange(), decision, failed)
    expect(status).toBe(402)
    expect(JSON.parse(body as string)).toMatchObject({ error: { code: "insufficient_credits" } })
    expect(headers).toMatchObject({ "x-credits-charged": "0", "x-credits-remaining": "2" })
  })

  it("answers a defect, an interruption, and a failure with a defect with 500, without the cause", () => {
    const cause = Cause.combine(
      Cause.fail<GatewayError>(new InvalidParameter({ parameter: "a", message: "secret" })),
      Cause.die(new Error("secret"))
    )
    const causes = [Cause.die(new Error("secret")), Cause.interrupt(1), cause]
    for (const cause of causes) {
      const { body, status } = render(exchange(), decision, Exit.failCause(cause))
      expect(status).toBe(500)
      expect(body).not.toContain("secret")
      expect(JSON.parse(body as string)).toMatchObject({ error: { code: "internal_error" } })
    }
  })

  it("forbids caching if a key was sent, credits are charged or a credential is required", () => {
    const cacheControl = (exchange: Exchange) => render(exchange, decision, answer({})).headers["cache-control"]
    const open = { ...route, metered: false }
    expect(cacheControl(exchange({}, "GET", open))).toBeUndefined()
    expect(cacheControl(exchange())).toBeUndefined()
    expect(cacheControl(exchange({ "x-api-key": "" }, "GET", open))).toBe("no-store")
    expect(cacheControl(exchange({}, "GET", route))).toBe("no-store")
    expect(cacheControl(exchange({}, "GET", { ...open, access: "key" }))).toBe("no-store")
    expect(cacheControl(exchange({}, "GET", { ...open, access: "manager" }))).toBe("no-store")
  })

  it("has headers that keep browsers from showing data as a page, and caches from returning it to a request with a key", () => {
    const { headers } = render(exchange({}, "GET", { ...route, metered: false }), decision, answer({}))
    expect(headers).toMatchObject({ vary: "X-API-Key", "content-security-policy": dataPolicy })
    expect(headers).not.toHaveProperty("strict-transport-security")
  })

  it("has Strict-Transport-Security only if the public origin is HTTPS", () => {
    const headersAt = (publicOrigin: string) =>
      makeRender({ publicOrigin }, undefined)(exchange(), decision, page).headers
    expect(headersAt("https://postcode.example")["strict-transport-security"]).toBe("max-age=31536000")
    expect(headersAt("http://127.0.0.1:3000")).not.toHaveProperty("strict-transport-security")
  })

  it("answers a preflight without a body and without credentials", () => {
    const preflight: Exit.Exit<Reply, GatewayError> = Exit.succeed({ _tag: "Preflight", allow: "GET, OPTIONS" })
    const { body, headers, status } = render(exchange({}, "OPTIONS"), decision, preflight)
    expect([status, body]).toEqual([204, undefined])
    expect(headers).toMatchObject({ allow: "GET, OPTIONS", "access-control-allow-origin": "*" })
    expect(headers).not.toHaveProperty("access-control-allow-credentials")
  })
})

describe("render of a document", () => {
  const encodings: ReadonlyArray<readonly [string, boolean]> = [
    ["gzip", true],
    ["GZip", true],
    ["deflate, gzip", true],
    ["gzip;q=1.0, *;q=0", true],
    ["br;q=1 , gzip ; q=0.001", true],
    ["gzip;q=0", false],
    ["gzip; q=0.000, br", false],
    ["gzip ;q=0,identity", false],
    ["x-gzip", false],
    ["gzipped", false],
    ["identity", false],
    ["", false]
  ]
  it.each(encodings)("Accept-Encoding %j: compressed %s", (accepted, compressed) => {
    const { body, headers } = render(exchange({ "accept-encoding": accepted }), decision, page)
    expect(body).toBe(compressed ? document.gzipped : document.plain)
    expect(headers["content-encoding"]).toBe(compressed ? "gzip" : undefined)
    expect(headers["content-length"]).toBe(String((body as Uint8Array).length))
    expect(headers).toMatchObject({ vary: "Accept-Encoding", "content-type": document.contentType })
  })

  // The document has ten bytes: "plain text".
  const ranges: ReadonlyArray<readonly [string, number, string]> = [
    ["bytes=0-3", 206, "plai"],
    ["bytes=6-9", 206, "text"],
    ["bytes=6-", 206, "text"],
    ["bytes=6-999999999999999", 206, "text"],
    ["bytes=-4", 206, "text"],
    ["bytes=-99", 206, "plain text"],
    ["BYTES=0-0", 206, "p"],
    ["bytes=10-", 416, ""],
    ["bytes=10-20", 416, ""],
    ["bytes=-0", 416, ""],
    ["bytes=3-1", 200, "plain text"],
    ["bytes=-", 200, "plain text"],
    ["bytes=0-1,3-4", 200, "plain text"],
    ["bytes=1e3-", 200, "plain text"],
    ["bytes=99999999999999999999-", 200, "plain text"],
    ["lines=0-1", 200, "plain text"],
    ["", 200, "plain text"]
  ]
  it.each(ranges)("Range %j: %i", (range, status, text) => {
    const response = render(exchange({ range }), decision, page)
    expect([response.status, String(response.body)]).toEqual([status, text])
    expect(response.headers).toMatchObject({ "accept-ranges": "bytes", "content-length": String(text.length) })
    const isPart = status === 206
    expect(response.headers["content-type"]).toBe(status === 416 ? undefined : document.contentType)
    const expected = isPart ? /^bytes \d+-\d+\/10$/ : /^bytes \*\/10$/
    if (status === 200) expect(response.headers).not.toHaveProperty("content-range")
    else expect(response.headers["content-range"]).toMatch(expected)
  })

  it("a range is never compressed; a HEAD or a condition gets the headers of the whole document", () => {
    const part = render(exchange({ range: "bytes=0-3", "accept-encoding": "gzip" }), decision, page)
    expect(part.headers).not.toHaveProperty("content-encoding")
    expect(part.headers["content-range"]).toBe("bytes 0-3/10")
    expect(render(exchange({ range: "bytes=0-3" }, "HEAD"), decision, page).status).toBe(200)
    const conditional = exchange({ range: "bytes=0-3", "if-range": 'W/"0123456789abcdef"' })
    expect(render(conditional, decision, page).status).toBe(200)
  })

  it("what is never compressed has a strong tag, so that browsers cache its parts", () => {
    const archive: typeof page = Exit.succeed({ _tag: "Document", document: { ...document, gzipped: undefined } })
    const tag = '"0123456789abcdef"'
    expect(render(exchange({ range: "bytes=0-3" }), decision, archive).headers.etag).toBe(tag)
    const statusIf = (condition: string) =>
      render(exchange({ range: "bytes=0-3", "if-range": condition }), decision, archive).status
    expect([tag, `W/${tag}`, '"other"'].map(statusIf)).toEqual([206, 200, 200])
  })

  const tags: ReadonlyArray<readonly [string, number]> = [
    ['W/"0123456789abcdef"', 304],
    ['"0123456789abcdef"', 304],
    ['"x", W/"0123456789abcdef"', 304],
    ["*", 304],
    ['"*"', 200],
    ['"0123456789"', 200],
    ["0123456789abcdef", 200],
    ["", 200]
  ]
  it.each(tags)("If-None-Match %j: %i", (known, status) => {
    const response = render(exchange({ "if-none-match": known }), decision, page)
    expect(response.status).toBe(status)
    expect(response.headers.etag).toBe('W/"0123456789abcdef"')
    expect(response.body === undefined).toBe(status === 304)
    expect("content-type" in response.headers).toBe(status === 200)
  })

  it("may be cached and is revalidated, but not in a response to a key", () => {
    expect(render(exchange(), decision, page).headers["cache-control"]).toBe("no-cache")
    expect(render(exchange({ "x-api-key": "k" }), decision, page).headers["cache-control"]).toBe("no-store")
  })

  it("has its headers in addition to the common ones", () => {
    expect(render(exchange(), decision, page).headers).toMatchObject({
      ...document.headers,
      "x-request-id": "request-1",
      "x-content-type-options": "nosniff"
    })
  })
})

describe("makeRenderUnparsable", () => {
  it("answers in the envelope with an id, a whole limit and the headers of the failure", () => {
    const failure = toFailure(new MethodNotAllowed({ allow: "GET", message: "this is not a proxy" }))
    const { body, headers, status } = makeRenderUnparsable({ addressRateLimit_per_minute: 60 })(failure, "request-2")
    expect(status).toBe(405)
    expect(JSON.parse(body as string)).toEqual({
      error: { code: "method_not_allowed", message: "this is not a proxy" }
    })
    expect(headers).toMatchObject({
      allow: "GET",
      "cache-control": "no-store",
      "content-length": String((body as string).length),
      "x-request-id": "request-2",
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "60",
      "x-ratelimit-reset": "0"
    })
  })

  it("counts bytes, not characters", () => {
    const { body, headers } = makeRenderUnparsable({})(toFailure(new InvalidRequest({ message: "\u2026" })), "a")
    expect(Number(headers["content-length"])).toBe(Buffer.byteLength(body as string))
    expect(Number(headers["content-length"])).toBeGreaterThan((body as string).length)
  })
})
