/** Paths are compared as sent, without normalization, so each target has exactly one path. */
import { describe, expect, it } from "vitest"
import type { World } from "../../world/World.ts"
import { endpoints } from "../Contract.ts"
import { expectFailure } from "../Received.ts"
import { makeScene, sampleMessage } from "../Samples.ts"

export const paths = (world: World): void => {
  describe("paths", () => {
    const unknown = [
      "/",
      "/v1",
      "/v1/",
      "/v2/lookup",
      "/lookup",
      "/v1/lookup/",
      "/v1/lookup//",
      "//v1/lookup",
      "/v1//lookup",
      "/V1/LOOKUP",
      "/v1/lookup%2F",
      "/v1%2Flookup",
      "/v1/%6Cookup",
      "/v1/lookup;a=1",
      "/v1/lookup.json",
      "/v1/./lookup",
      "/v1/../v1/lookup",
      "/v1/health",
      "/v1/health/live/",
      "/v1/admin",
      "/v1/admin/organizations/",
      "/v1/admin/organizations//keys",
      "/v1/admin/keys/a/b",
      "/__proto__",
      "/constructor",
      "/v1/lookup/%00",
      "/.env",
      `/${"a".repeat(8_000)}`,
      "/a".repeat(4_000)
    ]
    it.each(unknown.map((target) => [target.slice(0, 40), target]))("%s is 404", async (_, target) => {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        expectFailure(await world.client.send({ method, target }), "404 not_found")
      }
    })

    it("404 needs no credential", async () => {
      expectFailure(await world.client.get("/v1/admin/nothing"), "404 not_found")
    })

    for (const { operation, path } of endpoints) {
      it(`a method that ${path} does not accept is 405, and Allow lists the accepted ones: ${operation}`, async () => {
        const scene = await makeScene(world.operator, operation)
        const message = sampleMessage(operation, scene)
        const taken = methodsOf(path)
        for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "QUERY", "M-SEARCH"]) {
          if (taken.includes(method)) continue
          const received = await world.client.send({ ...message, method })
          expectFailure(received, "405 method_not_allowed")
          expect(received.headers.allow?.split(", ").toSorted()).toEqual([...taken, "OPTIONS"].toSorted())
        }
      })
    }

    it.each(["/v1/docs", "/v1/openapi.json"])("%s accepts only GET, HEAD and OPTIONS", async (target) => {
      const received = await world.client.send({ method: "POST", target })
      expectFailure(received, "405 method_not_allowed")
      expect(received.headers.allow).toBe("GET, HEAD, OPTIONS")
    })
  })
}

/** The methods of a path in the contract, and HEAD if GET is free. */
const methodsOf = (path: string): ReadonlyArray<string> =>
  endpoints
    .filter((endpoint) => endpoint.path === path)
    .flatMap(({ metered, method }) => (method === "GET" && !metered ? ["GET", "HEAD"] : [method]))
