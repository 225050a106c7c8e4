/**
 * Sends the service what a hostile network would, and looks at every answer. Requests go in rounds: each has a scene of
 * its own, so that what was revoked, removed or spent in one is there again in the next.
 */
import { operatorToken } from "@postcode/conformance/wire"
import { Connection } from "./Connection.ts"
import { type Exchanged, exchange, exchangeRaw } from "./Exchange.ts"
import { type Failure, type FuzzReport, Tally } from "./FuzzReport.ts"
import { requestCommand, shellCommand, shrinkBytes, shrinkRequest } from "./Reproduction.ts"
import type { FuzzRequest } from "./requests/FuzzRequest.ts"
import { hostileBodyRequest } from "./requests/HostileBodies.ts"
import { type Interface, type Operation, readInterface } from "./requests/Interface.ts"
import type { Known } from "./requests/Known.ts"
import {
  endsMuch,
  jsonHeaders,
  nearlyValidRequest,
  validRequest,
  worksOnPasswords
} from "./requests/OperationRequests.ts"
import { Random } from "./requests/Random.ts"
import { rawBytes } from "./requests/RawBytes.ts"
import { makeScene } from "./Scene.ts"
import { type Store, startFuzzed } from "./Service.ts"

export interface FuzzOptions {
  readonly store: Store
  readonly requests: number
  /** The same seed draws the same requests, but for ids and secrets, which the service makes up. */
  readonly seed: number
  /** Of the directory, where it is made for the run. */
  readonly units: number
  /** Whether to ask slow requests again alone, and to count as failures those that stay slow. */
  readonly isTimed: boolean
  readonly progress: (message: string) => void
}

export const runFuzz = async (options: FuzzOptions): Promise<FuzzReport> => {
  const { progress, requests, seed, store, units } = options
  await using service = await startFuzzed(store, units)
  const { port } = service
  const described = await readInterface(`http://127.0.0.1:${port}`)
  const run = new Run(described, port, options)
  const started_ms = performance.now()
  const memory: Array<number> = []
  let told = 0
  for (let done = 0; done < requests; done += perRound) {
    const known = await makeScene(port, new Random(seed ^ (done + 1)))
    await run.round(known, done, Math.min(requests, done + perRound))
    if (!service.isAlive())
      throw new Error(`the service ended during requests ${done} to ${done + perRound}, --seed ${seed}`)
    memory.push(await service.memory_mb())
    for (const { fault, reproduction } of run.tally.failures().slice(told)) progress(`${fault}\n${reproduction}`)
    told = run.tally.failures().length
    progress(
      `${Math.min(requests, done + perRound)} of ${requests} requests, ${run.tally.failures().length} failures, ${memory.at(-1)?.toFixed(0)} MB`
    )
  }
  const most = Math.max(...memory)
  if (most > mostMemory_mb) run.tally.fail(`the service takes ${most.toFixed(0)} MB`, requests)
  if (options.isTimed && run.late > mostLate * requests) run.tally.fail(`${run.late} answers of 503`, requests)
  for (const complaint of service.complaints) run.tally.fail(complaint, requests)
  const never = described.operations.filter(({ name }) => !run.succeeded.has(name)).map(({ name }) => name)
  return {
    store,
    seed,
    requests,
    seconds: (performance.now() - started_ms) / 1_000,
    answers: run.tally.answers(),
    succeeded: [described.operations.length - never.length, described.operations.length],
    neverSucceeded: never,
    askedAgain: run.askedAgain,
    slowestAlone_ms: run.slowestAlone_ms,
    slowest_ms: run.slowest_ms,
    memory_mb: { first: memory[0] ?? 0, last: memory.at(-1) ?? 0, most },
    failures: run.tally.failures()
  }
}

const perRound = 1_000
const atOnce = 40

/** The store in memory keeps all that was made; the rest must be bounded. */
const mostMemory_mb = 1_000

