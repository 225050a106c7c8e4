/** Every named call, any call by its route, and lists, against the real service. */
import { sandboxKeys, sandboxUnits } from "@postcode/demo/sandbox"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { type Fetch, type PostcodeClient, PostcodeError } from "../src/index.ts"
import { failureOf, thrownBy } from "./failureOf.ts"
import { openTestGateway, operatorToken, type TestGateway } from "./TestGateway.ts"

let gateway: TestGateway
let key: { readonly secret: string; readonly organization_id: string }
let visitor: PostcodeClient
let client: PostcodeClient

beforeAll(async () => {
  gateway = await openTestGateway()
  key = await gateway.newKey()
  visitor = gateway.client()
  client = gateway.client({ apiKey: key.secret })
})
afterAll(() => gateway?.close())

describe("the calls by name", () => {
  it("autocomplete, with nothing and with a text", async () => {
    expect((await visitor.autocomplete()).data.segment).toBe("state")
    const { data } = await visitor.autocomplete({ q: "la ike", limit: 3 })
    expect(data).toEqual({
      segment: "lga",
      suggestions: [{ code: "11", label: "Ikeja", prefix: "LA-11", within: "Lagos" }]
    })
  })

  it("reverse, where there is a unit and where there is none", async () => {
    const { data } = await visitor.reverse(gateway.place)
    expect(data.found && data.unit.postcode).toBe(gateway.postcode)
    expect((await visitor.reverse({ lat: 0, lng: 0 })).data.found).toBe(false)
  })

  it("nearby", async () => {
    const { data } = await visitor.nearby({ ...gateway.place, radius: 300, limit: 1 })
    expect(data.map(({ postcode }) => postcode)).toEqual([gateway.postcode])
  })

  it("lookup, free and paid", async () => {
    const free = await visitor.lookup({ code: gateway.postcode.toLowerCase() })
    expect(free.data).toEqual({ postcode: gateway.postcode, valid: true, status: "valid" })
    const { data } = await client.lookup({ code: gateway.postcode, level: 2 })
    expect(data.administrative_address?.state_name).toEqual(expect.any(String))
  })

  it("lookupBatch", async () => {
    const { data } = await client.lookupBatch({ codes: [gateway.postcode, "nowhere"], level: 2 })
    expect(data.results.map((item) => ("error" in item ? item.error.code : item.result.valid))).toEqual([
      true,
      "invalid_parameter"
    ])
  })

  it("assemble and disassemble", async () => {
    const { data: segments } = await visitor.disassemble({ code: "la12a03bg07" })
    expect(segments).toEqual({ state: "LA", lga: "12", district: "A03", area: "BG", unit: "07" })
    expect((await visitor.assemble(segments)).data.postcode).toBe("LA-12-A03-BG-07")
  })

  it("states, lgas, districts and areas, down to a unit that exists", async () => {
    const [state = "", lga = "", district = "", area = ""] = gateway.postcode.split("-")
    const codes = (list: ReadonlyArray<{ readonly code: string }>) => list.map(({ code }) => code)
    expect(codes((await client.states()).data.states)).toContain(state)
    expect(codes((await client.lgas({ state })).data.lgas)).toContain(lga)
    expect(codes((await client.districts({ state, lga })).data.districts)).toContain(district)
    expect(codes((await client.areas({ state, lga, district })).data.areas)).toContain(area)
  })

  it("startSession, bookmarks and recordSelection", async () => {
    const identifiers = ["ada@example.com"]
    await gateway.operator.request("PUT /v1/admin/end-users", {
      body: { identifiers, bookmarks: [{ postcode: gateway.postcode, label: "Home" }] }
    })
    const { secret } = await gateway.newKey({ kind: "publishable", max_level: 1, origins: ["https://shop.example"] })
    const started = await gateway.client({ apiKey: secret }).startSession({ identifier: "Ada@example.com" })
    expect(started.meta.credits).toBeUndefined()
    const session = gateway.client({ token: started.data.token })
    expect((await session.bookmarks()).data.bookmarks).toEqual([{ postcode: gateway.postcode, label: "Home" }])
    expect((await session.recordSelection({ postcode: gateway.postcode })).data).toEqual({ recorded: true })
  })
})

