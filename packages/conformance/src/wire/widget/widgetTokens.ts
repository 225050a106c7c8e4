/** Widget tokens: accepted only if valid, signed by the service, of an active key, and at the origin of the session. */

import { Unavailable } from "@postcode/gateway/Errors"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { SessionTokens } from "@postcode/gateway/widget/sessions/SessionTokens"
import { Effect, Redacted } from "effect"
import { decodeJwt } from "jose"
import { describe, expect, it } from "vitest"
import { forgedTokens, signedBy, signingKeys } from "../../devices/index.ts"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { TestKey } from "../../world/Operator.ts"
import { operatorToken } from "../../world/OperatorToken.ts"
import { json, type Message, type TestClient } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { expectFailure, outcomeOf } from "../Received.ts"

export const widgetTokens = (world: World): void => {
  describe("the token of a widget session", () => {
    inForce(world)
    missing(world)
    forged(world)
    hidden(world)
    ended(world)
    origins(world)
  })
}

const origin = "https://shop.example"

/** The calls that need a widget session. */
const calls: ReadonlyArray<Message> = [
  { method: "GET", target: "/v1/widget/bookmarks" },
  { method: "POST", target: "/v1/widget/selected", ...json({ postcode: postcodes.full }) }
]

const outcomes = async (
  client: TestClient,
  token: string,
  headers: Message["headers"] = {}
): Promise<ReadonlyArray<string>> => {
  const all: Array<string> = []
  for (const call of calls) {
    all.push(outcomeOf(await client.send({ ...call, token, headers: { ...call.headers, ...headers } })))
  }
  return all
}

const taken = ["200", "200"]
const refused = ["401 invalid_token", "401 invalid_token"]

const publishable = (world: World): Promise<TestKey> => world.operator.key({ kind: "publishable", origins: [origin] })

/** A widget session of a key, as the service would sign it. */
const sessionOf = (key: TestKey) =>
  ({
    key_id: key.id,
    organization_id: key.organization_id,
    environment: "test",
    identifier_hashes: ["1:someone"],
    origin: undefined
  }) as const

const now_s = (): number => Math.floor(Date.now() / 1000)

const inForce = (world: World): void => {
  it("can be used any number of times", async () => {
    const token = await world.operator.session(await publishable(world))
    for (let i = 0; i < 3; i++) expect(await outcomes(world.client, token)).toEqual(taken)
  })

  it("is valid under a previous signing key, so that changing keys ends no session", async () => {
    const session = sessionOf(await publishable(world))
    for (const key of signingKeys) {
      expect(await outcomes(world.client, await signedBy(key, session, { now_s: now_s() }))).toEqual(taken)
    }
  })

  it("counts under the address, and is not charged", async () => {
    const key = await publishable(world)
    const token = await world.operator.session(key)
    world.client.newVisitor()
    const received = await world.client.get("/v1/widget/bookmarks", { token })
    expect(received.headers).toMatchObject({ "x-ratelimit-limit": "600", "x-ratelimit-remaining": "599" })
    expect(received.headers).not.toHaveProperty("x-credits-charged")
    expect((await world.operator.statement(key.organization_id, "test")).balance).toBe(999)
  })

  it("authorizes no other endpoint", async () => {
    const token = await world.operator.session(await publishable(world))
    expectFailure(await world.client.get("/v1/reference/states", { token }), "401 auth_required")
    expectFailure(await world.client.get("/v1/admin/audit", { token }), "401 invalid_token")
  })
}

const missing = (world: World): void => {
  it.each(["Basic YWRhOm9iaQ==", "Bearer", "Bearer ", "", "Token abc"])(
    "that is missing is 401 auth_required: %s",
    async (authorization) => {
      for (const call of calls) {
        const received = await world.client.send({ ...call, headers: { ...call.headers, authorization } })
        expectFailure(received, "401 auth_required", "Authorization: Bearer")
      }
    }
  )

  it("a key does not replace it", async () => {
    const key = await publishable(world)
    for (const call of calls) {
      expectFailure(await world.client.send({ ...call, key: key.secret }), "401 auth_required")
    }
  })

  it("a key that is sent with it is checked as everywhere", async () => {
    const token = await world.operator.session(await publishable(world))
    for (const call of calls) {
      expectFailure(await world.client.send({ ...call, token, key: "bad" }), "401 invalid_api_key")
    }
  })
}

const forged = (world: World): void => {
  it("that is forged in any way is 401 invalid_token with the same message, before any other check", async () => {
    const session = sessionOf(await publishable(world))
    const tokens: Readonly<Record<string, string>> = {
      ...(await forgedTokens(session, now_s())),
      "the operator's": operatorToken,
      "two tokens": "a.b.c a.b.c"
    }
    const texts = new Set<string>()
    for (const [what, token] of Object.entries(tokens)) {
      world.client.newVisitor()
      expect(await outcomes(world.client, token), what).toEqual(refused)
      const broken = { ...json(undefined), method: "POST", target: "/v1/widget/selected", body: "{", token }
      const received = await world.client.send(broken)
      expectFailure(received, "401 invalid_token")
      texts.add(received.text)
    }
    expect(texts.size).toBe(1)
  })

  it("that the service signed for a key of another organization or environment, or for none, is 401 invalid_token", async () => {
    const session = sessionOf(await publishable(world))
    const others = [
      { ...session, key_id: "key_00000000000000000000" },
      { ...session, key_id: "' OR true --" },
      { ...session, organization_id: (await publishable(world)).organization_id },
      { ...session, environment: "live" as const }
    ]
    for (const other of others) {
      expect(await outcomes(world.client, await signedBy(signingKeys[0], other, { now_s: now_s() }))).toEqual(refused)
    }
  })
}