/** How long one answer may take, alone on a quiet service. */
const longest_ms = 50

/** Passwords are slow to hash on purpose, in threads beside the event loop; so is the queue before them, but not long. */
const longestForPasswords_ms = 1_000

/**
 * On a machine that is busy, the service or its database may refuse what it could answer only late: of so many
 * requests.
 */
const mostLate = 0.01

/** How often a slow request is asked again before it counts as one. */
const repetitions = 10

/** One row and its entry in the audit log. */
const plainChange = (known: Known): FuzzRequest => ({
  method: "PUT",
  path: `/v1/admin/organizations/${known.first("org")}/name`,
  query: [],
  headers: [["authorization", `Bearer ${operatorToken}`], ...jsonHeaders],
  body: Buffer.from('{"name":"Fuzz"}'),
  isChunked: false
})

/** What took long, and how to ask it again. */
interface Suspect {
  readonly index: number
  readonly time_ms: number
  readonly limit_ms: number
  readonly again: () => Promise<Exchanged>
  readonly reproduction: () => string
}

class Run {
  readonly tally = new Tally()
  readonly succeeded = new Set<string>()
  slowest_ms = 0
  slowestAlone_ms = 0
  askedAgain = 0
  /** Answers of 503. */
  late = 0
  private readonly described: Interface
  private readonly port: number
  private readonly seed: number
  private readonly isTimed: boolean
  private suspects: Array<Suspect> = []
  private times_ms: Array<number> = []
  private shrinks: Array<() => Promise<void>> = []

  constructor(described: Interface, port: number, { isTimed, seed }: FuzzOptions) {
    this.isTimed = isTimed
    this.described = described
    this.port = port
    this.seed = seed
  }

  async round(known: Known, from: number, to: number): Promise<void> {
    let next = from
    const worker = async () => {
      const connection = new Connection(this.port)
      while (next < to) await this.one(known, connection, next++)
      connection.close()
    }
    this.times_ms = []
    await Promise.all(Array.from({ length: atOnce }, worker))
    const usual_ms = this.times_ms.sort((a, b) => a - b)[this.times_ms.length >> 1] ?? 0
    // Where most take long, the machine is busy, and not with these requests.
    const suspects = this.suspects.splice(0).filter(({ time_ms }) => time_ms > 4 * usual_ms)
    for (const suspect of suspects) await this.askAlone(suspect, plainChange(known))
    for (const shrink of this.shrinks.splice(0)) await shrink()
  }

  private async one(known: Known, connection: Connection, index: number): Promise<void> {
    const { described } = this
    const random = new Random(Math.imul(this.seed, 0x9e3779b1) ^ index)
    const sources = { described, known, random }
    const drawn = random.below(100)
    const operation = this.draw(random)
    if (drawn < 35) return await this.ask("valid", index, connection, validRequest(sources, operation), known)
    if (drawn < 70) return await this.ask("changed", index, connection, nearlyValidRequest(sources, operation), known)
    if (drawn < 80) {
      return await this.ask("bodies", index, connection, hostileBodyRequest(sources, described.operations), known)
    }
    const bytes = rawBytes(random, () => validRequest(sources, this.draw(random)))
    const cuts = Array.from({ length: random.below(4) }, () => random.below(bytes.length + 1)).sort((a, b) => a - b)
    const pieces = [...cuts, bytes.length].map((end, i) => bytes.subarray(cuts[i - 1] ?? 0, end))
    const exchanged = await exchangeRaw(described, this.port, pieces)
    this.note("bytes", index, exchanged, {
      limit_ms: longestForPasswords_ms,
      again: () => exchangeRaw(described, this.port, [bytes]),
      reproduction: () => shellCommand(bytes)
    })
    this.shrinkLater(exchanged, index, async (isSame) =>
      shellCommand(await shrinkBytes(bytes, async (some) => isSame(await exchangeRaw(described, this.port, [some]))))
    )
  }