describe("the content of response headers", () => {
  it("is in meta: request id, level, credits, rate limit and version of the data", async () => {
    const { secret } = await gateway.newKey()
    const { meta } = await gateway
      .client({ apiKey: secret })
      .lookup({ code: gateway.postcode, level: 3 }, { requestId: "order-1042" })
    expect(meta).toMatchObject({
      status: 200,
      request_id: "order-1042",
      attempts: 1,
      level: 3,
      credits: { charged: 2, remaining: 998 },
      rate_limit: { limit: 600, remaining: 599, reset_s: expect.any(Number) },
      data_version: expect.stringMatching(/^demo-5000/)
    })
    expect(meta.headers.get("cache-control")).toBe("no-store")
  })

  it("is undefined where it is not reported", async () => {
    const { meta } = await visitor.disassemble({ code: gateway.postcode })
    expect([meta.level, meta.credits, meta.data_version, meta.data_date]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined
    ])
  })

  it("a request has a new id for the log, unless the header would cause a preflight in a browser", async () => {
    const { requests, watched } = watch(gateway.fetch)
    await gateway.client({ fetch: watched }).autocomplete({ q: "la" })
    await gateway.client({ fetch: watched, apiKey: key.secret }).autocomplete({ q: "la" })
    const [first, second] = requests
    expect([...(first?.headers ?? [])]).toEqual([])
    expect(second?.headers.get("x-request-id")).toMatch(/^[a-p]{24}$/)
  })
})

describe("any call by its route", () => {
  it("takes params, query and body, and returns the response of the contract", async () => {
    const { data } = await gateway.operator.request("GET /v1/admin/organizations/:id/credits", {
      params: { id: key.organization_id },
      query: { environment: "test", limit: 1, cursor: undefined }
    })
    expect(data.balance).toEqual(expect.any(Number))
    expect((await visitor.request("GET /v1/health/live")).data).toEqual({ status: "live" })
  })

  it("an id that would change the path is refused", async () => {
    const { requests, watched } = watch(gateway.fetch)
    const operator = gateway.client({ token: operatorToken, fetch: watched })
    for (const id of ["..", ".", ""])
      await expect(operator.request("DELETE /v1/admin/keys/:id", { params: { id } })).rejects.toThrow(
        "params.id: expected an id"
      )
    await expect(operator.request("GET /v1/admin/keys/:id", {} as never)).rejects.toThrow("params.id: expected an id")
    expect(requests).toHaveLength(0)
    const failure = await failureOf(operator.request("GET /v1/admin/keys/:id", { params: { id: "a/../b?c#d%2e" } }))
    expect([failure.code, new URL(requests[0]?.url ?? "").pathname]).toEqual([
      "not_found",
      "/v1/admin/keys/a%2F..%2Fb%3Fc%23d%252e"
    ])
  })

  it("writes numbers as the service reads them", async () => {
    const { data } = await visitor.reverse({ lat: 1e-7, lng: -1e-9 })
    expect(data.coordinate).toEqual([-1e-9, 1e-7])
  })
})

