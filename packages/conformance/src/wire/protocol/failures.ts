/** Every error code can be reached under its status, and a fault of the service does not reveal its cause. */
import { type ErrorCode, type ErrorStatus, errorCodes } from "@postcode/api"
import { Units } from "@postcode/gateway/directory/Units"
import { Unavailable } from "@postcode/gateway/Errors"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { RateLimiter } from "@postcode/gateway/limits/RateLimiter"
import { Effect, Logger } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import { json, url } from "../../world/TestClient.ts"
import type { Provide, Served, World } from "../../world/World.ts"
import { canary } from "../Conventions.ts"
import { expectFailure, outcomeOf, type Received } from "../Received.ts"

const lookup = url("/v1/lookup", { code: postcodes.full, level: 2 })
const near = "/v1/search/reverse?lat=6.6018&lng=3.3515"
const assemble = "/v1/assembly/assemble"

/** Only the widget's endpoints fail with `key_type_not_allowed`. */
type Reachable = Exclude<ErrorCode, "key_type_not_allowed">

const provocations: Readonly<Record<Reachable, (world: World) => Promise<Received>>> = {
  invalid_parameter: ({ client }) => client.get("/v1/lookup"),
  invalid_body: ({ client }) => client.send({ method: "POST", target: assemble, ...json(undefined), body: "{" }),
  auth_required: ({ client }) => client.get(lookup),
  invalid_api_key: ({ client }) => client.get(lookup, { key: "bad" }),
  invalid_token: ({ client }) => client.get("/v1/admin/audit", { token: "another-token" }),
  insufficient_credits: async ({ client, operator }) =>
    client.get(lookup, { key: (await operator.keyWithCredits(0)).secret }),
  insufficient_scope: async ({ client, operator }) =>
    client.get(lookup, { key: (await operator.key({ scopes: ["search"] })).secret }),
  level_not_granted: async ({ client, operator }) =>
    client.get(lookup, { key: (await operator.key({ max_level: 1 })).secret }),
  origin_not_allowed: async ({ client, operator }) =>
    client.get(lookup, {
      key: (await operator.key({ kind: "publishable" })).secret,
      headers: { origin: "https://a.example" }
    }),
  address_not_allowed: async ({ client, operator }) =>
    client.get(lookup, { key: (await operator.key({ allowed_ips: ["192.0.2.1"] })).secret }),
  kyb_required: async ({ operator }) =>
    operator.call("POST", `/v1/admin/organizations/${await operator.organization({ kyb_status: "pending" })}/keys`, {
      name: "live",
      kind: "secret",
      environment: "live",
      scopes: ["lookup"],
      max_level: 1
    }),
  organization_suspended: async ({ client, operator }) => {
    const key = await operator.key()
    await operator.suspend(key.organization_id)
    return client.get(lookup, { key: key.secret })
  },
  not_found: ({ client }) => client.get("/v1/nothing"),
  method_not_allowed: ({ client }) => client.send({ method: "DELETE", target: "/v1/lookup" }),
  conflict: async ({ operator }) =>
    operator.call("POST", `/v1/admin/organizations/${await operator.organization()}/access-requests`, {
      level: 1,
      reason: "granted already"
    }),
  version_expired: async ({ client, operator }) =>
    client.get(url("/v1/directory/changes", { since: "replaced-long-ago" }), { key: (await operator.key()).secret }),
  payload_too_large: ({ client }) => client.post(assemble, "x".repeat(70_000)),
  unsupported_media_type: ({ client }) => client.send({ method: "POST", target: assemble, body: "{}" }),
  idempotency_key_reused: async ({ client, operator }) => {
    const options = { key: (await operator.key()).secret, headers: { "idempotency-key": "a" } }
    await client.get(lookup, options)
    return client.get(`${lookup.replace("level=2", "level=3")}`, options)
  },
  rate_limit_exceeded: async ({ client, operator }) => {
    const { secret } = await operator.key({ rate_limit_per_minute: 1 })
    await client.get("/v1/search/autocomplete", { key: secret })
    return client.get("/v1/search/autocomplete", { key: secret })
  },
  internal_error: async (world) => askUnits(world, await serveWithUnits(world, Effect.die(new Error(canary)))),
  service_unavailable: async (world) =>
    askUnits(world, await serveWithUnits(world, Effect.fail(new Unavailable({ retry_after_s: 7 }))))
}

