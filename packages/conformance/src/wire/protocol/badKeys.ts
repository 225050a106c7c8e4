/** A key that is not active is refused everywhere, including public endpoints and unknown paths. */
import { composeKey, randomLength } from "@postcode/gateway/keys/ApiKey"
import { describe, expect, it } from "vitest"
import type { Message } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { documents, endpoints } from "../Contract.ts"
import { expectFailure, outcomeOf } from "../Received.ts"
import { makeScene, sampleMessage } from "../Samples.ts"

const unknown = composeKey("secret", "live", "0".repeat(randomLength))

const refused: Readonly<Record<string, string>> = {
  empty: "",
  "no key at all": "hello",
  "without its prefix": unknown.slice(9),
  "with a typo": `${unknown.slice(0, -1)}${unknown.endsWith("0") ? "1" : "0"}`,
  "cut short": unknown.slice(0, -1),
  "well formed but unknown": unknown,
  "of another case": unknown.toUpperCase(),
  "sent twice in one header": `${unknown}, ${unknown}`,
  "very long": `svc_live_${"a".repeat(4000)}`
}

export const badKeys = (world: World): void => {
  describe("a key that is not active is 401 invalid_api_key", () => {
    for (const [what, key] of Object.entries(refused)) {
      it(`on every endpoint, document and unknown path: ${what}`, async () => {
        const scene = await makeScene(world.operator)
        const messages: Array<Message> = [
          ...endpoints.map(({ operation }) => sampleMessage(operation, scene)),
          ...documents.map((target) => ({ method: "GET", target })),
          { method: "GET", target: "/v1/nothing" },
          { method: "DELETE", target: "/v1/lookup" },
          { method: "OPTIONS", target: "/v1/lookup" }
        ]
        for (const message of messages) {
          const received = await world.client.send({ ...message, key })
          expectFailure(received, "401 invalid_api_key")
        }
      })
    }

    it("from the moment of its revocation", async () => {
      const key = await world.operator.key()
      const targets = ["/v1/lookup?code=LA-12-A03-BG-07&level=2", "/v1/search/autocomplete", "/v1/health/live"]
      for (const target of targets) {
        expect((await world.client.get(target, { key: key.secret })).status).toBe(200)
      }
      await world.operator.revoke(key)
      for (const target of [...targets, "/v1/reference/states", "/v1/nothing"]) {
        expectFailure(await world.client.get(target, { key: key.secret }), "401 invalid_api_key")
      }
    })

    it("and HEAD answers the same status", async () => {
      const received = await world.client.send({ method: "HEAD", target: "/v1/health/live", key: unknown })
      expect(outcomeOf(received)).toBe("401")
    })

    it("and the message is the same for an unknown and a revoked key", async () => {
      const key = await world.operator.key()
      await world.operator.revoke(key)
      const revoked = await world.client.get("/v1/search/autocomplete", { key: key.secret })
      const never = await world.client.get("/v1/search/autocomplete", { key: unknown })
      expect(revoked.text).toBe(never.text)
    })
  })

  describe("an active key", () => {
    it.each(["secret", "publishable"] as const)(
      "of kind %s is accepted on every public endpoint, except a publishable one for batches and addresses",
      async (kind) => {
        const key = await world.operator.key({ kind })
        for (const { access, operation, successStatus } of endpoints) {
          if (access !== "public") continue
          const scene = await makeScene(world.operator, operation)
          const received = await world.client.send({ ...sampleMessage(operation, scene), key: key.secret })
          const isRefused = kind === "publishable" && secretOnly.has(operation)
          expect(outcomeOf(received)).toBe(isRefused ? "403 key_type_not_allowed" : String(successStatus))
        }
      }
    )
  })
}

/** A publishable key is readable on every page that uses it. */
const secretOnly: ReadonlySet<string> = new Set(["lookup.batch", "search.address"])