const hidden = (world: World): void => {
  it("has the same length for a NIN and an email, known and unknown, and differs each time", async () => {
    const key = await publishable(world)
    const known = ["12345678901", "known@example.ng"]
    for (const identifier of known) {
      await world.operator.call("PUT", "/v1/admin/end-users", { identifiers: [identifier], bookmarks: [] })
    }
    const identifiers = [...known, "10987654321", "a@b.ng", "somebody.with.a.long.name@a-long-host.example.ng"]
    const tokens: Array<string> = []
    for (const identifier of [...identifiers, ...identifiers]) {
      tokens.push(await world.operator.session(key, identifier))
    }
    expect(new Set(tokens.map(({ length }) => length)).size).toBe(1)
    expect(new Set(tokens.map((token) => decodeJwt(token).sub)).size).toBe(tokens.length)
  })

  it("has three parts and readable times, and reveals nothing about its end user and organization", async () => {
    const key = await publishable(world)
    const token = await world.operator.session(key, "ada@example.ng")
    const { exp = 0, iat = 0, sub = "", ...claims } = decodeJwt(token)
    expect(token.split(".")).toHaveLength(3)
    expect(exp - iat).toBe(900)
    expect(claims).toEqual({ iss: "postcode-gateway", aud: "postcode-widget", key_id: key.id, environment: "test" })
    const hashes = await world.run(
      Effect.map(Secrets, ({ identifierHashes }) => identifierHashes(Redacted.make("ada@example.ng")))
    )
    const written = `${Buffer.from(token.split(".")[1] as string, "base64url")} ${Buffer.from(sub, "base64url")}`
    for (const text of [key.organization_id, ...hashes]) expect(written).not.toContain(text)
  })
}

const ended = (world: World): void => {
  it("that has expired is 401 invalid_token", async () => {
    const session = sessionOf(await publishable(world))
    const signed = (age_s: number) => signedBy(signingKeys[0], session, { now_s: now_s() - age_s })
    expect(await outcomes(world.client, await signed(880))).toEqual(taken)
    expect(await outcomes(world.client, await signed(901))).toEqual(refused)
  })

  it("ends at once when its key is revoked; sessions of other keys stay valid", async () => {
    const key = await publishable(world)
    const sibling = await world.operator.key({ kind: "publishable", organization_id: key.organization_id })
    const tokens = [await world.operator.session(key), await world.operator.session(key, "other@example.ng")]
    const other = await world.operator.session(sibling)
    for (const token of tokens) expect(await outcomes(world.client, token)).toEqual(taken)
    await world.operator.revoke(key)
    for (const token of tokens) expect(await outcomes(world.client, token)).toEqual(refused)
    expect(await outcomes(world.client, other)).toEqual(taken)
  })

  it("is 503 while its key cannot be checked", async () => {
    const token = await world.operator.session(await publishable(world))
    const unavailable = Effect.fail(new Unavailable({ retry_after_s: 1 }))
    const { client } = await world.serveAnother({}, (effect) =>
      Effect.flatMap(ApiKeys, (keys) =>
        Effect.provideService(effect, ApiKeys, { ...keys, findById: () => unavailable, findByHash: () => unavailable })
      )
    )
    expect(await outcomes(client, token)).toEqual(["503 service_unavailable", "503 service_unavailable"])
    const key = await publishable(world)
    const started = await client.post("/v1/widget/session", { identifier: "a@example.ng" }, { key: key.secret })
    expectFailure(started, "503 service_unavailable")
  })
}

const origins = (world: World): void => {
  it("of a page is accepted from the origin of that page, and without a browser", async () => {
    const token = await world.operator.session(await publishable(world), "a@example.ng", origin)
    expect(await outcomes(world.client, token, { origin })).toEqual(taken)
    expect(await outcomes(world.client, token)).toEqual(taken)
  })

  it.each(["https://other.example", "http://shop.example", "https://shop.example:8443", "null", ""])(
    "of a page is 401 invalid_token from another origin: %s",
    async (other) => {
      const key = await world.operator.key({ kind: "publishable", origins: [origin, "https://other.example"] })
      const token = await world.operator.session(key, "a@example.ng", origin)
      expect(await outcomes(world.client, token, { origin: other })).toEqual(refused)
    }
  )

  it("that was issued without a browser is 401 invalid_token in any browser", async () => {
    const token = await world.operator.session(await publishable(world))
    expect(await outcomes(world.client, token, { origin })).toEqual(refused)
  })

  it("that the service signed for another origin is 401 invalid_token", async () => {
    const session = sessionOf(await publishable(world))
    const token = await world.run(
      Effect.flatMap(SessionTokens, ({ sign }) => sign({ ...session, origin: "https://other.example" }))
    )
    expect(await outcomes(world.client, Redacted.value(token), { origin })).toEqual(refused)
  })
}
