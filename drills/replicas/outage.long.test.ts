/**
 * PostgreSQL stopped under load: what needs no database goes on, what does says 503 at once, and all of it recovers by
 * itself. `OUTAGE_S=30` makes it longer than the 5 seconds that it takes otherwise.
 */
import { readFileSync } from "node:fs"
import { Agent, type IncomingMessage, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import { postcodes } from "@postcode/conformance/wire"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Installation, makeCustomer, makeInstallation } from "../kit/Installation.ts"
import { asOperator } from "../kit/Management.ts"
import type { Service } from "../kit/StartCommand.ts"

const outage_s = Number(process.env.OUTAGE_S ?? 5)
/**
 * How much longer than liveness, which asks nothing, an answer may take: the machine may be busy with other things. It is
 * less than the five seconds after which a silent database is given up.
 */
const delay_ms = 3_000
/** A charge whose commit may have happened or not is repeated for 2.5 s before the client is told to ask again. */
const delayInDoubt_ms = 6_000
/** How soon after it answers again the database has to be in use again. */
const recovery_ms = 20_000
/** How long it may take until there is enough to look at. */
const outageTimeout_ms = 60_000
const pause_ms = 40

interface Question {
  readonly method?: string
  readonly path: string
  readonly keyed?: boolean
  readonly token?: boolean
  readonly body?: object
}

const assembly = { state: "LA", lga: "12", district: "A03", area: "BG", unit: "07" }
const place = "lat=6.6018&lng=3.3515"

/** What needs nothing but the directory. */
const free: Readonly<Record<string, Question>> = {
  autocomplete: { path: "/v1/search/autocomplete?q=LA" },
  "autocomplete with a key": { path: "/v1/search/autocomplete?q=LA", keyed: true },
  reverse: { path: `/v1/search/reverse?${place}` },
  "reverse with a key": { path: `/v1/search/reverse?${place}`, keyed: true },
  "nearby with a key": { path: `/v1/search/nearby?${place}`, keyed: true },
  "level 1": { path: `/v1/lookup?code=${postcodes.full}` },
  "level 1 with a key": { path: `/v1/lookup?code=${postcodes.full}`, keyed: true },
  assembly: { method: "POST", path: "/v1/assembly/assemble", body: assembly },
  reference: { path: "/v1/reference/states", keyed: true },
  live: { path: "/v1/health/live" },
  ready: { path: "/v1/health/ready" }
}

/** What needs the database. */
const stored: Readonly<Record<string, Question>> = {
  "level 2": { path: `/v1/lookup?code=${postcodes.full}&level=2`, keyed: true },
  batch: { method: "POST", path: "/v1/lookup/batch", keyed: true, body: { level: 2, codes: [postcodes.full] } },
  organizations: { path: "/v1/admin/organizations", token: true },
  "a new organization": { method: "POST", path: "/v1/admin/organizations", token: true, body: { name: "Test" } }
}

interface Answered {
  readonly kind: string
  readonly asked_ms: number
  readonly took_ms: number
  /** The status, or the code of the error of a connection that broke. */
  readonly outcome: string
  readonly retryAfter: string | undefined
}

describe(`PostgreSQL stopped for ${outage_s} s under load, two replicas`, () => {
  let installation: Installation
  let replicas: ReadonlyArray<Service>
  let answers: ReadonlyArray<Answered>
  let memory_kb: ReadonlyArray<readonly [before: number, behind: number]>
  let readiness: unknown
  let stopped_ms: number
  let started_ms: number
  let reachable_ms: number
  let recovered_ms: number
  const during = (names: object) =>
    answers.filter(
      ({ asked_ms, kind, took_ms }) => kind in names && asked_ms > stopped_ms && asked_ms + took_ms < started_ms
    )

  beforeAll(async () => {
    installation = await makeInstallation()
    replicas = [await installation.startReplica(), await installation.startReplica("--workers", "2")]
    const load = startLoad(replicas, (await makeCustomer(replicas[0] as Service, 1_000_000)).secret)
    await setTimeout(1_500)
    await enough(() => countIn(load.answers, 0) > 0)
    const before_kb = replicas.map(memoryOf)
    await installation.server.stop()
    stopped_ms = performance.now()
    await setTimeout(outage_s * 1_000)
    await enough(() => countIn(load.answers, stopped_ms) > outage_s)
    readiness = await (await fetch(`${replicas[0]?.url}/v1/health/ready`)).json()
    started_ms = performance.now()
    await installation.server.start()
    reachable_ms = performance.now()
    await enough(() => isRecovered(load.answers, started_ms))
    recovered_ms = performance.now()
    await setTimeout(1_000)
    await enough(() => countIn(load.answers, recovered_ms) > 0)
    answers = await load.stop()
    memory_kb = replicas.map((replica, i) => [before_kb[i] as number, memoryOf(replica)])
  }, 300_000)
  afterAll(() => installation[Symbol.asyncDispose]())

  it.each(Object.keys(free))("%s answers 200, before, meanwhile and behind", (kind) => {
    const own = answers.filter((answer) => answer.kind === kind)
    expect(during({ [kind]: true }).length).toBeGreaterThan(outage_s)
    expect(countOf(own)).toEqual({ 200: own.length })
  })

  it.each(Object.keys(stored))("%s answers 503 with Retry-After meanwhile", (kind) => {
    const own = during({ [kind]: true })
    expect(own.length).toBeGreaterThan(outage_s)
    expect(countOf(own)).toEqual({ 503: own.length })
    expect(own.filter(({ retryAfter }) => !/^[1-9]\d*$/.test(retryAfter ?? ""))).toEqual([])
  })

  it("every request is answered within its limit", () => {
    const live_ms = Math.max(...answers.filter(({ kind }) => kind === "live").map(({ took_ms }) => took_ms))
    const isInDoubt = ({ asked_ms, kind }: Answered) => ["level 2", "batch"].includes(kind) && stopped_ms > asked_ms
    const slow = answers.filter((answer) => answer.took_ms > live_ms + (isInDoubt(answer) ? delayInDoubt_ms : delay_ms))
    expect(slow.map(describeAnswer(stopped_ms))).toEqual([])
  })

  it("all endpoints recover within seconds, without a restart", () => {
    expect(recovered_ms - reachable_ms).toBeLessThan(recovery_ms)
    const behind = answers.filter(({ asked_ms }) => asked_ms > recovered_ms)
    expect(new Set(behind.map(({ kind }) => kind)).size).toBe(kinds.length)
    const failed = behind.filter(({ outcome }) => !/^20[01]$/.test(outcome))
    // A replica that the machine holds up hears of the database too late, and says so for a moment.
    const isLate = ({ kind, outcome, retryAfter }: Answered) =>
      kind in stored && outcome === "503" && retryAfter !== undefined
    expect(failed.filter((answer) => !isLate(answer)).map(describeAnswer(stopped_ms))).toEqual([])
    expect(failed.length).toBeLessThan(behind.length / 10)
    expect(replicas.map(({ process }) => process.exitCode)).toEqual([null, null])
  })

  it("the readiness check stays ready, and reports that the database is unavailable", () => {
    expect(readiness).toMatchObject({ data: { status: "ready", database: "unavailable" } })
  })

  it("memory grows by less than 150 MB", () => {
    for (const [before_kb, behind_kb] of memory_kb) expect(behind_kb - before_kb).toBeLessThan(150_000)
  })

  it("both replicas stop with exit code 0", async () => {
    expect(await Promise.all(replicas.map((replica) => replica.stop()))).toEqual([0, 0])
  })
})

