/** `directory.follow`: on a clock of the test's own, and against a service whose server is stopped and started. */
import { getEventListeners, once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createPostcodeClient, type Fetch } from "../src/index.ts"
import { failureOf } from "./failureOf.ts"
import { openTestGateway, type TestGateway } from "./TestGateway.ts"

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })
const page = (from: number, to: number, latest: number) => () =>
  json(200, {
    data: {
      changes: Array.from({ length: to - from }, (_, i) => ({ number: from + i + 1 })),
      version: `e+${to}`,
      latest: `e+${latest}`
    }
  })
const failed =
  (status: number, code: string, headers: Readonly<Record<string, string>> = {}) =>
  () =>
    json(status, { error: { code, message: `it is ${code}` } }, headers)
const broken = () => {
  throw new TypeError("fetch failed")
}

describe("following on a clock", () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(Math, "random").mockReturnValue(0)
  })
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  /** Answers in order; the last answer again and again. Notes the time of each request. */
  const scripted = (...answers: ReadonlyArray<() => Response>) => {
    const requests: Array<{ readonly at_ms: number; readonly request: Request }> = []
    const start_ms = Date.now()
    const fetch: Fetch = async (request) => {
      requests.push({ at_ms: Date.now() - start_ms, request })
      return (answers[Math.min(requests.length, answers.length) - 1] as () => Response)()
    }
    const client = createPostcodeClient({ baseUrl: "https://gateway.example", apiKey: "svc_test_key", fetch })
    return { client, requests }
  }
  const sinceOf = ({ request }: { readonly request: Request }) => new URL(request.url).searchParams.get("since")

  it("asks for page after page without a pause while there are more, and then every 5 s", async () => {
    const { client, requests } = scripted(page(0, 2, 3), page(2, 3, 3), page(3, 3, 3), page(3, 3, 3), page(3, 5, 5))
    const numbers: Array<number> = []
    const following = (async () => {
      for await (const { data } of client.directory.follow("e")) {
        numbers.push(...data.changes.map(({ number }) => number))
        if (data.version === "e+5") break
      }
    })()
    await vi.runAllTimersAsync()
    await following
    expect(numbers).toEqual([1, 2, 3, 4, 5])
    expect(requests.map(sinceOf)).toEqual(["e", "e+2", "e+3", "e+3", "e+3"])
    expect(requests.map(({ at_ms }) => at_ms)).toEqual([0, 0, 5_000, 10_000, 15_000])
  })

  it("yields an empty page first, if there is nothing new, and none later", async () => {
    const { client } = scripted(page(3, 3, 3), page(3, 3, 3), page(3, 4, 4))
    const pages: Array<number> = []
    const following = (async () => {
      for await (const { data } of client.directory.follow("e+3", { pause_ms: 10 })) {
        pages.push(data.changes.length)
        if (data.version === "e+4") break
      }
    })()
    await vi.runAllTimersAsync()
    await following
    expect(pages).toEqual([0, 1])
  })

  it("waits after broken connections, 429, 503 and responses of a proxy, for the requested time", async () => {
    const { client, requests } = scripted(
      broken,
      failed(503, "service_unavailable", { "retry-after": "2" }),
      failed(429, "rate_limit_exceeded", { "retry-after": "30" }),
      () => new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } }),
      page(0, 1, 1)
    )
    const first = client.directory.follow("e").next()
    await vi.runAllTimersAsync()
    expect((await first).value?.data.version).toBe("e+1")
    expect(requests.map(({ at_ms }) => at_ms)).toEqual([0, 0, 2_000, 32_000, 32_000])
    expect(new Set(requests.map(sinceOf))).toEqual(new Set(["e"]))
  })

  it("with coordinates, sends a page again under one Idempotency-Key, and the next page under another", async () => {
    const { client, requests } = scripted(broken, broken, page(0, 1, 2), page(1, 2, 2))
    const pages = client.directory.follow("e", { coordinates: true })
    const both = pages.next().then(() => pages.next())
    await vi.runAllTimersAsync()
    await both
    const keys = requests.map(({ request }) => request.headers.get("idempotency-key"))
    expect(keys[0]).toMatch(/^[a-p]{24}$/)
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]])
    expect(keys[3]).not.toBe(keys[0])
    expect(requests.map(({ request }) => new URL(request.url).searchParams.get("coordinates"))).toEqual(
      Array(4).fill("true")
    )
  })

  it.each([
    [400, "invalid_parameter"],
    [401, "invalid_api_key"],
    [402, "insufficient_credits"],
    [403, "level_not_granted"],
    [410, "version_expired"],
    [500, "internal_error"]
  ] as const)("%i %s ends it with the failure", async (status, code) => {
    const { client, requests } = scripted(page(0, 1, 2), failed(status, code))
    const pages = client.directory.follow("e")
    await pages.next()
    expect(await failureOf(pages.next())).toMatchObject({ status, code })
    expect(requests).toHaveLength(2)
    expect(await pages.next()).toEqual({ done: true, value: undefined })
  })

  const moments: ReadonlyArray<readonly [string, () => Response]> = [
    ["in the pause", page(1, 1, 1)],
    ["while it waits to try again", failed(503, "service_unavailable", { "retry-after": "60" })]
  ]
  it.each(moments)("ends when it is aborted %s, and leaves no timer and no listener", async (_, answer) => {
    const { client } = scripted(page(0, 1, 1), answer)
    const controller = new AbortController()
    const pages = client.directory.follow("e", { signal: controller.signal })
    await pages.next()
    const next = pages.next()
    await vi.advanceTimersByTimeAsync(6_000)
    controller.abort()
    expect(await next).toEqual({ done: true, value: undefined })
    expect(getEventListeners(controller.signal, "abort")).toEqual([])
  })

  it("ends when it is aborted before it begins, and during a request", async () => {
    const { client, requests } = scripted(page(0, 1, 1))
    const before = client.directory.follow("e", { signal: AbortSignal.abort() })
    expect(await before.next()).toEqual({ done: true, value: undefined })
    expect(requests).toEqual([])
    const controller = new AbortController()
    const hanging = createPostcodeClient({
      baseUrl: "https://gateway.example",
      fetch: ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
    })
    const next = hanging.directory.follow("e", { signal: controller.signal }).next()
    await vi.advanceTimersByTimeAsync(100)
    controller.abort()
    expect(await next).toEqual({ done: true, value: undefined })
  })
})

