/** Several threads as one service: what one of them is told holds for all, and one that dies is replaced. */
import { once } from "node:events"
import { Agent, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import type { Worker } from "node:worker_threads"
import { Directory } from "@postcode/core/Directory"
import { defaultPriceList } from "@postcode/core/Prices"
import { inOneDay } from "@postcode/gateway/testing/InOneDay"
import { makeFixture, operatorToken, postcodes } from "@postcode/http/testing"
import { shareDirectory } from "@postcode/node"
import { layerCurrentDirectory, layerDatabase } from "@postcode/postgres"
import { Effect, Exit, Layer, Logger, Redacted, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { makeFixtureDatabase } from "../../../../drills/kit/FixtureDatabase.ts"
import { compileCache } from "../../../../drills/kit/StartCommand.ts"
import type { GatewaySettings } from "../../src/GatewayServer.ts"
import { fixedDirectory, type SharedDirectory } from "../../src/workers/SharedDirectory.ts"
import { SharedEdition } from "../../src/workers/SharedEdition.ts"
import {
  replacementPause_ms,
  runWorkers,
  type WorkerPool,
  type WorkerPoolOptions
} from "../../src/workers/WorkerPool.ts"

const lookup = `/v1/lookup?code=${postcodes.full}&level=2`

interface Running extends WorkerPool {
  /** What was logged so far. */
  readonly logged: ReadonlyArray<string>
  readonly stop: () => Promise<void>
}

const secrets: GatewaySettings["secrets"] = {
  operatorToken,
  peppers: [{ version: 1, secret: "a-pepper-for-tests-and-nothing-else" }],
  sessionKeys: [{ id: "tests", secret: "a-signing-key-for-tests-and-nothing-else-at-all" }]
}

/** How many requests an address may send. */
const addressRateLimit = 25

/**
 * Runs workers on a database of their own, as `postcode serve` does.
 *
 * @param isFollowed whether they serve the directory of the database; by default, one from files
 */
const start = async (
  options: Partial<WorkerPoolOptions> = {},
  settings: Partial<GatewaySettings> = {},
  isFollowed = false
): Promise<Running> => {
  vi.stubEnv("NODE_COMPILE_CACHE", compileCache)
  const allSettings: GatewaySettings = {
    secrets,
    trustedProxies: ["127.0.0.1"],
    keyRateLimit_per_minute: 100_000,
    organizationRateLimit_per_minute: 100_000,
    addressRateLimit_per_minute: addressRateLimit,
    prices: defaultPriceList,
    accessLog: false,
    maxConnections: 10_000,
    loadControl: undefined,
    tracing: undefined,
    webhooksMayBePrivate: false,
    files: [],
    ...settings
  }
  const logged: Array<string> = []
  const log = Logger.map(Logger.formatLogFmt, (line) => void logged.push(line))
  const { drop, url } = await makeFixtureDatabase()
  const scope = Scope.makeUnsafe()
  const directory = isFollowed
    ? await followDatabase(url, scope)
    : fixedDirectory(Directory.open(shareDirectory(makeFixture().directory)), () => [])
  const pool = runWorkers({
    workers: 2,
    host: "127.0.0.1",
    port: 0,
    platformPort: undefined,
    settings: allSettings,
    directory,
    database: { url, connections: 5 },
    ...options
  })
  const logging = Effect.provideService(pool, Logger.CurrentLoggers, new Set([log]))
  const stop = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await drop()
  }
  try {
    return { ...(await Effect.runPromise(Effect.provideService(logging, Scope.Scope, scope))), logged, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const followDatabase = async (url: string, scope: Scope.Scope): Promise<SharedDirectory> => {
  const shared = new SharedEdition()
  const layer = Layer.provide(
    layerCurrentDirectory({ onUpdate: (update) => shared.take(update) }),
    layerDatabase({ url: Redacted.make(url), maxConnections: 2 })
  )
  await Effect.runPromise(Layer.buildWithScope(layer, scope))
  return shared
}

interface Asked {
  readonly method?: string
  readonly key?: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A connection to keep; a new one unless given. */
  readonly agent?: Agent
}

interface Answered {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: what stands under `data` is another thing for each path
  readonly data: any
}

/** Asks again as long as the answer is 503: where the machine is busy, a worker may be late in hearing from the database. */
const ask = async (port: number, path: string, asked: Asked = {}): Promise<Answered> => {
  for (let attempt = 1; ; attempt++) {
    const answer = await askOnce(port, path, asked)
    if (answer.status !== 503 || attempt === 60) return answer
    await setTimeout(500)
  }
}

const askOnce = async (port: number, path: string, asked: Asked): Promise<Answered> => {
  const { agent = false, body, headers, key, method = "GET", token } = asked
  const sent = request({
    host: "127.0.0.1",
    port,
    path,
    method,
    agent,
    headers: {
      "x-forwarded-for": newAddress(),
      ...(key !== undefined && { "x-api-key": key }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers
    }
  })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(sent, "response")
  const text = Buffer.concat(await response.toArray()).toString("utf8")
  return { status: response.statusCode, headers: response.headers, data: JSON.parse(text).data }
}

let addresses = 0
/** An address of the range for benchmarks that nobody else uses. */
const newAddress = (): string => {
  addresses++
  return `198.18.${addresses >> 8}.${addresses & 255}`
}

/** The same request over that many new connections at once, which the system deals out among the workers. */
const askOften = (count: number, port: number, path: string, asked: Asked = {}): Promise<ReadonlyArray<Answered>> =>
  Promise.all(Array.from({ length: count }, () => ask(port, path, asked)))

const countOf = (answers: ReadonlyArray<Answered>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[`${status}`] = (counts[`${status}`] ?? 0) + 1
  return counts
}

interface Customer {
  readonly id: string
  readonly key_id: string
  readonly secret: string
}

/** An organization with a key for live use and that many credits. */
const customer = async (port: number, credits: number, key: object = {}): Promise<Customer> => {
  const admin = async (method: string, path: string, body: unknown) =>
    (await ask(port, `/v1/admin/${path}`, { method, token: operatorToken, body })).data
  const { id } = await admin("POST", "organizations", { name: "Test" })
  await admin("PATCH", `organizations/${id}`, { granted_level: 5, kyb_status: "verified", review_note: "for a test" })
  if (credits > 0) {
    const grant = { environment: "live", amount: credits, reference: "for a test" }
    await admin("POST", `organizations/${id}/credits`, grant)
  }
  const made = await admin("POST", `organizations/${id}/keys`, {
    name: "test",
    kind: "secret",
    environment: "live",
    scopes: ["search", "lookup"],
    max_level: 5,
    ...key
  })
  return { id, key_id: made.id, secret: made.secret }
}

const statement = async (port: number, id: string) =>
  (await ask(port, `/v1/admin/organizations/${id}/credits?environment=live&limit=100`, { token: operatorToken })).data

describe("two workers are one service", () => {
  let service: Running
  let port: number

  beforeAll(async () => {
    service = await start()
    port = service.port
  })
  afterAll(() => service.stop())

  it("a key works on all connections as soon as it is created, and is refused on all after its revocation", async () => {
    const { key_id, secret } = await customer(port, 100)
    expect(countOf(await askOften(40, port, lookup, { key: secret }))).toEqual({ 200: 40 })
    const revoked = await ask(port, `/v1/admin/keys/${key_id}`, { method: "DELETE", token: operatorToken })
    expect(revoked.status).toBe(200)
    expect(countOf(await askOften(40, port, lookup, { key: secret }))).toEqual({ 401: 40 })
  })

  it("an operator's file is served by all workers", async () => {
    const content = Buffer.from(JSON.stringify({ data: "the same text in each thread" }))
    const file = { path: "/demo/settings.json", contentType: "application/json", content, headers: { "x-of": "it" } }
    const another = await start({}, { files: [file], addressRateLimit_per_minute: 100_000 })
    const answers = await askOften(40, another.port, file.path)
    await another.stop()
    expect(countOf(answers)).toEqual({ 200: 40 })
    expect(new Set(answers.map(({ data, headers }) => `${headers["x-of"]}: ${data}`))).toEqual(
      new Set(["it: the same text in each thread"])
    )
  })

  it("200 lookups on 40 credits over 200 connections: 40 are served, and balance and ledger agree", async () => {
    const { id, secret } = await customer(port, 40)
    expect(countOf(await askOften(200, port, lookup, { key: secret }))).toEqual({ 200: 40, 402: 160 })
    const { balance, entries } = await statement(port, id)
    expect(balance).toBe(0)
    expect(entries.map(({ balance_after }: { balance_after: number }) => balance_after)).toEqual([
      ...Array.from({ length: 40 }, (_, i) => i),
      40
    ])
  })

  it("30 requests under one idempotency key are charged once", async () => {
    const { id, secret } = await customer(port, 40)
    const answers = await askOften(30, port, lookup, { key: secret, headers: { "idempotency-key": "order 1" } })
    expect(countOf(answers)).toEqual({ 200: 30 })
    expect((await statement(port, id)).balance).toBe(39)
  })

  it("a rate limit is one limit, of a key and of an address", async () => {
    const { secret } = await customer(port, 0, { rate_limit_per_minute: 25 })
    const path = "/v1/search/autocomplete?q=LA"
    expect(countOf(await askOften(100, port, path, { key: secret }))).toEqual({ 200: 25, 429: 75 })
    const headers = { "x-forwarded-for": newAddress() }
    expect(countOf(await askOften(100, port, path, { headers }))).toEqual({ 200: addressRateLimit, 429: 75 })
  })

  it("every request is counted as usage", async () => {
    await Effect.runPromise(inOneDay)
    const { id, secret } = await customer(port, 60)
    await askOften(50, port, lookup, { key: secret })
    await askOften(30, port, "/v1/search/autocomplete?q=LA", { key: secret })
    const usage = async () => {
      const { data } = await ask(port, `/v1/admin/organizations/${id}/usage?environment=live`, { token: operatorToken })
      return data.usage.map(({ date, ...counted }: { date: string }) => counted)
    }
    // A worker answers a request without waiting for its count to be stored.
    await expect.poll(usage).toEqual([
      { operation: "lookup.single", requests: 50, credits: 50 },
      { operation: "search.autocomplete", requests: 30, credits: 0 }
    ])
  })
})

describe("changes of the directory", () => {
  const path = "/v1/search/autocomplete?q=LA"

  it("reach all workers batch by batch, also a worker that starts later", async () => {
    const service = await start({}, { addressRateLimit_per_minute: 100_000 }, true)
    const { port } = service
    const versionsOf = async () =>
      new Set((await askOften(20, port, path)).map(({ headers }) => headers["x-data-version"]))
    const [edition] = [...(await versionsOf())]
    const change = async (reference: string, changes: ReadonlyArray<object>) => {
      const body = { reason: "for a test", reference, changes }
      const answer = await ask(port, "/v1/admin/directory/changes", { method: "POST", token: operatorToken, body })
      // 200 if it was asked again.
      expect([200, 201]).toContain(answer.status)
      expect(answer.data.applied).toBe(changes.length)
    }
    const postcodeOf = (unit: number) =>
      `LA-12-${String(Math.floor(unit / 100)).padStart(3, "0")}-ZZ-${String(unit % 100).padStart(2, "0")}`
    /** Waits until all workers have so many changes. Meanwhile each has these, or those of before. */
    const expectChanges = async (changes: number, before: string | undefined) => {
      const expected = `${edition}+${changes}`
      for (;;) {
        const found = await versionsOf()
        for (const version of found) expect([before, expected]).toContain(version)
        if (found.size === 1 && found.has(expected)) return
      }
    }
    const added = Array.from({ length: 1_500 }, (_, unit) => ({
      change: "add",
      postcode: postcodeOf(unit),
      lat: 6.6,
      lng: 3.35
    }))
    await change("batch-1", added)
    await expectChanges(1_500, edition as string)
    await service.threads()[0]?.terminate()
    await expect.poll(() => service.threads().length).toBe(2)
    expect(await versionsOf()).toEqual(new Set([`${edition}+1500`]))
    await change("batch-2", [{ change: "retire", postcode: postcodeOf(1_499) }])
    await expectChanges(1_501, `${edition}+1500`)
    const answers = await askOften(20, port, `/v1/lookup?code=${postcodeOf(1_499)}&level=1`)
    expect(new Set(answers.map(({ data }) => data.status))).toEqual(new Set(["retired"]))
    await service.stop()
  })
})

describe("a worker that dies", () => {
  it("is replaced, and the other workers continue with all data", async () => {
    const service = await start()
    const { port } = service
    const { secret } = await customer(port, 10_000)
    const agents = Array.from({ length: 24 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    const askAll = () =>
      Promise.all(agents.map((agent) => ask(port, lookup, { key: secret, agent }).catch(() => undefined)))
    expect(countOf((await askAll()) as ReadonlyArray<Answered>)).toEqual({ 200: agents.length })

    const [victim, other] = service.threads() as [Worker, Worker]
    await victim.terminate()
    const answers = (await askAll()).filter((answer) => answer !== undefined)
    expect(answers.length).toBeGreaterThan(0)
    expect(countOf(answers)).toEqual({ 200: answers.length })
    expect(service.threads()).toContain(other)
    expect(service.threads()).not.toContain(victim)
    await expect
      .poll(() => service.logged.join("\n"))
      .toContain("worker 1 ended and is replaced at once: its thread exited with code 1")

    await bothListen(service)
    await other.terminate()
    expect(countOf(await askOften(20, port, lookup, { key: secret }))).toEqual({ 200: 20 })
    for (const agent of agents) agent.destroy()
    await service.stop()
  })

  it("during paid requests loses only its requests in flight, and each answered request was charged once", async () => {
    const service = await start()
    const { id, secret } = await customer(service.port, 1_000_000)
    const clients = Array.from({ length: 16 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    const outcomes: Array<number | undefined> = []
    let asking = true
    const asked = clients.map(async (agent) => {
      while (asking) {
        const answer = await ask(service.port, lookup, { key: secret, agent }).catch(() => undefined)
        outcomes.push(answer?.status)
      }
    })
    for (let i = 0; i < 2; i++) {
      await bothListen(service)
      const before = outcomes.length
      await expect.poll(() => outcomes.length).toBeGreaterThan(before + 100)
      await service.threads()[0]?.terminate()
    }
    asking = false
    await Promise.all(asked)
    for (const agent of clients) agent.destroy()

    const served = outcomes.filter((status) => status === 200).length
    expect([...new Set(outcomes)].filter((status) => status !== undefined)).toEqual([200])
    const paid = 1_000_000 - (await statement(service.port, id)).balance
    expect(paid).toBeGreaterThanOrEqual(served)
    expect(paid).toBeLessThanOrEqual(outcomes.length)
    await service.stop()
  })

  it("repeatedly is replaced each time, until the service is stopped", async () => {
    const service = await start()
    for (let i = 0; i < 2; i++) {
      await bothListen(service)
      await Promise.all(service.threads().map((thread) => thread.terminate()))
    }
    // A thread is gone before that is reported.
    await expect
      .poll(() => service.logged.map((line) => /replaced (at once|in \d+ ms)/.exec(line)?.[1]))
      .toEqual(["at once", "at once", "in 100 ms", "in 100 ms"])
    await service.stop()
    expect(service.threads()).toEqual([])
    await expect(ask(service.port, lookup)).rejects.toMatchObject({ code: "ECONNREFUSED" })
  })

  const bothListen = ({ threads }: Running) => expect.poll(() => threads().length).toBe(2)

  it.each([
    [1, 0],
    [2, 100],
    [3, 200],
    [4, 400],
    [8, 6_400],
    [9, 10_000],
    [1_000_000, 10_000]
  ])("after %i early ends in a row is replaced in %i ms", (ends, pause_ms) => {
    expect(replacementPause_ms(ends)).toBe(pause_ms)
  })
})

describe("the start", () => {
  it("waits for all workers, however many, which all end at the stop", async () => {
    const service = await start({ workers: 3 })
    expect(service.url).toBe(`http://127.0.0.1:${service.port}`)
    const threads = service.threads()
    expect(threads).toHaveLength(3)
    const exits = Promise.all(threads.map((thread) => once(thread, "exit")))
    await service.stop()
    expect(await exits).toEqual([[0], [0], [0]])
  })

  it("is refused where another service listens, also one that shares its port among its own workers", async () => {
    const service = await start({ workers: 1 })
    await expect(start({ port: service.port })).rejects.toMatchObject({
      _tag: "ListenFailed",
      message: `port ${service.port} on 127.0.0.1 is taken: stop what uses it, or choose another with --port`
    })
    await service.stop()
  })

  it("fails with the reason if a worker cannot listen", async () => {
    await expect(start({ host: "192.0.2.1" })).rejects.toMatchObject({
      _tag: "ListenFailed",
      message: expect.stringContaining("192.0.2.1")
    })
  })

  it("fails with the reason if a worker ends before it listens", async () => {
    await expect(start({}, { secrets: { ...secrets, operatorToken: "too short" } })).rejects.toMatchObject({
      name: "Error",
      message: expect.stringContaining("operatorToken: expected 32 to 512 printable ASCII characters")
    })
  })
})
