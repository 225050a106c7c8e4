/** Rate limits of keys, organizations and addresses, also behind proxies. */
import { composeKey, randomLength } from "@postcode/gateway/keys/ApiKey"
import { Clock, Effect, Logger } from "effect"
import { describe, expect, it } from "vitest"
import type { TestKey } from "../../world/Operator.ts"
import { operatorToken } from "../../world/OperatorToken.ts"
import type { World } from "../../world/World.ts"
import { expectFailure, type Received } from "../Received.ts"

const target = "/v1/search/autocomplete?q=LA"
const badKey = composeKey("secret", "test", "y".repeat(randomLength))

export const rateLimits = (world: World): void => {
  describe("rate limits", () => {
    ofKeys(world)
    ofPublishableKeys(world)
    ofOrganizations(world)
    ofAddresses(world)
    behindProxies(world)
  })
}

const remaining = ({ headers }: Received): string =>
  `${headers["x-ratelimit-remaining"]}/${headers["x-ratelimit-limit"]}`

const expectLimited = (received: Received): void => {
  expectFailure(received, "429 rate_limit_exceeded")
  expect(received.headers["x-ratelimit-remaining"]).toBe("0")
  const retryAfter_s = Number(received.headers["retry-after"])
  expect(retryAfter_s).toBeGreaterThanOrEqual(1)
  expect(retryAfter_s).toBeLessThanOrEqual(60)
}

const ofKeys = (world: World): void => {
  it("a secret key has 600 requests a minute by default", async () => {
    const key = await world.operator.key()
    expect(remaining(await world.client.get(target, { key: key.secret }))).toBe("599/600")
  })

  it("a key's own limit overrides the default, counts down to 0, and then gives 429 with Retry-After", async () => {
    const key = await world.operator.key({ rate_limit_per_minute: 3 })
    const seen: Array<string> = []
    for (let i = 0; i < 3; i++) seen.push(remaining(await world.client.get(target, { key: key.secret })))
    expect(seen).toEqual(["2/3", "1/3", "0/3"])
    expectLimited(await world.client.get(target, { key: key.secret }))
  })

  it("a refused request is not counted: repeating it does not extend the wait", async () => {
    const { client } = await world.serveAnother({ keyRateLimit_per_minute: 2 })
    const { secret: key } = await world.operator.key()
    for (let i = 0; i < 2; i++) expect((await client.get(target, { key })).status).toBe(200)
    for (let i = 0; i < 5; i++) expectLimited(await client.get(target, { key }))
    expect(remaining(await world.client.get(target, { key }))).toBe("597/600")
  })

  it("keys count separately, also within one organization", async () => {
    const first = await world.operator.key({ rate_limit_per_minute: 1 })
    const second = await world.operator.key({ organization_id: first.organization_id, rate_limit_per_minute: 1 })
    await world.client.get(target, { key: first.secret })
    expectLimited(await world.client.get(target, { key: first.secret }))
    expect((await world.client.get(target, { key: second.secret })).status).toBe(200)
  })

  it("a secret key counts under the key from any address, and not under the address", async () => {
    const key = await world.operator.key({ rate_limit_per_minute: 2 })
    await world.client.get(target, { key: key.secret })
    expect(remaining(await world.client.get(target))).toBe("599/600")
    world.client.newVisitor()
    expect(remaining(await world.client.get(target, { key: key.secret }))).toBe("0/2")
  })

  it("of 100 requests at once under a limit of 30, exactly 30 pass", async () => {
    const key = await world.operator.key({ rate_limit_per_minute: 30 })
    const all = await Promise.all(Array.from({ length: 100 }, () => world.client.get(target, { key: key.secret })))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(30)
    for (const received of all.filter(({ status }) => status !== 200)) expectLimited(received)
  })

  it("the limit of keys is configurable, and a key's own limit still overrides it", async () => {
    const { client } = await world.serveAnother({ keyRateLimit_per_minute: 2 })
    const plain = await world.operator.key()
    const special = await world.operator.key({ rate_limit_per_minute: 9 })
    expect(remaining(await client.get(target, { key: plain.secret }))).toBe("1/2")
    expect(remaining(await client.get(target, { key: special.secret }))).toBe("8/9")
  })
}

const shop = "https://shop.example"
const fromShop = { headers: { origin: shop } }
const fromElsewhere = { headers: { origin: "https://other.example" } }