describe("the items of a list", () => {
  const params = { id: "" }
  const names = Array.from({ length: 7 }, (_, i) => `key ${i}`)
  beforeAll(async () => {
    params.id = (await gateway.newKey({ name: "key 0" })).organization_id
    const body = { kind: "secret", environment: "test", scopes: ["lookup"], max_level: 1 } as const
    for (const name of names.slice(1))
      await gateway.operator.request("POST /v1/admin/organizations/:id/keys", { params, body: { ...body, name } })
  })

  it("are those of all its pages, in order", async () => {
    const { requests, watched } = watch(gateway.fetch)
    const operator = gateway.client({ token: operatorToken, fetch: watched })
    const found: Array<string> = []
    for await (const { name } of operator.items("GET /v1/admin/organizations/:id/keys", {
      params,
      query: { limit: 3 }
    }))
      found.push(name)
    expect(found).toEqual(names.toReversed())
    expect(requests).toHaveLength(3)
  })

  it("are requested page by page, and no longer after the loop ends", async () => {
    const { requests, watched } = watch(gateway.fetch)
    const operator = gateway.client({ token: operatorToken, fetch: watched })
    const items = operator.items("GET /v1/admin/organizations/:id/keys", { params, query: { limit: 2 } })
    expect(requests).toHaveLength(0)
    const found: Array<string> = []
    for await (const { name } of items) if (found.push(name) === 3) break
    expect([found, requests.length]).toEqual([["key 6", "key 5", "key 4"], 2])
    expect(await items.next()).toEqual({ done: true, value: undefined })
  })

  it("continue from a cursor, come a hundred at a time by default, and keep the other values", async () => {
    const { requests, watched } = watch(gateway.fetch)
    const operator = gateway.client({ token: operatorToken, fetch: watched })
    const entries = operator.items("GET /v1/admin/organizations/:id/credits", {
      params,
      query: { environment: "test" }
    })
    const reasons = (await all(entries)).map(({ reason }) => reason)
    expect(reasons).toHaveLength(1)
    expect(new URL(requests[0]?.url ?? "").searchParams.get("limit")).toBe("100")
    const { data } = await operator.request("GET /v1/admin/organizations/:id/keys", { params, query: { limit: 5 } })
    const query = { cursor: data.next_cursor ?? "" }
    const rest = operator.items("GET /v1/admin/organizations/:id/keys", { params, query })
    expect((await all(rest)).map(({ name }) => name)).toEqual(["key 1", "key 0"])
  })

  it("end with the call that fails", async () => {
    const items = visitor.items("GET /v1/admin/organizations")
    expect((await failureOf(items.next())).code).toBe("auth_required")
  })
})

describe("failures", () => {
  it("have the service's code, status, message and request id", async () => {
    const failure = await failureOf(client.reverse({ lat: 95, lng: 3 }))
    expect(failure).toBeInstanceOf(Error)
    expect(failure).toBeInstanceOf(PostcodeError)
    expect(failure).toMatchObject({
      name: "PostcodeError",
      code: "invalid_parameter",
      status: 400,
      message: "lat: expected a latitude in degrees from -90 to 90",
      request_id: expect.stringMatching(/^[a-p]{24}$/),
      retry_after_s: undefined
    })
  })

  it("contain the remaining credits", async () => {
    const poor = gateway.client({ apiKey: sandboxKeys.noCredits.key })
    const failure = await failureOf(poor.lookup({ code: sandboxUnits.complete.postcode, level: 2 }))
    expect([failure.code, failure.meta.credits]).toEqual(["insufficient_credits", { charged: 0, remaining: 0 }])
  })

  it("contain the time of a retry, and fail immediately if it exceeds the timeout", async () => {
    const { secret } = await gateway.newKey({ daily_credit_limit: 1 })
    const limited = gateway.client({ apiKey: secret })
    await limited.lookup({ code: gateway.postcode, level: 2 })
    const failure = await failureOf(limited.lookup({ code: gateway.postcode, level: 2 }, { timeout_ms: 10_000 }))
    expect(failure.code).toBe("rate_limit_exceeded")
    if (failure.code === "rate_limit_exceeded") expect(failure.retry_after_s satisfies number).toBeGreaterThan(0)
    expect(failure.meta.attempts).toBe(1)
  })
})

