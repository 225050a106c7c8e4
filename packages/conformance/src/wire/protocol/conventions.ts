/** The conventions of every endpoint. The client checks them on each response; these tests trigger them one by one. */
import { composeKey } from "@postcode/gateway/keys/ApiKey"
import { describe, expect, it } from "vitest"
import { operatorToken } from "../../world/OperatorToken.ts"
import { url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { documents, endpoints, findEndpoint } from "../Contract.ts"
import { expectFailure, outcomeOf } from "../Received.ts"
import { makeScene, sampleMessage } from "../Samples.ts"

export const conventions = (world: World): void => {
  describe("every endpoint", () => {
    for (const { operation, successStatus } of endpoints) {
      it(`${operation} answers ${successStatus} within the contract's schema, and no field but \`data\``, async () => {
        const scene = await makeScene(world.operator, operation)
        const received = await world.client.send(sampleMessage(operation, scene))
        expect(outcomeOf(received)).toBe(String(successStatus))
      })
    }
  })
  requestIds(world)
  rateLimitHeaders(world)
  head(world)
  caching(world)
}

const requestIds = (world: World): void => {
  describe("X-Request-Id", () => {
    const valid = ["a", "Z-9._:", "0f8fad5b-d9cb-469f-a165-70867728950e", "x".repeat(64)]
    for (const id of valid) {
      it(`a valid one of ${id.length} characters is kept`, async () => {
        const received = await world.client.get("/v1/health/live", { headers: { "x-request-id": id } })
        expect(received.headers["x-request-id"]).toBe(id)
      })
    }

    const invalid = {
      empty: "",
      "too long": "x".repeat(65),
      "8 KB long": "x".repeat(8192),
      "with a space": "a b",
      "with a comma": "a,b",
      "with a quote": '"a"',
      "with a slash": "a/b",
      "with markup": "<script>",
      "not ASCII": "caf\u00e9",
      "with a percent escape": "%0d%0aSet-Cookie:a",
      "a person's number": "48210957361",
      "around a person's number": "nin:48210957361",
      "the operator's token": operatorToken,
      "an API key": composeKey("secret", "live", "q7Vd2MfZ0bXk9RtLw4HnYc3JpAs8GuEe")
    }
    for (const [what, id] of Object.entries(invalid)) {
      it(`one that is ${what} is replaced by a new one`, async () => {
        const send = () => world.client.get("/v1/health/live", { headers: { "x-request-id": id } })
        const ids = [(await send()).headers["x-request-id"], (await send()).headers["x-request-id"]]
        expect(ids[0]).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
        expect(ids[1]).not.toBe(ids[0])
      })
    }

    it("is also kept on failures", async () => {
      for (const target of ["/v1/nothing", "/v1/lookup", "/v1/reference/states", "/v1/admin/audit"]) {
        const received = await world.client.get(target, { headers: { "x-request-id": "mine" } })
        expect(received.status).toBeGreaterThanOrEqual(400)
        expect(received.headers["x-request-id"]).toBe("mine")
      }
    })
  })
}

const rateLimitHeaders = (world: World): void => {
  describe("X-RateLimit-*", () => {
    const requests = [
      ["a success", "GET", "/v1/search/autocomplete", 200],
      ["a failed parameter", "GET", "/v1/lookup", 400],
      ["a missing key", "GET", "/v1/reference/states", 401],
      ["a missing token", "GET", "/v1/admin/audit", 401],
      ["an unknown path", "GET", "/v1/nothing", 404],
      ["a wrong method", "PUT", "/v1/lookup", 405],
      ["a wrong media type", "POST", "/v1/assembly/assemble", 415]
    ] as const
    it.each(requests)("counts %s, and shows it in the headers", async (_, method, target, status) => {
      const before_ms = performance.now()
      const first = await world.client.send({ method, target })
      const second = await world.client.send({ method, target })
      expect([first.status, second.status]).toEqual([status, status])
      expect(first.headers).toMatchObject({ "x-ratelimit-limit": "600", "x-ratelimit-remaining": "599" })
      expect(second.headers).toMatchObject({ "x-ratelimit-limit": "600", "x-ratelimit-remaining": "598" })
      const reset_s = Number(second.headers["x-ratelimit-reset"])
      expect(reset_s).toBeGreaterThan(59 - (performance.now() - before_ms) / 1_000)
      expect(reset_s).toBeLessThanOrEqual(60)
    })

    it("shows the whole limit and a reset of 0 if nothing was counted", async () => {
      const received = await world.client.get("/v1/health/live")
      expect(received.headers).toMatchObject({
        "x-ratelimit-limit": "600",
        "x-ratelimit-remaining": "600",
        "x-ratelimit-reset": "0"
      })
    })
  })
}

const head = (world: World): void => {
  describe("HEAD", () => {
    const free = endpoints.filter(({ metered, method }) => method === "GET" && !metered)
    for (const { operation } of free) {
      it(`answers ${operation} like GET, with the same headers and no body`, async () => {
        const scene = await makeScene(world.operator, operation)
        const message = sampleMessage(operation, scene)
        const get = await world.client.send(message)
        const head = await world.client.send({ ...message, method: "HEAD" })
        expect(head.status).toBe(get.status)
        expect(comparable(head.headers)).toEqual(comparable(get.headers))
      })
    }

    it.each(documents)("answers %s like GET, with the same headers and no body", async (target) => {
      const get = await world.client.get(target)
      const head = await world.client.send({ method: "HEAD", target })
      expect(comparable(head.headers)).toEqual(comparable(get.headers))
    })

    it("answers failures like GET, without a body", async () => {
      for (const target of ["/v1/nothing", "/v1/search/reverse", "/v1/reference/states", "/v1/admin/audit"]) {
        const get = await world.client.get(target)
        const head = await world.client.send({ method: "HEAD", target })
        expect(head.status).toBe(get.status)
        expect(comparable(head.headers)).toEqual(comparable(get.headers))
      }
    })

    it("is 405 on /v1/lookup, which it would charge, and charges nothing", async () => {
      const key = await world.operator.keyWithCredits(10)
      const target = url("/v1/lookup", { code: "LA-12-A03-BG-07", level: 4 })
      const received = await world.client.send({ method: "HEAD", target, key: key.secret })
      expect(received.status).toBe(405)
      expect(received.headers.allow).toBe("GET, OPTIONS")
      expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(10)
    })

    it("is 405 on paths without GET", async () => {
      for (const target of ["/v1/lookup/batch", "/v1/assembly/assemble"]) {
        const received = await world.client.send({ method: "HEAD", target })
        expect(received.status).toBe(405)
        expect(received.headers.allow).toBe("POST, OPTIONS")
      }
    })
  })
}

/** Without the headers that differ between requests. */
const comparable = (headers: Readonly<Record<string, string>>) => {
  const { date: _date, "x-request-id": _id, "x-ratelimit-remaining": _remaining, ...rest } = headers
  return rest
}

const caching = (world: World): void => {
  describe("Cache-Control", () => {
    it("is no-store on metered answers and their failures, with or without a key", async () => {
      const targets = [url("/v1/lookup", { code: "LA-12-A03-BG-07" }), "/v1/lookup", "/v1/lookup?code=LA&level=9"]
      for (const target of targets) {
        expect((await world.client.get(target)).headers["cache-control"]).toBe("no-store")
      }
    })

    it("is no-store on every answer to a request with a key, even a refused one", async () => {
      const key = await world.operator.key()
      const targets = ["/v1/search/autocomplete", "/v1/reference/states", "/v1/nothing", "/v1/docs", "/v1/health/live"]
      for (const target of targets) {
        for (const sent of [key.secret, "no key"]) {
          expect((await world.client.get(target, { key: sent })).headers["cache-control"]).toBe("no-store")
        }
      }
    })

    it("is no-store on management", async () => {
      const allowed = await world.client.get("/v1/admin/organizations", { token: operatorToken })
      const refused = await world.client.get("/v1/admin/organizations")
      expect(allowed.headers["cache-control"]).toBe("no-store")
      expect(refused.headers["cache-control"]).toBe("no-store")
    })

    it("lets caches store free public answers", async () => {
      const received = await world.client.get("/v1/search/autocomplete?q=LA")
      expect(received.headers).not.toHaveProperty("cache-control")
    })
  })

  it("the message of a failure names the invalid parameter and the expected value", async () => {
    const received = await world.client.get(url("/v1/search/reverse", { lat: 91, lng: 3 }))
    expectFailure(received, "400 invalid_parameter", "lat: expected", "-90 to 90")
  })

  it("the contract has endpoints under the paths of this suite", () => {
    expect(findEndpoint("HEAD", "/v1/search/reverse")?.operation).toBe("search.reverse")
    expect(endpoints.length).toBeGreaterThan(25)
  })
}