const ofPublishableKeys = (world: World): void => {
  const publishable = (rate_limit_per_minute?: number) =>
    world.operator.key({
      kind: "publishable",
      origins: [shop],
      ...(rate_limit_per_minute !== undefined && { rate_limit_per_minute })
    })

  const paths = [target, "/v1/nothing", "/v1/docs", "/v1/health/live", "/v1/admin/audit"]
  it.each(paths)("a foreign origin does not consume the quota of a publishable key: %s", async (path) => {
    const { secret: key } = await publishable(2)
    for (let i = 0; i < 5; i++) {
      expectFailure(await world.client.get(path, { key, ...fromElsewhere }), "403 origin_not_allowed")
    }
    world.client.newVisitor()
    expect(remaining(await world.client.get(target, { key, ...fromShop }))).toBe("1/2")
  })

  it.each(paths)("a refused origin counts under its address, like an invalid key: %s", async (path) => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 2 })
    const { secret: key } = await publishable()
    expect(remaining(await client.get(path, { key, ...fromElsewhere }))).toBe("1/2")
    expectFailure(await client.get(path, { key, ...fromElsewhere }), "403 origin_not_allowed")
    expectLimited(await client.get(path, { key, ...fromElsewhere }))
    expectLimited(await client.get(target))
  })

  it("requests with a publishable key and without a key share the window of their address", async () => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 3 })
    const { secret: key } = await publishable()
    expect(remaining(await client.get(target, { key, ...fromShop }))).toBe("2/3")
    expect(remaining(await client.get(target))).toBe("1/3")
    expect(remaining(await client.get(target, { key }))).toBe("0/3")
    expectLimited(await client.get(target, { key, ...fromShop }))
    client.newVisitor()
    expect(remaining(await client.get(target, { key, ...fromShop }))).toBe("2/3")
  })

  it("a request that the limit of its address refuses is not counted under the key", async () => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 1 })
    const { secret: key } = await publishable(3)
    for (let i = 0; i < 5; i++) await client.get(target, { key })
    expect(remaining(await world.client.get(target, { key }))).toBe("1/3")
  })

  it("the limit of the key bounds all addresses together: 6,000 requests a minute by default", async () => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 1_000_000 })
    const plain = await publishable()
    expect(remaining(await client.get(target, { key: plain.secret }))).toBe("5999/6000")
    const { secret: key } = await publishable(2)
    expect(remaining(await client.get(target, { key }))).toBe("1/2")
    client.newVisitor()
    expect(remaining(await client.get(target, { key }))).toBe("0/2")
    client.newVisitor()
    expectLimited(await client.get(target, { key }))
  })

  it("headers show the limit with fewer requests left, of address and key", async () => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 5 })
    const { secret: key } = await publishable(7)
    const seen: Array<string> = []
    const ask = async () => seen.push(remaining(await client.get(target, { key })))
    for (let i = 0; i < 3; i++) await ask()
    client.newVisitor()
    for (let i = 0; i < 2; i++) await ask()
    expect(seen).toEqual(["4/5", "3/5", "2/5", "3/7", "2/7"])
  })

  it("the limit of publishable keys is configurable, and the limit of secret keys does not change", async () => {
    const { client } = await world.serveAnother({ publishableKeyRateLimit_per_minute: 2 })
    const { organization_id, secret } = await publishable()
    const own = await world.operator.key({ organization_id })
    expect(remaining(await client.get(target, { key: secret }))).toBe("1/2")
    expect(remaining(await client.get(target, { key: own.secret }))).toBe("599/600")
  })

  it("preflights and health checks count neither under the address nor under the key", async () => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 2 })
    const { secret: key } = await publishable(2)
    const preflight = { method: "OPTIONS", target: "/v1/lookup", key, ...fromElsewhere }
    for (let i = 0; i < 3; i++) expect((await client.send(preflight)).status).toBe(204)
    for (let i = 0; i < 3; i++) expect(remaining(await client.get("/v1/health/live", { key }))).toBe("2/2")
    expect(remaining(await client.get(target, { key }))).toBe("1/2")
  })
}

