/** Address search in a widget session: at the level of its key, paid by the session, 60 times. */
import { searchAddress } from "@postcode/core/AddressSearch"
import { SessionUses } from "@postcode/gateway/widget/sessions/SessionUses"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { KeyScene, TestKey } from "../../world/Operator.ts"
import { type TestClient, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, outcomeOf, type Received } from "../Received.ts"
import { type Found, secretTexts, withoutAddresses } from "../search/address.ts"

const path = "/v1/widget/address"
const unitText = "7 Allen Avenue, Opagbe, Ikeja"

const ask = (client: TestClient, token: string, q = unitText): Promise<Received> =>
  client.get(url(path, { q }), { token })

/** Sessions with and without an identifier, of one new key. */
const sessions = async (world: World, scene: KeyScene) => {
  const key = await world.operator.key({ kind: "publishable", ...scene })
  return { key, tokens: [await world.operator.session(key), await strangerSession(world, key)] }
}

const strangerSession = async (world: World, key: TestKey): Promise<string> =>
  dataOf<{ readonly token: string }>(await world.client.post("/v1/widget/session", {}, { key: key.secret })).token

export const widgetAddress = (world: World): void => {
  describe(`GET ${path}`, () => {
    it("a session of a key that is served level 2 gets all depths, with and without an identifier, and no charge", async () => {
      const { key, tokens } = await sessions(world, { max_level: 2, scopes: ["search"] })
      for (const token of tokens) {
        const received = await ask(world.client, token)
        expect(dataOf<Found>(received)).toMatchObject({ code: postcodes.full, precision: "unit" })
        expect(received.headers["cache-control"]).toBe("no-store")
        expect(received.headers).not.toHaveProperty("x-credits-charged")
      }
      const { entries } = await world.operator.statement(key.organization_id, "test")
      expect(entries.map(({ reason }) => reason)).toEqual(["widget_session", "widget_session", "opening"])
    })

    it.each([
      ["a key of level 1", { max_level: 1 }],
      ["a grant of 1", { granted_level: 1, max_level: 1 }],
      ["a key without the scope search", { scopes: ["lookup"] }]
    ] as ReadonlyArray<readonly [string, KeyScene]>)(
      "a session of %s gets answers from states and LGAs alone, in content and length",
      async (_, scene) => {
        const { tokens } = await sessions(world, scene)
        const places = withoutAddresses(world)
        for (const token of tokens) {
          for (const pair of secretTexts) {
            const lengths: Array<string | undefined> = []
            for (const q of pair) {
              const received = await ask(world.client, token, q)
              expect(dataOf<Found>(received), q).toEqual(searchAddress(places, q, { finest: "lga" }))
              lengths.push(received.headers["content-length"])
            }
            expect(lengths[0]).toBe(lengths[1])
          }
        }
      }
    )

    it("follows a grant that is lowered during the session", async () => {
      const { key, tokens } = await sessions(world, {})
      await world.operator.change(key.organization_id, { granted_level: 1 })
      for (const token of tokens) expect(dataOf<Found>(await ask(world.client, token)).precision).not.toBe("unit")
    })

    it("a session has 60 queries, over all replicas; then it is 429, and another session goes on", async () => {
      const { key, tokens } = await sessions(world, {})
      const [token = "", other = ""] = tokens
      const replica = await world.serveAnother()
      for (let i = 0; i < 60; i++) {
        const { client } = i % 2 === 0 ? world : replica
        expect(outcomeOf(await ask(client, token, "Ikeja"))).toBe("200")
      }
      for (const { client } of [world, replica]) {
        const received = await ask(client, token)
        expectFailure(received, "429 rate_limit_exceeded", "60 address queries", "start another session")
        expect(received.headers["retry-after"]).toBe("900")
      }
      expect(outcomeOf(await ask(world.client, other))).toBe("200")
      expect((await world.operator.statement(key.organization_id, "test")).entries).toHaveLength(3)
    })

    it("a malformed query is 400, and is not counted", async () => {
      const taken: Array<string> = []
      const uses = {
        take: ({ id }: { readonly id: string }) => Effect.sync(() => taken.push(id) > 0)
      }
      const { client } = await world.serveAnother({}, (effect) => Effect.provideService(effect, SessionUses, uses))
      const { tokens } = await sessions(world, {})
      const [token = ""] = tokens
      for (const q of ["", "x".repeat(201)]) expectFailure(await ask(client, token, q), "400 invalid_parameter", "q: ")
      expect(taken).toEqual([])
      await ask(client, token)
      expect(taken).toHaveLength(1)
      expect(token).not.toContain(taken[0])
    })

    it("without a token, or after its key was revoked, it is 401; unverified, 403 kyb_required", async () => {
      expectFailure(await world.client.get(url(path, { q: "Ikeja" })), "401 auth_required")
      const revoked = await sessions(world, {})
      await world.operator.revoke(revoked.key)
      expectFailure(await ask(world.client, revoked.tokens[0] ?? ""), "401 invalid_token")
      const key = await world.operator.keyWithCredits(5, { kind: "publishable" })
      const token = await strangerSession(world, key)
      await world.operator.change(key.organization_id, { kyb_status: "rejected", review_note: "for a test" })
      expectFailure(await ask(world.client, token), "403 kyb_required")
    })
  })
}
