/** When a call is sent again, how long it waits, and that it leaves nothing behind: on a clock of the test's own. */
import { getEventListeners } from "node:events"
import { inspect } from "node:util"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { type ClientOptions, createPostcodeClient, type Fetch, isPostcodeError, type Route } from "../src/index.ts"
import { failureOf, thrownBy } from "./failureOf.ts"

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, "random").mockReturnValue(0)
})
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers }
  })
const ok = () => json(200, { data: { fine: true } })
const failed = (status: number, code: string, headers?: Readonly<Record<string, string>>) =>
  json(status, { error: { code, message: `it is ${code}` } }, headers)
const page = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  new Response("<h1>Bad gateway</h1>", { status, headers: { "content-type": "text/html", ...headers } })
/** As fetch does while nothing comes. */
const rejecting = ({ signal }: Request) =>
  new Promise<Response>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
const broken = () => {
  throw new TypeError("fetch failed")
}

/** Answers in order, and the last answer again and again. */
const scripted = (...answers: ReadonlyArray<(request: Request) => Response | Promise<Response>>) => {
  const requests: Array<Request> = []
  const fetch: Fetch = async (request) => {
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? ok
    return answer(request)
  }
  return { requests, fetch }
}

const open = (fetch: Fetch, options: Partial<ClientOptions> = {}) =>
  createPostcodeClient({ baseUrl: "https://gateway.example", apiKey: "svc_test_key", fetch, ...options })

/** A call with any route, whatever it would have to be given. */
const ask = (fetch: Fetch, route: Route, options: Partial<ClientOptions> = {}) =>
  open(fetch, options).request(route, { params: { id: "x" }, query: {} } as never)

describe("a call is sent again", () => {
  const lost: ReadonlyArray<readonly [string, () => Response]> = [
    ["a connection that broke", broken],
    ["429", () => failed(429, "rate_limit_exceeded")],
    ["429 of a proxy", () => page(429)],
    ["503", () => failed(503, "service_unavailable")],
    ["502 of a proxy", () => page(502)],
    ["504 of a proxy", () => page(504)]
  ]
  const repeatable: ReadonlyArray<Route> = [
    "GET /v1/search/autocomplete",
    "GET /v1/lookup",
    "POST /v1/lookup/batch",
    "POST /v1/widget/session",
    "PUT /v1/admin/end-users",
    "DELETE /v1/admin/keys/:id",
    "POST /v1/assembly/assemble",
    "POST /v1/admin/organizations/:id/credits"
  ]

  it.for(repeatable.flatMap((route) => lost.map(([what, answer]) => [route, what, answer] as const)))(
    "%s after %s",
    async ([route, , answer]) => {
      const { fetch, requests } = scripted(answer, answer, ok)
      const call = ask(fetch, route)
      await vi.runAllTimersAsync()
      expect((await call).meta.attempts).toBe(3)
      expect(requests).toHaveLength(3)
    }
  )

  const others: ReadonlyArray<Route> = [
    "POST /v1/widget/selected",
    "POST /v1/admin/organizations",
    "PATCH /v1/admin/organizations/:id"
  ]

  it.for(others)("%s only after 429, because any other failure may have had an effect", async (route) => {
    for (const [what, answer] of lost) {
      const { fetch, requests } = scripted(answer, ok)
      const call = thrownBy(ask(fetch, route))
      await vi.runAllTimersAsync()
      await call
      expect([what, requests.length]).toEqual([what, what.startsWith("429") ? 2 : 1])
    }
  })

  it.for([
    [400, "invalid_parameter"],
    [401, "invalid_api_key"],
    [402, "insufficient_credits"],
    [404, "not_found"],
    [409, "conflict"],
    [422, "idempotency_key_reused"],
    [500, "internal_error"]
  ] as const)("not after %i %s, because it would fail again", async ([status, code]) => {
    const { fetch, requests } = scripted(() => failed(status, code), ok)
    const failure = await failureOf(ask(fetch, "GET /v1/lookup"))
    expect([failure.code, failure.status, requests.length]).toEqual([code, status, 1])
  })

  it("up to the number of retries of the client or the call, and then fails with the last failure", async () => {
    for (const [client, call, attempts] of [
      [undefined, undefined, 3],
      [0, undefined, 1],
      [4, undefined, 5],
      [4, 1, 2]
    ] as const) {
      const { fetch, requests } = scripted(
        () => page(502),
        () => failed(503, "service_unavailable")
      )
      const asked = failureOf(open(fetch, { retries: client }).states({ retries: call }))
      await vi.runAllTimersAsync()
      expect([(await asked).meta.attempts, requests.length]).toEqual([attempts, attempts])
    }
  })
})

