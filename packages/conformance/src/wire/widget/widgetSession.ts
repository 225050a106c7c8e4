/** Widget sessions: keys, privacy of the answer, price and limits. */

import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { Unavailable } from "@postcode/gateway/Errors"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { KeyScene, TestKey } from "../../world/Operator.ts"
import type { Options, TestClient } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { canary, canaryNin } from "../Conventions.ts"
import { dataOf, errorOf, expectFailure, outcomeOf, type Received } from "../Received.ts"

export const widgetSession = (world: World): void => {
  describe("POST /v1/widget/session", () => {
    permittedKeys(world)
    identifiers(world)
    privacyOfUsers(world)
    costs(world)
    visitors(world)
    limits(world)
    audit(world)
  })
}

const path = "/v1/widget/session"
const origin = "https://shop.example"
const person = "ada.obi@example.ng"

interface Session {
  readonly token: string
  readonly expires_in: number
}

const start = (client: TestClient, key: TestKey, identifier = person, options: Options = {}): Promise<Received> =>
  client.post(path, { identifier }, { key: key.secret, ...options })

const publishable = (world: World, scene: KeyScene = {}): Promise<TestKey> =>
  world.operator.key({ kind: "publishable", origins: [origin], ...scene })

const permittedKeys = (world: World): void => {
  it("a publishable key starts a session of 900 seconds, from its origin or without a browser", async () => {
    const key = await publishable(world, { scopes: ["search"], max_level: 1 })
    for (const headers of [{ origin }, {}]) {
      const { expires_in, token } = dataOf<Session>(await start(world.client, key, person, { headers }))
      expect(expires_in).toBe(900)
      expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{43}$/)
    }
  })

  it("the response has the operator's style for maps, and without one no such field", async () => {
    const key = await publishable(world)
    const without = dataOf<object>(await start(world.client, key, person, { headers: { origin } }))
    expect(Object.keys(without)).toEqual(["token", "expires_in"])
    const mapStyle = "https://tiles.example/{scheme}.json"
    const { client } = await world.serveAnother({ mapStyle })
    const received = await start(client, key, person, { headers: { origin } })
    expect(dataOf<object>(received)).toMatchObject({ map_style: mapStyle })
  })

  it.each(["test", "live"] as const)(
    "a secret %s key is 403 key_type_not_allowed, and is not charged",
    async (environment) => {
      const key = await world.operator.keyWithCredits(5, { environment })
      expectFailure(await start(world.client, key), "403 key_type_not_allowed", "svc_pk_")
      expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(5)
    }
  )

  it("a missing key is 401 auth_required, an invalid or revoked one 401 invalid_api_key", async () => {
    const key = await publishable(world)
    expectFailure(await world.client.post(path, { identifier: person }), "401 auth_required", "publishable")
    await world.operator.revoke(key)
    expectFailure(await start(world.client, key), "401 invalid_api_key")
  })

  it.each(["https://other.example", "http://shop.example", "null", ""])(
    "a page of another origin is 403 origin_not_allowed: %s",
    async (other) => {
      const received = await start(world.client, await publishable(world), person, { headers: { origin: other } })
      expectFailure(received, "403 origin_not_allowed")
    }
  )

  it("a malformed identifier is checked before the kind of the key, and that before limits and credits", async () => {
    const secret = await world.operator.keyWithCredits(0)
    expectFailure(await start(world.client, secret, "nobody"), "400 invalid_parameter", "identifier")
    const { client } = await world.serveAnother({ sessionRateLimit_per_minute: 1 })
    const poor = await world.operator.keyWithCredits(0, { kind: "publishable" })
    expectFailure(await start(client, poor), "402 insufficient_credits")
    expectFailure(await start(client, secret), "403 key_type_not_allowed")
    expectFailure(await start(client, poor), "429 rate_limit_exceeded")
  })
}

