/** Several workers as one service: what one of them is told holds for all, and one that dies is replaced. */
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { Agent, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import { inOneDay } from "@postcode/conformance"
import { operatorToken, postcodes } from "@postcode/conformance/wire"
import { serveOnDatabase } from "@postcode/drills/Installation"
import type { Service } from "@postcode/drills/StartCommand"
import { replacementPause_ms } from "@postcode/server/workers/WorkerPool"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const lookup = `/v1/lookup?code=${postcodes.full}&level=2`

interface Running extends Service {
  readonly port: number
  /** The process ids of the workers that run. */
  readonly workers: () => ReadonlyArray<number>
  /** The errors that were logged so far. */
  readonly errors: () => ReadonlyArray<string>
}

/** How many requests an address may send. */
const addressRateLimit = 25

/**
 * Two workers on a database of their own.
 *
 * @param limit_per_minute how many requests an address may send
 */
const start = async (flags: ReadonlyArray<string> = [], limit_per_minute = addressRateLimit): Promise<Running> => {
  const limit = ["--address-rate-limit", `${limit_per_minute}`, "--trusted-proxies", "127.0.0.1"]
  const service = await serveOnDatabase(["--workers", "2", ...limit, ...flags])
  return {
    ...service,
    port: Number(new URL(service.url).port),
    workers: () => childrenOf(service.process.pid),
    errors: () =>
      service
        .stderr()
        .split("\n")
        .filter((line) => line.startsWith('{"at"'))
        .map((line) => JSON.parse(line))
        // A busy machine is late in hearing from the database, which is a warning.
        .filter(({ level }) => level === "error")
        .map(({ message }) => message)
  }
}

const childrenOf = (pid: number | undefined): ReadonlyArray<number> =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))

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
  afterAll(() => service[Symbol.asyncDispose]())

  it("a key works on all connections as soon as it is created, and is refused on all after its revocation", async () => {
    const { key_id, secret } = await customer(port, 100)
    expect(countOf(await askOften(40, port, lookup, { key: secret }))).toEqual({ 200: 40 })
    const revoked = await ask(port, `/v1/admin/keys/${key_id}`, { method: "DELETE", token: operatorToken })
    expect(revoked.status).toBe(200)
    expect(countOf(await askOften(40, port, lookup, { key: secret }))).toEqual({ 401: 40 })
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

  // On a busy machine the database may answer late, and a worker that waits in vain counts alone: then once more.
  it("a rate limit is one limit, of a key and of an address", { retry: 4 }, async () => {
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
    await using service = await startMeasured(100_000)
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
    kill(service, 0)
    await replaced(service, 1)
    await expectChanges(1_500, undefined)
    await change("batch-2", [{ change: "retire", postcode: postcodeOf(1_499) }])
    await expectChanges(1_501, `${edition}+1500`)
    const answers = await askOften(20, port, `/v1/lookup?code=${postcodeOf(1_499)}&level=1`)
    expect(new Set(answers.map(({ data }) => data.status))).toEqual(new Set(["retired"]))
  })
})

const startMeasured = (limit_per_minute?: number) => start(["--operations-port", "0"], limit_per_minute)

/** Kills one worker, and answers its process id. */
const kill = (service: Running, index: number): number => {
  const pid = service.workers()[index] as number
  process.kill(pid, "SIGKILL")
  return pid
}

/** Waits until so many workers were replaced since the start, and all listen again. */
const replaced = async (service: Running, times: number): Promise<void> => {
  await expect.poll(() => service.errors().length).toBe(times)
  // A worker that listens reports its half.
  await expect.poll(() => connectionsOf(service)).toBe(10)
}

/** How many connections the workers may open together. */
const connectionsOf = async (service: Running): Promise<number> => {
  const text = await (await fetch(service.shown("metrics"))).text()
  return Number(/^postcode_database_connections_limit (\d+)$/m.exec(text)?.[1])
}

describe("a worker that dies", () => {
  it("is replaced, and the other worker continues with all data", async () => {
    await using service = await startMeasured()
    const { port } = service
    const { secret } = await customer(port, 10_000)
    const agents = Array.from({ length: 24 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    const askAll = () =>
      Promise.all(agents.map((agent) => ask(port, lookup, { key: secret, agent }).catch(() => undefined)))
    expect(countOf((await askAll()) as ReadonlyArray<Answered>)).toEqual({ 200: agents.length })

    const [victim, other] = service.workers() as [number, number]
    process.kill(victim, "SIGKILL")
    const answers = (await askAll()).filter((answer) => answer !== undefined)
    expect(answers.length).toBeGreaterThan(0)
    expect(countOf(answers)).toEqual({ 200: answers.length })
    await replaced(service, 1)
    expect(service.errors()).toEqual([
      expect.stringMatching(/^worker [12] ended and is replaced at once: its process got SIGKILL$/)
    ])
    expect(service.workers()).toContain(other)
    expect(service.workers()).not.toContain(victim)

    process.kill(other, "SIGKILL")
    expect(countOf(await askOften(20, port, lookup, { key: secret }))).toEqual({ 200: 20 })
    for (const agent of agents) agent.destroy()
  })

  it("during paid requests loses only its requests in flight, and each answered request was charged once", async () => {
    await using service = await startMeasured()
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
      const before = outcomes.length
      await expect.poll(() => outcomes.length).toBeGreaterThan(before + 100)
      kill(service, 0)
      await replaced(service, i + 1)
    }
    asking = false
    await Promise.all(asked)
    for (const agent of clients) agent.destroy()

    const served = outcomes.filter((status) => status === 200).length
    expect([...new Set(outcomes)].filter((status) => status !== undefined)).toEqual([200])
    const paid = 1_000_000 - (await statement(service.port, id)).balance
    expect(paid).toBeGreaterThanOrEqual(served)
    expect(paid).toBeLessThanOrEqual(outcomes.length)
  })

  it("repeatedly is replaced each time on the same port, until the service is stopped", async () => {
    await using service = await startMeasured()
    for (let i = 1; i <= 2; i++) {
      for (const pid of service.workers()) process.kill(pid, "SIGKILL")
      await replaced(service, 2 * i)
    }
    expect(service.errors().map((line) => /replaced (at once|in \d+ ms)/.exec(line)?.[1])).toEqual([
      "at once",
      "at once",
      "in 100 ms",
      "in 100 ms"
    ])
    expect((await ask(service.port, "/v1/health/ready")).status).toBe(200)
    expect(await service.stop()).toBe(0)
    expect(service.workers()).toEqual([])
    await expect(ask(service.port, lookup)).rejects.toMatchObject({ code: "ECONNREFUSED" })
  })

  it("because its main process was killed ends, too", async () => {
    await using service = await startMeasured()
    const workers = service.workers()
    expect(workers).toHaveLength(2)
    await service.stop("SIGKILL")
    const isRunning = (pid: number) => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    await expect.poll(() => workers.filter(isRunning)).toEqual([])
  })

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