describe("each attempt", () => {
  it("is the same request: body, ids and all", async () => {
    const { fetch, requests } = scripted(broken, broken, ok)
    const call = open(fetch).lookupBatch({ codes: ["LA-11-B03-PD-01"], level: 2 })
    await vi.runAllTimersAsync()
    await call
    const sent = await Promise.all(
      requests.map(async (one) => [one.url, one.method, [...one.headers], await one.text()])
    )
    expect(sent).toHaveLength(3)
    expect([sent[1], sent[2]]).toEqual([sent[0], sent[0]])
    expect(requests[0]?.headers.get("idempotency-key")).toMatch(/^[a-p]{24}$/)
  })

  it("has one idempotency key for each call that may cost credits, and none for other calls", async () => {
    const { fetch, requests } = scripted(ok)
    const client = open(fetch)
    await client.lookup({ code: "x", level: 2 })
    await client.lookup({ code: "x", level: 2 })
    await client.lookupBatch({ codes: ["x"] })
    await client.startSession({ identifier: "ada@example.com" })
    const made = requests.map(({ headers }) => headers.get("idempotency-key"))
    expect(new Set(made).size).toBe(4)
    expect(made).not.toContain(null)
    expect(new Set(made.join("")).size).toBeGreaterThan(8)
    requests.length = 0
    await client.lookup({ code: "x" })
    await client.lookup({ code: "x", level: 1 })
    await client.states()
    await client.request("POST /v1/admin/organizations", { body: { name: "x" } }, { idempotencyKey: "y" } as object)
    expect(requests.map(({ headers }) => headers.get("idempotency-key"))).toEqual([null, null, null, null])
    await client.lookup({ code: "x" }, { idempotencyKey: "mine" })
    expect(requests.at(-1)?.headers.get("idempotency-key")).toBe("mine")
  })

  it("has the configured headers, and follows no redirect, which would send the key to another host", async () => {
    const { fetch, requests } = scripted(
      () => new Response(null, { status: 307, headers: { location: "https://elsewhere.example/" } })
    )
    const client = open(fetch, { token: "t0ken", headers: { traceparent: "00-1-1-01", "x-request-id": "mine" } })
    const failure = await failureOf(client.states())
    expect([failure.code, failure.status, failure.request_id]).toEqual(["unexpected_answer", 307, "mine"])
    expect(requests).toHaveLength(1)
    expect(requests[0]?.redirect).toBe("manual")
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      authorization: "Bearer t0ken",
      traceparent: "00-1-1-01",
      "x-api-key": "svc_test_key",
      "x-request-id": "mine"
    })
  })
})