const identifiers = (world: World): void => {
  it.each(["12345678901", " 12345678901 ", "ada@example.ng", "ADA@EXAMPLE.NG", "ad\u00e9@example.ng"])(
    "an 11-digit NIN or an email address is accepted: %s",
    async (identifier) => {
      expect(outcomeOf(await start(world.client, await publishable(world), identifier))).toBe("200")
    }
  )

  const malformed = ["", "1234567890", "123456789012", "+2348012345678", "ada", "ada@example", `${canary} @example.ng`]
  it.each([...malformed, `${canaryNin}0`, "x".repeat(60_000)])(
    "any other identifier is 400, and is not repeated: %.20s",
    async (identifier) => {
      const key = await world.operator.keyWithCredits(5, { kind: "publishable" })
      const received = await start(world.client, key, identifier)
      expectFailure(received, "400 invalid_parameter", "identifier: expected an 11-digit NIN or an email address")
      if (identifier.length > 5) expect(received.text).not.toContain(identifier)
      expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(5)
    }
  )

  it.each([[12345678901], [null], [["12345678901"]]])(
    "an identifier that is not a text is 400: %j",
    async (identifier) => {
      const key = await publishable(world)
      const received = await world.client.post(path, { identifier }, { key: key.secret })
      expectFailure(received, "400 invalid_parameter", "identifier")
    }
  )

  it.each([
    ["nin", "12345678901", "200"],
    ["email", "Ada@example.ng", "200"],
    ["nin", "ada@example.ng", "400 invalid_parameter"],
    ["email", "12345678901", "400 invalid_parameter"],
    ["nin", undefined, "400 invalid_parameter"],
    ["phone", "12345678901", "400 invalid_parameter"],
    ["NIN", "12345678901", "400 invalid_parameter"],
    ["", "12345678901", "400 invalid_parameter"],
    [null, "12345678901", "400 invalid_parameter"]
  ] as const)("identifier_type %j beside the identifier %j is %s", async (identifier_type, identifier, outcome) => {
    const key = await world.operator.keyWithCredits(5, { kind: "publishable" })
    const received = await world.client.post(path, { identifier_type, identifier }, { key: key.secret })
    if (outcome === "200") expect(outcomeOf(received)).toBe("200")
    else expectFailure(received, outcome, "identifier_type: ")
    if (identifier !== undefined) expect(received.text).not.toContain(identifier)
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(outcome === "200" ? 4 : 5)
  })

  it("without an identifier a session starts as well, and it has no bookmarks", async () => {
    const key = await world.operator.keyWithCredits(5, { kind: "publishable" })
    const received = await world.client.post(path, {}, { key: key.secret })
    const { token } = dataOf<Session>(received)
    expect(token.length).toBe(dataOf<Session>(await start(world.client, key)).token.length)
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(3)
    expect(dataOf(await world.client.get("/v1/widget/bookmarks", { token }))).toEqual({ bookmarks: [] })
    expect(outcomeOf(await world.client.post("/v1/widget/selected", { postcode: postcodes.full }, { token }))).toBe(
      "200"
    )
  })

  it("the answer and its decoded token contain no identifier, in any spelling", async () => {
    const key = await publishable(world)
    for (const identifier of [canaryNin, `${canary}@example.ng`]) {
      const received = await start(world.client, key, identifier)
      const [header = "", payload = ""] = dataOf<Session>(received).token.split(".")
      const decoded = `${Buffer.from(header, "base64url")} ${Buffer.from(payload, "base64url")}`.toLowerCase()
      for (const raw of [identifier, key.secret]) {
        for (const form of [raw, encodeURIComponent(raw), Buffer.from(raw).toString("base64")]) {
          expect(decoded).not.toContain(form.toLowerCase())
        }
      }
    }
  })
}

const privacyOfUsers = (world: World): void => {
  it("a known and an unknown identifier get the same answer, except for the token", async () => {
    const known = "known@example.ng"
    await world.operator.call("PUT", "/v1/admin/end-users", {
      identifiers: [known, "55566677788"],
      bookmarks: [{ postcode: postcodes.full, label: "Home" }]
    })
    const shapes: Array<unknown> = []
    for (const identifier of [known, "nobody@example.ng", "55566677788", "99988877766"]) {
      const key = await publishable(world)
      world.client.newVisitor()
      const received = await start(world.client, key, identifier, { headers: { "x-request-id": "the-same" } })
      const { expires_in, token } = dataOf<Session>(received)
      const { date: _, ...headers } = received.headers
      shapes.push({
        status: received.status,
        headers,
        headerNames: received.headerNames,
        body: received.text.replace(token, ""),
        expires_in,
        lengths: token.split(".").map((part) => part.length)
      })
    }
    for (const shape of shapes) expect(shape).toEqual(shapes[0])
  })
}