const ofOrganizations = (world: World): void => {
  const limited = async (rate_limit_per_minute: number) => {
    const id = await world.operator.organization()
    await world.operator.change(id, { rate_limit_per_minute })
    return id
  }
  const ask = ({ secret }: TestKey, { client }: Pick<World, "client"> = world) => client.get(target, { key: secret })

  it("the limit of an organization bounds all its keys together: creating keys does not evade it", async () => {
    const organization_id = await limited(5)
    const keys = [await world.operator.key({ organization_id }), await world.operator.key({ organization_id })] as const
    const seen: Array<string> = []
    for (let i = 0; i < 5; i++) seen.push(remaining(await ask(keys[i % 2 === 0 ? 0 : 1])))
    expect(seen).toEqual(["4/5", "3/5", "2/5", "1/5", "0/5"])
    for (const key of keys) expectLimited(await ask(key))
    expectLimited(await ask(await world.operator.key({ organization_id, environment: "live" })))
    expect((await ask(await world.operator.key())).status).toBe(200)
  })

  it("of the limits of organization and key, the one with fewer requests left applies and shows in the headers", async () => {
    const organization_id = await limited(4)
    const own = await world.operator.key({ organization_id, rate_limit_per_minute: 3 })
    const other = await world.operator.key({ organization_id })
    expect(remaining(await ask(own))).toBe("2/3")
    expect(remaining(await ask(other))).toBe("2/4")
    expect(remaining(await ask(own))).toBe("1/3")
    expect(remaining(await ask(other))).toBe("0/4")
    expectLimited(await ask(own))
  })

  it("a request that the limit of its key refuses is not counted under the organization", async () => {
    const organization_id = await limited(4)
    const own = await world.operator.key({ organization_id, rate_limit_per_minute: 1 })
    expect((await ask(own)).status).toBe(200)
    for (let i = 0; i < 5; i++) expectLimited(await ask(own))
    expect(remaining(await ask(await world.operator.key({ organization_id })))).toBe("2/4")
  })

  it("publishable keys have a separate window, so that visitors do not consume the quota of the servers", async () => {
    const organization_id = await limited(3)
    const visited = await world.operator.key({ organization_id, kind: "publishable", origins: [shop] })
    const sibling = await world.operator.key({ organization_id, kind: "publishable", origins: [shop] })
    for (const left of ["2/3", "1/3", "0/3"]) expect(remaining(await ask(visited))).toBe(left)
    for (const key of [visited, sibling]) expectLimited(await ask(key))
    expect(remaining(await ask(await world.operator.key({ organization_id })))).toBe("2/3")
  })

  it("a new limit applies within a second, also to cached keys; null restores the default", async () => {
    const key = await world.operator.key({ rate_limit_per_minute: 100_000 })
    expect(remaining(await ask(key))).toBe("5999/6000")
    for (const [given, seen] of [[10, "10"] as const, [null, "6000"] as const]) {
      await world.operator.change(key.organization_id, { rate_limit_per_minute: given })
      await expect.poll(async () => (await ask(key)).headers["x-ratelimit-limit"]).toBe(seen)
    }
  })

  it("the limit of organizations is configurable, and an organization's own limit overrides it", async () => {
    const other = await world.serveAnother({ organizationRateLimit_per_minute: 2 })
    expect(remaining(await ask(await world.operator.key(), other))).toBe("1/2")
    const organization_id = await limited(9)
    expect(remaining(await ask(await world.operator.key({ organization_id }), other))).toBe("8/9")
  })
}

const ofAddresses = (world: World): void => {
  it("an address without a key has 600 requests a minute by default", async () => {
    expect(remaining(await world.client.get(target))).toBe("599/600")
  })

  it("the limit of addresses is configurable; above it, only this address gets 429 with Retry-After", async () => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 2 })
    expect(remaining(await client.get(target))).toBe("1/2")
    expect(remaining(await client.get(target))).toBe("0/2")
    expectLimited(await client.get(target))
    client.newVisitor()
    expect(remaining(await client.get(target))).toBe("1/2")
  })

  it("an active secret key passes where its address has exhausted its limit", async () => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 1 })
    const key = await world.operator.key()
    await client.get(target)
    expectLimited(await client.get(target))
    expect((await client.get(target, { key: key.secret })).status).toBe(200)
  })

  it("requests of an operator count under their address", async () => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 1 })
    expect((await client.get("/v1/admin/audit", { token: operatorToken })).status).toBe(200)
    expectLimited(await client.get("/v1/admin/audit", { token: operatorToken }))
  })

  const guessed = [target, "/v1/health/live", "/v1/health/ready", "/v1/docs", "/v1/nothing"]
  it.each(guessed)("an address that sends invalid keys is limited like one without a key: %s", async (guessedAt) => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 2 })
    expectFailure(await client.get(guessedAt, { key: badKey }), "401 invalid_api_key")
    expectFailure(await client.get(guessedAt, { key: "not even one" }), "401 invalid_api_key")
    expectLimited(await client.get(guessedAt, { key: badKey }))
    expectLimited(await client.get(target))
  })

  it("invalid keys are also limited in preflights", async () => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 1 })
    const guess = { method: "OPTIONS", target: "/v1/lookup", key: badKey }
    expectFailure(await client.send(guess), "401 invalid_api_key")
    expectLimited(await client.send(guess))
  })

  it("health checks are never counted or refused", async () => {
    const { client } = await world.serveAnother({ addressRateLimit_per_minute: 1 })
    for (let i = 0; i < 3; i++) expect(remaining(await client.get("/v1/health/live"))).toBe("1/1")
    await client.get(target)
    expectLimited(await client.get(target))
    expect((await client.get("/v1/health/live")).status).toBe(200)
    expect((await client.get("/v1/health/ready")).status).toBe(200)
  })
}