describe("between attempts it waits", () => {
  const sentAfter = async (ms: number, requests: ReadonlyArray<Request>) => {
    await vi.advanceTimersByTimeAsync(ms)
    return requests.length
  }

  it("as long as the service asks for", async () => {
    const { fetch, requests } = scripted(() => failed(429, "rate_limit_exceeded", { "retry-after": "7" }), ok)
    const call = open(fetch).states()
    expect([await sentAfter(6_999, requests), await sentAfter(1, requests)]).toEqual([1, 2])
    await call
  })

  it("until the moment that a proxy names", async () => {
    vi.setSystemTime("2026-01-31T12:00:00Z")
    const { fetch, requests } = scripted(() => page(503, { "retry-after": "Sat, 31 Jan 2026 12:00:05 GMT" }), ok)
    const call = open(fetch).states()
    expect([await sentAfter(4_999, requests), await sentAfter(1, requests)]).toEqual([1, 2])
    await call
  })

  it("for a random time that at most doubles from attempt to attempt, up to 8 s", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.999_999)
    const { fetch, requests } = scripted(broken)
    const call = failureOf(open(fetch, { retries: 7, timeout_ms: 60_000 }).states())
    const counts: Array<number> = []
    for (const ms of [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]) counts.push(await sentAfter(ms, requests))
    expect(counts).toEqual([2, 3, 4, 5, 6, 7, 8])
    await call
  })

  it("not at all if the wait exceeds the timeout: the call fails immediately", async () => {
    const { fetch, requests } = scripted(() => failed(429, "rate_limit_exceeded", { "retry-after": "31" }))
    const failure = await failureOf(open(fetch).states())
    expect([failure.code, failure.retry_after_s, requests.length]).toEqual(["rate_limit_exceeded", 31, 1])
  })

  it("also longer than the maximum of a timer", async () => {
    const { fetch, requests } = scripted(() => failed(429, "rate_limit_exceeded", { "retry-after": "99999999" }))
    const controller = new AbortController()
    const call = thrownBy(open(fetch, { timeout_ms: Number.POSITIVE_INFINITY }).states({ signal: controller.signal }))
    expect(await sentAfter(1_000_000, requests)).toBe(1)
    controller.abort("enough")
    expect(await call).toBe("enough")
  })

  it.for([
    ["soon", undefined],
    ["-1", undefined],
    ["Sat, 31 Jan 2006 12:00:05 GMT", 0]
  ] as const)("a Retry-After of %s is read as %s", async ([header, expected]) => {
    const { fetch } = scripted(() => page(503, { "retry-after": header }))
    const failure = await failureOf(open(fetch, { retries: 0 }).states())
    expect(failure.retry_after_s).toBe(expected)
  })

  it("one second if a proxy removed Retry-After", async () => {
    const { fetch } = scripted(() => failed(503, "service_unavailable"))
    const failure = await failureOf(open(fetch, { retries: 0 }).states())
    expect(failure.retry_after_s).toBe(1)
  })
})

describe("the time of a call", () => {
  const silent: Fetch = () => new Promise(() => {})

  it("is limited to 30 s with all attempts and waits, and the timeout has the last failure as its cause", async () => {
    const { fetch, requests } = scripted(
      () => failed(503, "service_unavailable", { "retry-after": "20" }),
      () => new Promise(() => {})
    )
    const call = failureOf(open(fetch).states({ requestId: "order-1042" }))
    await vi.advanceTimersByTimeAsync(29_999)
    expect([requests.length, requests[1]?.signal.aborted]).toEqual([2, false])
    await vi.advanceTimersByTimeAsync(1)
    const failure = await call
    expect(failure).toMatchObject({
      code: "timeout",
      status: 0,
      message: "no response within 30000 ms",
      request_id: "order-1042",
      meta: { attempts: 2 },
      cause: { code: "service_unavailable" }
    })
    expect(requests[1]?.signal.aborted).toBe(true)
  })

  it("ends after the configured time, also if fetch ignores the signal", async () => {
    const call = failureOf(open(silent, { timeout_ms: 5_000 }).states({ timeout_ms: 1_000 }))
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await call).code).toBe("timeout")
  })

  it("also ends while a body does not end", async () => {
    const { fetch } = scripted(
      () => new Response(new ReadableStream(), { headers: { "content-type": "application/json" } })
    )
    const call = failureOf(open(fetch, { timeout_ms: 1_000 }).states())
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await call).code).toBe("timeout")
  })
})