  /** Those that hash a password take as long as a hundred others, and some end what others need: they come less often. */
  private draw(random: Random): Operation {
    const operation = random.pick(this.described.operations)
    const isRare = worksOnPasswords(operation) || endsMuch(operation)
    return isRare && random.chance(90) ? this.draw(random) : operation
  }

  private async ask(
    kind: string,
    index: number,
    connection: Connection,
    request: FuzzRequest,
    known: Known
  ): Promise<void> {
    const exchanged = await exchange(this.described, connection, request)
    this.note(kind, index, exchanged, {
      limit_ms: worksOnPasswords(request) ? longestForPasswords_ms : longest_ms,
      again: () => this.askOnce(request),
      reproduction: () => requestCommand(request)
    })
    for (const { headers, status, text } of exchanged.received) {
      const cookie = headers["set-cookie"]?.split(";")[0]
      if (cookie !== undefined) known.learn("cookie", cookie)
      if (status >= 300 || request.method === "HEAD" || text === "") continue
      const operation = this.described.find(request.method, request.path)
      if (operation !== undefined) this.succeeded.add(operation.name)
      known.learnFrom((JSON.parse(text) as { readonly data?: unknown }).data)
    }
    this.shrinkLater(exchanged, index, async (isSame) =>
      requestCommand(await shrinkRequest(request, async (some) => isSame(await this.askOnce(some))))
    )
  }

  private note(kind: string, index: number, exchanged: Exchanged, suspect: Omit<Suspect, "index" | "time_ms">): void {
    const { received, time_ms } = exchanged
    this.tally.count(kind, received)
    this.slowest_ms = Math.max(this.slowest_ms, time_ms)
    this.times_ms.push(time_ms)
    if (this.isTimed && time_ms > longest_ms) this.suspects.push({ ...suspect, index, time_ms })
  }

  /**
   * Slow is what is slow alone, each time, and beside it by much slower than a plain change to the store: the machine may
   * be busy with something else.
   */
  private async askAlone({ again, index, limit_ms, reproduction }: Suspect, plain: FuzzRequest): Promise<void> {
    this.askedAgain++
    let fastest_ms = Number.POSITIVE_INFINITY
    let plain_ms = Number.POSITIVE_INFINITY
    for (let i = 0; i < repetitions && fastest_ms > longest_ms; i++) {
      fastest_ms = Math.min(fastest_ms, (await again()).time_ms)
      plain_ms = Math.min(plain_ms, (await this.askOnce(plain)).time_ms)
    }
    this.slowestAlone_ms = Math.max(this.slowestAlone_ms, fastest_ms)
    if (fastest_ms <= Math.max(limit_ms, 4 * plain_ms)) return
    const failure = this.tally.fail(`slow: ${fastest_ms.toFixed(0)} ms alone`, index)
    if (failure !== undefined) failure.reproduction = reproduction()
  }

  /** On a connection of its own. */
  private async askOnce(request: FuzzRequest): Promise<Exchanged> {
    const alone = new Connection(this.port)
    try {
      return await exchange(this.described, alone, request)
    } finally {
      alone.close()
    }
  }

  private shrinkLater(
    { faults }: Exchanged,
    index: number,
    shrink: (isSame: (exchanged: Exchanged) => boolean) => Promise<string>
  ): void {
    for (const fault of faults) {
      if (fault.startsWith("503")) {
        this.late++
        continue
      }
      const failure = this.tally.fail(fault, index)
      if (failure !== undefined) this.shrinks.push(() => shrinkFailure(failure, shrink))
    }
  }
}

const shrinkFailure = async (
  failure: Failure,
  shrink: (isSame: (exchanged: Exchanged) => boolean) => Promise<string>
): Promise<void> => {
  const start = failure.fault.slice(0, 30)
  failure.reproduction = await shrink(({ faults }) => faults.some((fault) => fault.startsWith(start)))
}