const kinds = Object.keys({ ...free, ...stored })

/** How often each question was asked, and answered, since a moment: the one of which that is least. */
const countIn = (answers: ReadonlyArray<Answered>, since_ms: number): number =>
  Math.min(
    ...kinds.map((kind) => answers.filter((answer) => answer.kind === kind && answer.asked_ms > since_ms).length)
  )

/** Waits until a busy machine has come so far. */
const enough = async (holds: () => boolean): Promise<void> => {
  const end_ms = performance.now() + outageTimeout_ms
  while (!holds() && performance.now() < end_ms) await setTimeout(50)
}

/** Whether every question that needs the database was answered again by both replicas. */
const isRecovered = (answers: ReadonlyArray<Answered>, since_ms: number): boolean =>
  Object.keys(stored).every((kind) => {
    const latest = answers.filter((answer) => answer.kind === kind && answer.asked_ms > since_ms).slice(-4)
    return latest.length === 4 && latest.every(({ outcome }) => outcome !== "503")
  })

const describeAnswer =
  (stopped_ms: number) =>
  ({ asked_ms, kind, outcome, took_ms }: Answered): string =>
    `${kind}, asked ${((asked_ms - stopped_ms) / 1_000).toFixed(1)} s after the stop: ${outcome} in ${Math.round(took_ms)} ms`

/** What a process holds in memory, in KiB. */
const memoryOf = ({ process }: Service): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${process.pid}/status`, "utf8"))?.[1])

const countOf = (answers: ReadonlyArray<Answered>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { outcome } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** Asks every question of every replica, again and again, until it is stopped. */
const startLoad = (replicas: ReadonlyArray<Service>, secret: string) => {
  const answers: Array<Answered> = []
  let asking = true
  const agent = new Agent({ keepAlive: true })
  const client = async (url: string, kind: string, question: Question) => {
    while (asking) {
      answers.push({ kind, ...(await ask(url, question, secret, agent)) })
      await setTimeout(pause_ms)
    }
  }
  const clients = Object.entries({ ...free, ...stored }).flatMap(([kind, question]) =>
    replicas.map(({ url }) => client(url, kind, question))
  )
  return {
    answers: answers as ReadonlyArray<Answered>,
    stop: async (): Promise<ReadonlyArray<Answered>> => {
      asking = false
      await Promise.all(clients)
      agent.destroy()
      return answers
    }
  }
}

const ask = async (
  url: string,
  { body, keyed, method = "GET", path, token }: Question,
  secret: string,
  agent: Agent
): Promise<Omit<Answered, "kind">> => {
  const asked_ms = performance.now()
  const headers = {
    ...(keyed && { "x-api-key": secret }),
    ...(token && asOperator),
    ...(body && { "content-type": "application/json" })
  }
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(`${url}${path}`, { method, headers, agent, timeout: 20_000 }, resolve)
      sent.on("error", reject)
      sent.end(body && JSON.stringify(body))
    })
    await response.toArray()
    const took_ms = performance.now() - asked_ms
    return { asked_ms, took_ms, outcome: `${response.statusCode}`, retryAfter: response.headers["retry-after"] }
  } catch (error) {
    const outcome = (error as NodeJS.ErrnoException).code ?? String(error)
    return { asked_ms, took_ms: performance.now() - asked_ms, outcome, retryAfter: undefined }
  }
}