describe("a signal", () => {
  const reason = new Error("the user left")

  it("that was aborted before sends nothing, and throws its reason", async () => {
    const { fetch, requests } = scripted(ok)
    expect(await thrownBy(open(fetch).states({ signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(requests).toHaveLength(0)
  })

  it.for([
    ["a request", rejecting],
    ["a request that does not heed it", () => new Promise<Response>(() => {})],
    ["a body", () => new Response(new ReadableStream(), { headers: { "content-type": "application/json" } })],
    ["a wait", () => failed(503, "service_unavailable", { "retry-after": "20" })]
  ] as const)("ends %s at once, and throws its reason", async ([, answer]) => {
    const controller = new AbortController()
    const { fetch, requests } = scripted(answer)
    const call = thrownBy(open(fetch).states({ signal: controller.signal }))
    await vi.advanceTimersByTimeAsync(10)
    controller.abort(reason)
    expect(await call).toBe(reason)
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(requests).toHaveLength(1)
  })

  it("can be used for any number of calls, which leave no listener on it and do not pass it to fetch", async () => {
    const { signal } = new AbortController()
    const seen: Array<number> = []
    const { fetch, requests } = scripted(broken, ok)
    for (let i = 0; i < 30; i++) {
      const call = open(fetch).states({ signal })
      seen.push(getEventListeners(signal, "abort").length)
      await vi.runAllTimersAsync()
      await call
    }
    expect([new Set(seen), getEventListeners(signal, "abort").length]).toEqual([new Set([1]), 0])
    expect(requests.some((request) => request.signal === signal)).toBe(false)
  })

  it("that is aborted after the answer changes nothing", async () => {
    const controller = new AbortController()
    const { fetch } = scripted(ok)
    const { data } = await open(fetch).states({ signal: controller.signal })
    controller.abort(reason)
    expect(data).toEqual({ fine: true })
  })
})

describe("a response that is not from the service", () => {
  const text = (status: number, body: string) => () =>
    new Response(body, { status, headers: { "content-type": "application/json" } })

  it.for([
    ["a page", 200, () => page(200)],
    ["a page of a proxy", 500, () => page(500)],
    ["nothing", 200, () => new Response(null)],
    ["no JSON", 200, text(200, `{"data": {"states": [`)],
    ["null", 200, text(200, "null")],
    ["a number", 200, text(200, "7")],
    ["no data", 200, text(200, "{}")],
    ["an error with 200", 200, text(200, `{"error": {"code": "not_found", "message": "x"}}`)],
    ["data with 400", 400, text(400, `{"data": {}}`)],
    ["another system's error", 400, text(400, `{"error": {"code": 400, "message": "x"}}`)],
    ["an error without a message", 400, text(400, `{"error": {"code": "not_found"}}`)],
    ["an error of null", 400, text(400, `{"error": null}`)]
  ] as const)("%s, is an unexpected answer with its status %i", async ([, status, answer]) => {
    const { fetch } = scripted(answer)
    const failure = await failureOf(open(fetch).request("POST /v1/admin/organizations", { body: { name: "x" } }))
    expect(failure).toMatchObject({
      code: "unexpected_answer",
      status,
      message: `the response with status ${status} at /v1/admin/organizations did not come from the service`
    })
  })

  it("names the path that was requested, without values, where nothing is: baseUrl may have a path too much", async () => {
    const { fetch } = scripted(() => page(404))
    const client = open(fetch, { baseUrl: "https://gateway.example/api/" })
    const failure = await failureOf(client.request("GET /v1/admin/organizations/:id", { params: { id: "org_secret" } }))
    expect(failure.message).toBe(
      "the response with status 404 at /api/v1/admin/organizations/:id did not come from the service"
    )
  })

  it("is not read, and its connection is released", async () => {
    const cancel = vi.fn()
    const endless = new ReadableStream({ cancel })
    const { fetch } = scripted(() => new Response(endless, { status: 502, headers: { "content-type": "text/html" } }))
    expect((await failureOf(open(fetch, { retries: 0 }).states())).code).toBe("unexpected_answer")
    expect(cancel).toHaveBeenCalledOnce()
  })

  it("a response of the service is read to its end, also a failure", async () => {
    const answers = [failed(503, "service_unavailable"), ok()]
    const { fetch } = scripted(...answers.map((answer) => () => answer))
    const call = open(fetch).states()
    await vi.runAllTimersAsync()
    await call
    expect(answers.map(({ bodyUsed }) => bodyUsed)).toEqual([true, true])
  })
})

describe("isPostcodeError", () => {
  it("recognizes failures of calls, also those of another copy of the package", async () => {
    const failure = await failureOf(open(broken, { retries: 0 }).states())
    const ofAnotherCopy = Object.assign(new Error("x"), { name: "PostcodeError", code: "not_found" })
    expect([failure, ofAnotherCopy].map(isPostcodeError)).toEqual([true, true])
    const system = Object.assign(new Error("x"), { code: "ECONNREFUSED" })
    const others = [system, { name: "PostcodeError", code: "not_found" }, "PostcodeError", undefined]
    expect(others.map(isPostcodeError)).toEqual([false, false, false, false])
  })
})

describe("secrets", () => {
  const secret = "svc_live_secret"

  it("are in no failure, even if all of it is printed", async () => {
    const { fetch } = scripted(
      broken,
      () => failed(401, "invalid_api_key"),
      () => page(502)
    )
    const client = open(fetch, { apiKey: secret, token: secret, retries: 0 })
    for (let i = 0; i < 3; i++) {
      const failure = await failureOf(client.startSession({ identifier: "12345678901" }, { idempotencyKey: "mine" }))
      expect(inspect(failure, { depth: 9, showHidden: true })).not.toMatch(/svc_live|12345678901/)
    }
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain("svc_live")
  })

  it.for([
    [{ apiKey: `${secret}\n` }, "apiKey: expected the key as it was given"],
    [{ apiKey: "" }, "apiKey: expected the key as it was given"],
    [{ token: `${secret}…` }, "token: expected the token as it was given"],
    [{ headers: { "x-other": `a\n${secret}` } }, "headers: expected valid HTTP names and values"],
    [{ baseUrl: `https://user:${secret}@gateway.example` }, /^baseUrl: expected an address such as/],
    [{ baseUrl: secret }, /^baseUrl: expected an address such as/],
    [{ baseUrl: "ftp://gateway.example" }, /^baseUrl: expected an address such as/],
    [{ baseUrl: "https://gateway.example?a=b" }, /^baseUrl: expected an address such as/]
  ] as const)("the options %o are refused, and the secret is not repeated", ([options, message]) => {
    const make = () => open(async () => ok(), options)
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
    try {
      make()
    } catch (error) {
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret)
    }
  })

  it("invalid ids throw, and nothing is sent", async () => {
    const { fetch, requests } = scripted(ok)
    const client = open(fetch)
    for (const idempotencyKey of ["", " ", "a\nb", "é", "x".repeat(129)])
      await expect(client.lookup({ code: "x" }, { idempotencyKey })).rejects.toThrow(
        "idempotencyKey: expected 1 to 128 printable ASCII characters"
      )
    for (const requestId of ["", "a b", "x".repeat(65)])
      await expect(client.states({ requestId })).rejects.toThrow("requestId: expected 1 to 64 of the characters")
    expect(requests).toHaveLength(0)
  })
})

describe("the address", () => {
  it.for([
    ["https://gateway.example", "https://gateway.example/v1/reference/states"],
    ["https://gateway.example/", "https://gateway.example/v1/reference/states"],
    ["https://example.com/postcode//", "https://example.com/postcode/v1/reference/states"]
  ] as const)("%s may end with a path and slashes", async ([baseUrl, url]) => {
    const { fetch, requests } = scripted(ok)
    await open(fetch, { baseUrl }).states()
    expect(requests[0]?.url).toBe(url)
  })

  it("the runtime's fetch is read at each call, and called without a receiver", async () => {
    const client = createPostcodeClient({ baseUrl: "https://gateway.example" })
    const seen: Array<unknown> = []
    vi.stubGlobal("fetch", function (this: unknown) {
      seen.push(this)
      return Promise.resolve(ok())
    })
    expect((await client.states()).data).toEqual({ fine: true })
    expect(seen).toEqual([undefined])
  })
})