const costs = (world: World): void => {
  it("a session costs one credit in the key's environment, and the ledger has its reason", async () => {
    const key = await world.operator.keyWithCredits(3, { kind: "publishable" })
    await start(world.client, key, person, { headers: { "x-request-id": "session-1" } })
    const { balance, entries } = await world.operator.statement(key.organization_id, "live")
    expect(balance).toBe(2)
    expect(entries[0]).toMatchObject({ amount: -1, reason: "widget_session", reference: "session-1", balance_after: 2 })
  })

  it("without credits it is 402, and nothing is returned or charged", async () => {
    const key = await world.operator.keyWithCredits(1, { kind: "publishable" })
    expect(outcomeOf(await start(world.client, key))).toBe("200")
    const received = await start(world.client, key)
    expectFailure(received, "402 insufficient_credits")
    expect(received.text).not.toContain("token")
    expect((await world.operator.statement(key.organization_id, "live")).entries).toHaveLength(2)
  })

  it("a repetition with an Idempotency-Key is not charged again; with another identifier it is 422", async () => {
    const key = await world.operator.keyWithCredits(5, { kind: "publishable" })
    const headers = { "idempotency-key": "retry-1" }
    for (const identifier of [person, person, person.toUpperCase()]) {
      expect(outcomeOf(await start(world.client, key, identifier, { headers }))).toBe("200")
    }
    expectFailure(await start(world.client, key, "other@example.ng", { headers }), "422 idempotency_key_reused")
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(4)
  })

  it("is counted in the usage of its organization", async () => {
    const key = await publishable(world)
    await start(world.client, key)
    await expect
      .poll(async () => {
        const target = `/v1/admin/organizations/${key.organization_id}/usage?environment=test`
        return dataOf<{ readonly usage: unknown }>(await world.operator.call("GET", target)).usage
      })
      .toEqual([expect.objectContaining({ operation: "widget.session", requests: 1, credits: 1 })])
  })

  it("the charge is the last step that can fail", async () => {
    const key = await world.operator.keyWithCredits(5, { kind: "publishable" })
    const done: Array<string> = []
    const { client } = await world.serveAnother({}, (effect) =>
      Effect.gen(function* () {
        const ledger = yield* CreditLedger
        const log = yield* AuditLog
        return yield* effect.pipe(
          Effect.provideService(CreditLedger, {
            ...ledger,
            charge: (charge) => Effect.tap(ledger.charge(charge), () => Effect.sync(() => done.push("charge")))
          }),
          Effect.provideService(AuditLog, {
            ...log,
            append: (event) => Effect.tap(log.append(event), () => Effect.sync(() => done.push("audit")))
          })
        )
      })
    )
    expect(outcomeOf(await start(client, key))).toBe("200")
    expect(done).toEqual(["audit", "charge"])
  })

  it("a session that cannot be audited is 503, and costs nothing", async () => {
    const key = await world.operator.keyWithCredits(5, { kind: "publishable" })
    const { client } = await world.serveAnother({}, (effect) =>
      Effect.flatMap(AuditLog, (log) =>
        Effect.provideService(effect, AuditLog, {
          ...log,
          append: () => Effect.fail(new Unavailable({ retry_after_s: 1 }))
        })
      )
    )
    expectFailure(await start(client, key), "503 service_unavailable")
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(5)
  })
}

/** Visitors of a shop use its publishable key. They must not see its balance and charges. */
const visitors = (world: World): void => {
  describe("callers with a publishable key", () => addVisitorTests(world))
}

const addVisitorTests = (world: World): void => {
  const creditsIn = ({ headers }: Received) => Object.keys(headers).filter((name) => name.startsWith("x-credits"))
  const look = (key: TestKey, level: number) =>
    world.client.get(`/v1/lookup?code=${postcodes.full}&level=${level}`, { key: key.secret })

  it("see neither the price of a widget session or a lookup nor the balance", async () => {
    const key = await world.operator.keyWithCredits(41, { kind: "publishable" })
    for (const received of [await start(world.client, key), await look(key, 2), await look(key, 5)]) {
      expect(outcomeOf(received)).toBe("200")
      expect(creditsIn(received)).toEqual([])
    }
    const token = dataOf<Session>(await start(world.client, key)).token
    const bookmarks = await world.client.get("/v1/widget/bookmarks", { token })
    expect([outcomeOf(bookmarks), ...creditsIn(bookmarks)]).toEqual(["200"])
    expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(37)
  })

  it("get a 402 without any number", async () => {
    const key = await world.operator.keyWithCredits(0, { kind: "publishable" })
    for (const received of [await start(world.client, key), await look(key, 2)]) {
      expectFailure(received, "402 insufficient_credits", "nothing was charged")
      expect(errorOf(received).message).not.toMatch(/\d|balance/)
      expect(creditsIn(received)).toEqual([])
    }
  })

  it("get the 429 of a daily limit with the time until the next day, and neither limit nor balance", async () => {
    const key = await world.operator.keyWithCredits(41, { kind: "publishable", daily_credit_limit: 1 })
    expect(outcomeOf(await start(world.client, key))).toBe("200")
    for (const received of [await start(world.client, key), await look(key, 2)]) {
      expectFailure(received, "429 rate_limit_exceeded", "00:00 UTC")
      const wait_s = received.headers["retry-after"] ?? ""
      expect(errorOf(received).message.replace("00:00 UTC", "").replace(`${wait_s} s`, "")).not.toMatch(/\d/)
      expect(creditsIn(received)).toEqual([])
    }
  })

  it("see no credits in any other refusal", async () => {
    const key = await world.operator.keyWithCredits(41, { kind: "publishable", max_level: 2, origins: [origin] })
    const elsewhere = { headers: { origin: "https://other.example" } }
    const batch = world.client.post("/v1/lookup/batch", { codes: [postcodes.full] }, { key: key.secret })
    const refused = [await start(world.client, key, person, elsewhere), await look(key, 3), await batch]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(refused.flatMap(creditsIn)).toEqual([])
  })
}