describe("following a service", () => {
  /** A server of the service that can be stopped, as by a crash, and started again on its port. */
  const restartable = async ({ nodeHandler }: TestGateway) => {
    let server: Server | undefined
    let port = 0
    const start = async () => {
      server = createServer(nodeHandler).listen(port, "127.0.0.1")
      await once(server, "listening")
      port = (server.address() as AddressInfo).port
    }
    const stop = async () => {
      const closed = new Promise((resolve) => server?.close(resolve))
      server?.closeAllConnections()
      await closed
    }
    await start()
    return { url: `http://127.0.0.1:${port}`, start, stop }
  }

  it("sees every change once and in order, though the server is stopped and started, and pays once", async () => {
    const gateway = await openTestGateway()
    const server = await restartable(gateway)
    const { secret } = await gateway.newKey({ max_level: 5 })
    const { data: before } = await gateway.client({ apiKey: secret }).lookup({ code: gateway.postcode, level: 1 })
    expect(before.status).toBe("valid")
    const since = (await gateway.client().lookup({ code: gateway.postcode })).meta.data_version ?? ""

    const controller = new AbortController()
    const client = createPostcodeClient({ baseUrl: server.url, apiKey: secret })
    const seen: Array<number> = []
    let charged = 0
    const following = (async () => {
      const options = { coordinates: true, pause_ms: 5, signal: controller.signal }
      for await (const { data, meta } of client.directory.follow(since, options)) {
        seen.push(...data.changes.map(({ number }) => number))
        charged += meta.credits?.charged ?? 0
      }
    })()

    const rounds = 5
    for (let round = 1; round <= rounds; round++) {
      await server.stop()
      await gateway.operator.request("POST /v1/admin/directory/changes", {
        body: {
          reason: "a survey",
          reference: `round ${round}`,
          changes: [{ change: "move", postcode: gateway.postcode, lat: 6.5 + round / 1_000, lng: 3.35 }]
        }
      })
      await server.start()
      await vi.waitFor(() => expect(seen).toHaveLength(round), { timeout: 30_000, interval: 20 })
    }
    controller.abort()
    await following
    expect(seen).toEqual([1, 2, 3, 4, 5])
    // A lookup at level 5 costs 3 credits.
    expect(charged).toBe(3 * rounds)
    await server.stop()
    await gateway.close()
  })
})
