/** The management API: its credentials, and the rules that all its calls share. */
import { describe, expect, it } from "vitest"
import { operatorToken } from "../../world/OperatorToken.ts"
import type { World } from "../../world/World.ts"
import { endpoints } from "../Contract.ts"
import { expectFailure, outcomeOf } from "../Received.ts"
import { makeScene, type Scene, sampleMessage, samples } from "../Samples.ts"

const calls = endpoints.filter(({ access }) => access === "manager")

export const management = (world: World): void => {
  describe("the management API", () => {
    for (const { operation } of calls) {
      it(`${operation} without the operator token or a session is 401 auth_required`, async () => {
        const { token: _, ...sample } = sampleMessage(operation, await makeScene(world.operator, operation))
        const { cookie, ...headers } = sample.headers ?? {}
        const message = { ...sample, headers }
        expectFailure(await world.client.send(message), "401 auth_required", "Authorization: Bearer")
      })

      it(`${operation} with another token is 401 invalid_token`, async () => {
        const message = sampleMessage(operation, await makeScene(world.operator, operation))
        for (const token of ["wrong-token-wrong-token", `${operatorToken}x`, operatorToken.toUpperCase()]) {
          expectFailure(await world.client.send({ ...message, token }), "401 invalid_token")
        }
      })

      const { id } = samples[operation]
      if (id !== undefined) {
        it(`${operation} of an id that does not exist is 404`, async () => {
          const scene = await makeScene(world.operator, operation)
          for (const unknown of ["org_00000000000000000000", "key_00000000000000000000", "x", scene.secret]) {
            const message = sampleMessage(operation, { ...scene, [id]: unknown } as Scene)
            expectFailure(await world.client.send(message), "404 not_found")
          }
        })
      }
    }

    it("an API key is not an operator token", async () => {
      const { secret } = await world.operator.key()
      expectFailure(await world.client.get("/v1/admin/audit", { token: secret }), "401 invalid_token")
      expectFailure(await world.client.get("/v1/admin/audit", { key: secret }), "401 auth_required")
    })

    it("a key that is sent with the token is checked as everywhere", async () => {
      const { secret } = await world.operator.key()
      const received = await world.client.get("/v1/admin/audit", { token: operatorToken, key: secret })
      expect(outcomeOf(received)).toBe("200")
      const refused = await world.client.get("/v1/admin/audit", { token: operatorToken, key: "bad" })
      expectFailure(refused, "401 invalid_api_key")
    })

    const schemes = [
      "Basic b3BlcmF0b3I6",
      `Token ${operatorToken}`,
      operatorToken,
      "Bearer",
      "Bearer ",
      `Bearer a b`,
      ""
    ]
    it.each(schemes)("an Authorization header without a bearer token counts as missing: %s", async (authorization) => {
      const received = await world.client.get("/v1/admin/audit", { headers: { authorization } })
      expectFailure(received, "401 auth_required")
    })

    it("the scheme is case-insensitive", async () => {
      for (const scheme of ["bearer", "BEARER", "Bearer  "]) {
        const headers = { authorization: `${scheme} ${operatorToken}` }
        expect((await world.client.get("/v1/admin/audit", { headers })).status).toBe(200)
      }
    })
  })
}
