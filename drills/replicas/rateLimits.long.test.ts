/**
 * Three replicas and 48 clients of one key: at most the limit passes, and at least 95 % of it. `RATE_LIMITS_S=130` makes
 * it longer than the 8 seconds that it takes otherwise, so that the window slides.
 */
import { Agent, type IncomingMessage, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import { newKey, storedOrganization } from "@postcode/conformance"
import { makeFixture, operatorToken } from "@postcode/conformance/wire"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import { composeKey, randomLength } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { RateLimiter, window_s } from "@postcode/gateway/limits/RateLimiter"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { makeGateway, serve } from "@postcode/http"
import { MemoryStore } from "@postcode/memory"
import { layerDatabase, layerRateLimiter, migrate } from "@postcode/postgres"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { describe, expect, it } from "vitest"
import { makeTestDatabase } from "../kit/postgres/index.ts"
import { layerTestSecrets } from "../kit/TestSecrets.ts"

const duration_s = Number(process.env.RATE_LIMITS_S ?? 8)
const limit = 600
const clients = 48

interface Passed {
  readonly sent_ms: number
  readonly received_ms: number
}

describe(`${clients} clients of one key at three replicas, for ${duration_s} s`, () => {
  it("together get the limit of the key, and no more", { timeout: 1000 * (duration_s + 120) }, async () => {
    const statuses = new Map<number, number>()
    const passed: Array<Passed> = []
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { ports, secret } = yield* startReplicas
          const agent = new Agent({ keepAlive: true })
          const end_ms = performance.now() + 1000 * duration_s
          const client = async (number: number): Promise<void> => {
            // A busy machine goes on until enough was asked.
            const isOver = () => performance.now() >= end_ms && (statuses.get(429) ?? 0) > limit
            for (let i = number; !isOver(); i++) {
              const sent_ms = performance.now()
              const { statusCode = 0 } = await search(ports[i % ports.length] as number, secret, agent)
              statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
              if (statusCode === 200) passed.push({ sent_ms, received_ms: performance.now() })
              await setTimeout(20)
            }
          }
          yield* Effect.promise(() => Promise.all(Array.from({ length: clients }, (_, number) => client(number))))
          agent.destroy()
        })
      )
    )
    expect([...statuses.keys()].sort()).toEqual([200, 429])
    expect(statuses.get(429)).toBeGreaterThan(limit)
    expect(mostInWindow(passed)).toBeLessThanOrEqual(limit)
    const windows = Math.max(1, Math.floor(duration_s / window_s))
    expect(passed.length).toBeGreaterThanOrEqual(0.95 * limit * windows)
  })
})

/** The most that passed in any stretch of the window's length: for certain, whenever each was let in. */
const mostInWindow = (passed: ReadonlyArray<Passed>): number => {
  const sorted = passed.toSorted((a, b) => a.received_ms - b.received_ms)
  let most = 0
  let first = 0
  for (const [last, { received_ms }] of sorted.entries()) {
    while (received_ms - (sorted[first] as Passed).sent_ms >= 1000 * window_s) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

/** Replicas that share limits on one database. Everything else is in memory, and the same to all. */
const startReplicas = Effect.gen(function* () {
  const { url } = yield* Effect.acquireRelease(Effect.promise(makeTestDatabase), ({ drop }) => Effect.promise(drop))
  const database = layerDatabase({ url: Redacted.make(url) })
  yield* Effect.provide(migrate, database)
  const { attributesOf, directory } = makeFixture()
  const memory = yield* Layer.build(
    Layer.mergeAll(
      MemoryStore.layer,
      layerDirectory(directory, (_, postcode) => attributesOf(postcode)),
      layerTestSecrets
    )
  )
  // On a busy machine the database may answer late, and a replica that waits in vain counts alone.
  const startReplica: Effect.Effect<number, unknown, Scope.Scope> = Effect.gen(function* () {
    const limits = layerRateLimiter({ timeout_ms: 10_000 }).pipe(
      Layer.provide(database),
      Layer.provide(layerTestSecrets),
      Layer.fresh
    )
    const limiter = yield* Effect.provide(RateLimiter, yield* Layer.build(limits))
    const gateway = yield* Effect.provideService(
      makeGateway({ operatorToken: Redacted.make(operatorToken) }),
      RateLimiter,
      limiter
    )
    return (yield* serve(gateway, { port: 0, host: "127.0.0.1", drain_ms: 0 })).port
  }).pipe(Effect.provide(memory))
  const secret = yield* Effect.provide(makeKey, memory)
  return { ports: yield* Effect.all([startReplica, startReplica, startReplica]), secret }
})

/** Stores a key, and answers it. */
const makeKey = Effect.gen(function* () {
  const { hash, random } = yield* Secrets
  const secret = composeKey("secret", "test", random(randomLength))
  const { id } = yield* storedOrganization()
  yield* (yield* ApiKeys).create(newKey(id, { rate_limit_per_minute: limit }), hash(Redacted.make(secret)))
  return secret
})

const search = async (port: number, secret: string, agent: Agent): Promise<IncomingMessage> => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { port, agent, path: "/v1/search/autocomplete?q=LA", headers: { "x-api-key": secret } }
    const sent = request({ host: "127.0.0.1", ...options }, resolve)
    sent.on("error", (error) => {
      // The server closed the idle connection as the request went out: it was not heard.
      if (sent.reusedSocket && "code" in error && error.code === "ECONNRESET") resolve(search(port, secret, agent))
      else reject(error)
    })
    sent.end()
  })
  if (!response.readableEnded) await response.toArray()
  return response
}