describe("a paid call whose answers are lost", () => {
  // The waits between attempts are up to chance.
  beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0))

  it("is repeated, and charged once", async () => {
    const { secret, organization_id } = await gateway.newKey()
    const calls: ReadonlyArray<readonly [number, (client: PostcodeClient) => Promise<unknown>]> = [
      [3, ({ lookup }) => lookup({ code: gateway.postcode, level: 4 })],
      [2, ({ lookupBatch }) => lookupBatch({ codes: [gateway.postcode, gateway.postcode], level: 3 })],
      // The same once more is another call, and is paid for.
      [3, ({ lookup }) => lookup({ code: gateway.postcode, level: 4 })]
    ]
    for (const [price, call] of calls) {
      const before = await spentBy(organization_id)
      const fetch = losing(2, gateway.fetch)
      const answer = await call(gateway.client({ apiKey: secret, fetch, timeout_ms: 60_000 }))
      expect(answer).toMatchObject({ meta: { attempts: 3, credits: { charged: 0 } } })
      expect((await spentBy(organization_id)) - before).toBe(price)
    }
  })

  it("is charged once if any of its attempts was served, and otherwise not", async () => {
    const { secret, organization_id } = await gateway.newKey({ rate_limit_per_minute: 10_000 })
    let owed = 0
    for (const fates of threeFates()) {
      let served = 0
      const serve = (request: Request) => {
        served++
        return gateway.fetch(request)
      }
      const left = [...fates]
      const fetch: Fetch = (request) => fateOf[left.shift() ?? "answered"](() => serve(request))
      await thrownBy(gateway.client({ apiKey: secret, fetch }).lookup({ code: gateway.postcode, level: 2 }))
      owed += Math.min(served, 1)
      expect([fates, await spentBy(organization_id)]).toEqual([fates, owed])
    }
  })

  it("can be repeated later with the caller's idempotency key", async () => {
    const { secret } = await gateway.newKey()
    const fetch = losing(1, gateway.fetch)
    const careful = gateway.client({ apiKey: secret, fetch, retries: 0 })
    const lookup = () => careful.lookup({ code: gateway.postcode, level: 2 }, { idempotencyKey: "order 1042" })
    expect((await failureOf(lookup())).code).toBe("network_error")
    expect((await lookup()).meta.credits).toEqual({ charged: 0, remaining: 999 })
  })

  it("is not repeated if it could have its effect twice", async () => {
    const organizations = async () => (await all(gateway.operator.items("GET /v1/admin/organizations"))).length
    const before = await organizations()
    const operator = gateway.client({ token: operatorToken, fetch: losing(1, gateway.fetch) })
    const failure = await failureOf(operator.request("POST /v1/admin/organizations", { body: { name: "Once" } }))
    expect([failure.code, failure.meta.attempts, await organizations()]).toEqual(["network_error", 1, before + 1])
  })
})

/** The test credits that an organization has spent. */
const spentBy = async (id: string): Promise<number> => {
  const { data } = await gateway.operator.request("GET /v1/admin/organizations/:id/credits", {
    params: { id },
    query: { environment: "test" }
  })
  return 1000 - data.balance
}

/** What can become of one attempt: it is served or not, and its answer arrives or not. */
const fateOf = {
  answered: (serve: () => Promise<Response>) => serve(),
  "lost on the way there": () => Promise.reject(new TypeError("fetch failed")),
  "lost on the way back": (serve: () => Promise<Response>) =>
    serve().then(() => Promise.reject(new TypeError("fetch failed"))),
  refused: () => Promise.resolve(unavailable()),
  "in doubt": (serve: () => Promise<Response>) => serve().then(unavailable),
  "given up by a proxy": (serve: () => Promise<Response>) => serve().then(() => new Response("", { status: 504 }))
}

type Fate = keyof typeof fateOf

/** Every way in which two attempts can fail, and the third one end. */
const threeFates = (): ReadonlyArray<ReadonlyArray<Fate>> => {
  const all = Object.keys(fateOf) as ReadonlyArray<Fate>
  const mishaps = all.filter((fate) => fate !== "answered")
  return mishaps.flatMap((first) => mishaps.flatMap((second) => all.map((third) => [first, second, third])))
}

const unavailable = (): Response =>
  Response.json(
    { error: { code: "service_unavailable", message: "the store is unavailable" } },
    { status: 503, headers: { "retry-after": "0" } }
  )

/** The service, on connections that break before its answers arrive, so many times. */
const losing = (times: number, fetch: Fetch): Fetch => {
  let lost = 0
  return async (request) => {
    const response = await fetch(request)
    if (lost++ >= times) return response
    await response.body?.cancel()
    throw new TypeError("fetch failed")
  }
}

const all = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for await (const item of items) found.push(item)
  return found
}

const watch = (fetch: Fetch) => {
  const requests: Array<Request> = []
  const watched: Fetch = (request) => {
    requests.push(request)
    return fetch(request)
  }
  return { requests, watched }
}