export const failures = (world: World): void => {
  describe("each code of the table is reached under its status", () => {
    for (const [code, provoke] of Object.entries(provocations)) {
      const status = Object.entries(errorCodes).find(([, codes]) => codes.some((other) => other === code))?.[0]
      it(`${status} ${code}`, async () => {
        expect(outcomeOf(await provoke(world))).toBe(`${status} ${code}`)
      })
    }
  })

  describe("a fault of the service", () => {
    it("is 500 with the request id and without the cause, which the log has under this id", async () => {
      const logged: Array<string> = []
      const served = await serveWithUnits(world, Effect.die(new Error(`${canary} at /srv/secret`)), logged)
      const key = await world.operator.key()
      const received = await served.client.get(lookup, { key: key.secret, headers: { "x-request-id": "find-me" } })
      expectFailure(received, "500 internal_error")
      expect(logged.join("\n")).toContain("find-me")
      expect(logged.join("\n")).toContain("/srv/secret")
      expect(logged.join("\n")).not.toContain(key.secret)
    })

    addFaultsOfParts(world)

    it("charges nothing, because the charge is the last step", async () => {
      const key = await world.operator.keyWithCredits(10)
      for (const fault of [Effect.die(new Error("broken")), Effect.fail(new Unavailable({ retry_after_s: 1 }))]) {
        const { client } = await serveWithUnits(world, fault)
        expect((await client.get(lookup, { key: key.secret })).status).toBeGreaterThanOrEqual(500)
      }
      expect((await world.operator.statement(key.organization_id, "live")).balance).toBe(10)
    })

    it("of the store does not affect searches that do not use it", async () => {
      const { client } = await serveWithUnits(world, Effect.die(new Error("unavailable")))
      const targets = ["/v1/search/autocomplete?q=LA", near, url("/v1/lookup", { code: postcodes.full })]
      for (const target of targets) expect((await client.get(target)).status).toBe(200)
    })

    it("that is temporary is 503 with Retry-After", async () => {
      const served = await serveWithUnits(world, Effect.fail(new Unavailable({ retry_after_s: 7 })))
      const received = await askUnits(world, served)
      expectFailure(received, "503 service_unavailable", "7 s")
      expect(received.headers["retry-after"]).toBe("7")
    })
  })

  it("the error table has exactly the codes of the contract", () => {
    const contract: Readonly<Record<ErrorStatus, ReadonlyArray<string>>> = {
      400: ["invalid_parameter", "invalid_body"],
      401: ["auth_required", "invalid_api_key", "invalid_token"],
      402: ["insufficient_credits"],
      403: [
        "insufficient_scope",
        "level_not_granted",
        "origin_not_allowed",
        "address_not_allowed",
        "key_type_not_allowed",
        "kyb_required",
        "organization_suspended"
      ],
      404: ["not_found"],
      405: ["method_not_allowed"],
      409: ["conflict"],
      410: ["version_expired"],
      413: ["payload_too_large"],
      415: ["unsupported_media_type"],
      422: ["idempotency_key_reused"],
      429: ["rate_limit_exceeded"],
      500: ["internal_error"],
      503: ["service_unavailable"]
    }
    expect(errorCodes).toEqual(contract)
  })
}

/** Faults at each place of a request. */
const addFaultsOfParts = (world: World): void => {
  it("during admission is answered like a later one: a store of keys or limits that fails", async () => {
    const broken = Effect.die(new Error(`${canary} broke`))
    const { secret } = await world.operator.key()
    const keys = await world.serveAnother({}, (effect) =>
      Effect.flatMap(ApiKeys, (apiKeys) =>
        quietly(Effect.provideService(effect, ApiKeys, { ...apiKeys, findByHash: () => broken }))
      )
    )
    expectFailure(await keys.client.get("/v1/health/live", { key: secret }), "500 internal_error")
    const limits = await world.serveAnother({}, (effect) =>
      quietly(Effect.provideService(effect, RateLimiter, { take: () => broken, takeAll: () => broken }))
    )
    expectFailure(await limits.client.get("/v1/health/live"), "500 internal_error")
  })

  it("that a store throws synchronously is answered and logged like any other", async () => {
    const throws = () => {
      throw new Error(`${canary} was thrown`)
    }
    const { secret } = await world.operator.key()
    const broken: ReadonlyArray<Provide> = [
      (effect) =>
        Effect.flatMap(ApiKeys, (apiKeys) =>
          Effect.provideService(effect, ApiKeys, { ...apiKeys, findByHash: throws })
        ),
      Effect.provideService(RateLimiter, { take: throws, takeAll: throws }),
      Effect.provideService(Units, { attributes: throws })
    ]
    for (const breaking of broken) {
      const logged: Array<string> = []
      const { client } = await world.serveAnother({}, (effect) => withLog(logged, breaking(effect)))
      const received = await client.get(near, { key: secret, headers: { "x-request-id": "find-me" } })
      expectFailure(received, "500 internal_error")
      expect(logged.join("\n")).toContain(`find-me failed`)
      expect(logged.join("\n")).toContain(`${canary} was thrown`)
    }
  })

  it("of the access log does not affect the answer", async () => {
    const onAnswer = () => {
      throw new Error("the disk is full")
    }
    const { client } = await world.serveAnother({ onAnswer }, quietly)
    expect((await client.get("/v1/health/live")).status).toBe(200)
  })
}

/** Without a log. */
const quietly: Provide = (effect) => Effect.provideService(effect, Logger.CurrentLoggers, new Set())

const withLog = <A, E, R>(lines: Array<string>, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const log = Logger.map(Logger.formatLogFmt, (line) => lines.push(line))
  return Effect.provideService(effect, Logger.CurrentLoggers, new Set([log]))
}

/** A gateway with this port of units, and with its log written to the list. */
const serveWithUnits = (
  world: World,
  answer: Effect.Effect<never, Unavailable>,
  logged: Array<string> = []
): Promise<Served> =>
  world.serveAnother({}, (effect) =>
    withLog(logged, Effect.provideService(effect, Units, { attributes: () => answer }))
  )

const askUnits = async (world: World, { client }: Served): Promise<Received> =>
  client.get(lookup, { key: (await world.operator.key()).secret })