const behindProxies = (world: World): void => {
  const serve = (trustedProxies: ReadonlyArray<string>) =>
    world.serveAnother({ trustedProxies, addressRateLimit_per_minute: 1_000_000 })
  /** The requests that the subject has sent before, from the remaining quota. */
  const countOf = async (client: World["client"], forwardedFor: string): Promise<number> =>
    999_999 - Number((await client.get(target, { address: forwardedFor })).headers["x-ratelimit-remaining"])

  it("X-Forwarded-For of a peer that is not a trusted proxy is ignored", async () => {
    const { client } = await world.serveAnother({ trustedProxies: [], addressRateLimit_per_minute: 1 })
    await client.get(target, { address: "203.0.113.1" })
    for (const address of ["203.0.113.2", "203.0.113.3, 203.0.113.4"]) {
      expectLimited(await client.get(target, { address }))
    }
  })

  it("behind trusted proxies, the last address that is not a proxy counts; entries before it are ignored", async () => {
    const { client } = await serve(["127.0.0.0/8", "10.0.0.0/8", "2001:db8::/32"])
    expect(await countOf(client, "203.0.113.10")).toBe(0)
    expect(await countOf(client, "1.2.3.4, 203.0.113.10")).toBe(1)
    expect(await countOf(client, "203.0.113.11, 203.0.113.10, 10.0.0.7")).toBe(2)
    expect(await countOf(client, "203.0.113.10,10.9.9.9 , 2001:db8::1")).toBe(3)
    expect(await countOf(client, "::ffff:203.0.113.10")).toBe(4)
    expect(await countOf(client, "203.0.113.11")).toBe(0)
  })

  it("IPv6 addresses count by their /64, in any notation", async () => {
    const { client } = await serve(["127.0.0.1"])
    expect(await countOf(client, "2001:db8:aaaa:1::1")).toBe(0)
    expect(await countOf(client, "2001:db8:aaaa:1:ffff:ffff:ffff:ffff")).toBe(1)
    expect(await countOf(client, "2001:0DB8:AAAA:0001::")).toBe(2)
    expect(await countOf(client, "2001:db8:aaaa:2::1")).toBe(0)
  })

  it("addresses with a port or in brackets count as the address", async () => {
    const { client } = await serve(["127.0.0.0/8", "10.0.0.0/8"])
    expect(await countOf(client, "203.0.113.20:4711")).toBe(0)
    expect(await countOf(client, "203.0.113.20:4712, 10.0.0.7:443")).toBe(1)
    expect(await countOf(client, "203.0.113.21:4711")).toBe(0)
    expect(await countOf(client, "[2001:db8:aaaa:7::1]:4711")).toBe(0)
    expect(await countOf(client, "[2001:db8:aaaa:7::2]")).toBe(1)
  })

  it("an entry that is no address is logged once an hour, with its effect and without the entry", async () => {
    const lines: Array<string> = []
    let now_ms = Date.now()
    const log = Logger.make(({ message }) => void lines.push(String(message)))
    const { client } = await world.serveAnother({ trustedProxies: ["127.0.0.1"] }, (effect) =>
      Effect.flatMap(Clock.Clock, (clock) =>
        effect.pipe(
          Effect.provideService(
            Clock.Clock,
            Object.assign(Object.create(clock) as Clock.Clock, { currentTimeMillisUnsafe: () => now_ms })
          ),
          Effect.provideService(Logger.CurrentLoggers, new Set([log]))
        )
      )
    )
    for (const address of ["203.0.113.30", "unknown", "_secret", "203.0.113.31, '7'"])
      await client.get(target, { address })
    await expect.poll(() => lines).toHaveLength(1)
    expect(lines[0]).toContain("X-Forwarded-For of the trusted proxy 127.0.0.1")
    expect(lines[0]).toContain("share the rate limit of 127.0.0.1")
    expect(lines[0]).not.toContain("unknown")
    now_ms += 3_599_000
    await client.get(target, { address: "unknown" })
    now_ms += 1_000
    await client.get(target, { address: "unknown" })
    await expect.poll(() => lines).toHaveLength(2)
  })

  it("without an address in the header, the proxy's address counts", async () => {
    const { client } = await world.serveAnother({ trustedProxies: ["127.0.0.1"], addressRateLimit_per_minute: 1 })
    await client.get(target, { address: "unknown" })
    for (const address of ["", "a, b, , c"]) expectLimited(await client.get(target, { address }))
  })
}