const limits = (world: World): void => {
  const identifierOf = (i: number) => `person${i}@example.ng`
  const expectLimited = (received: Received) => {
    expectFailure(received, "429 rate_limit_exceeded")
    expect(Number(received.headers["retry-after"])).toBeGreaterThanOrEqual(1)
    expect(Number(received.headers["retry-after"])).toBeLessThanOrEqual(60)
  }

  it("an address may start 30 a minute with any keys, then it is 429, which is not charged", async () => {
    const keys = [await publishable(world), await publishable(world)] as const
    world.client.newVisitor()
    const statuses: Array<number> = []
    for (let i = 0; i < 30; i++) {
      statuses.push((await start(world.client, keys[i % 2 === 0 ? 0 : 1], identifierOf(i))).status)
    }
    expect(statuses).toEqual(Array(30).fill(200))
    const limited = await start(world.client, keys[0], identifierOf(30))
    expectLimited(limited)
    expect(limited.headers).not.toHaveProperty("x-credits-charged")
    expect((await world.operator.statement(keys[0].organization_id, "test")).balance).toBe(1_000 - 15)
    world.client.newVisitor()
    expect((await start(world.client, keys[0], identifierOf(31))).status).toBe(200)
  })

  it("searches of an address do not count for its sessions; a session also counts as a request of the address", async () => {
    const { client } = await world.serveAnother({ sessionRateLimit_per_minute: 1 })
    const key = await publishable(world)
    for (let i = 0; i < 3; i++) await client.get("/v1/search/autocomplete?q=LA")
    expect((await start(client, key)).status).toBe(200)
    expectLimited(await start(client, key))
    const searched = await client.get("/v1/search/autocomplete?q=LA")
    expect(searched.headers["x-ratelimit-remaining"]).toBe("594")
  })

  it("the limit of addresses is configurable", async () => {
    const { client } = await world.serveAnother({ sessionRateLimit_per_minute: 2 })
    const key = await publishable(world)
    for (const status of [200, 200, 429]) expect((await start(client, key)).status).toBe(status)
  })

  it("an address has 600 requests a minute, and the key has its own limit for all addresses, shown in the headers", async () => {
    const plain = await start(world.client, await publishable(world))
    expect(plain.headers).toMatchObject({ "x-ratelimit-limit": "600", "x-ratelimit-remaining": "599" })
    const key = await publishable(world, { rate_limit_per_minute: 1 })
    expect((await start(world.client, key)).status).toBe(200)
    world.client.newVisitor()
    expectLimited(await start(world.client, key))
  })

  it("an organization may start 10 a minute for one identifier, known or not, from any address; others are not limited", async () => {
    const key = await publishable(world)
    const sibling = await publishable(world, { organization_id: key.organization_id })
    const stranger = await publishable(world)
    const from = (which: TestKey, identifier: string) => {
      world.client.newVisitor()
      return start(world.client, which, identifier)
    }
    for (let i = 0; i < 10; i++) expect((await from(i % 2 === 0 ? key : sibling, person)).status).toBe(200)
    for (const which of [key, sibling]) expectLimited(await from(which, ` ${person.toUpperCase()}`))
    expect((await from(key, identifierOf(1))).status).toBe(200)
    expect((await from(stranger, person)).status).toBe(200)
  })
}

const audit = (world: World): void => {
  it("a session is audited with the hashed identifier, its key and its origin, and without the identifier", async () => {
    const key = await publishable(world)
    await start(world.client, key, canaryNin, { headers: { origin } })
    await start(world.client, key, ` ${canaryNin}`)
    const target = `/v1/admin/audit?organization_id=${key.organization_id}&action=widget_session.requested`
    const received = await world.operator.call("GET", target)
    const { events } = dataOf<{ readonly events: ReadonlyArray<{ readonly subject: string }> }>(received)
    const expected = {
      actor: key.id,
      subject: expect.stringMatching(/^1:[0-9a-f]{64}$/),
      details: { environment: "test" }
    }
    expect(events).toMatchObject([expected, { ...expected, details: { environment: "test", origin } }])
    expect(events[0]?.subject).toBe(events[1]?.subject)
  })
}
