/** Tests of rate limits on PostgreSQL over hours of simulated time; callers choose their size. */
import { assert, layer } from "@effect/vitest"
import { rateLimiterSuite, unique } from "@postcode/conformance"
import { RateLimiter, type RateSubject } from "@postcode/gateway/limits/RateLimiter"
import { Context, Effect, Exit, Fiber, Layer } from "effect"
import type { Quotas } from "../../src/limits/Quotas.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { PassedRequests } from "../PassedRequests.ts"
import { randomNumbers } from "../RandomNumbers.ts"
import { SimulatedReplicas } from "./SimulatedReplicas.ts"

class Simulation extends Context.Service<Simulation, SimulatedReplicas>()("test/Simulation") {}

const simulated = Layer.effect(Simulation, Effect.flatMap(migratedDatabase, SimulatedReplicas.on))

const take = (replica: Quotas, subject: RateSubject, limit: number, cost: number) =>
  Effect.suspend(() => replica.take(subject, limit, cost))

export interface SimulationSize {
  /** The number of runs of the suite's property. */
  readonly runs: number
  /** Limits and durations for random requests with replicas that die. */
  readonly random: { readonly limits: ReadonlyArray<number>; readonly duration_ms: number }
  /** Limits for a subject that requests continuously. */
  readonly steady: { readonly limits: ReadonlyArray<number> }
}

export const simulatedLimits = (size: SimulationSize): void => {
  oneReplica(size)
  severalReplicas(size)
}

const oneReplica = ({ runs }: SimulationSize): void => {
  let suiteSimulation: SimulatedReplicas | undefined
  rateLimiterSuite(
    "on PostgreSQL, one replica, simulated",
    Layer.effect(
      RateLimiter,
      Effect.map(Simulation, (simulation) => {
        suiteSimulation = simulation
        const replica = simulation.addReplica()
        return {
          take: (subject, limit, cost) => take(replica, subject, limit, cost),
          takeAll: (limits, cost) => Effect.suspend(() => replica.takeAll(limits, cost))
        }
      })
    ).pipe(Layer.provide(simulated)),
    { advance: (duration_ms) => Effect.promise(async () => suiteSimulation?.advance(duration_ms)), runs }
  )
}

const severalReplicas = ({ random: { duration_ms, limits }, steady }: SimulationSize): void => {
  layer(simulated, { excludeTestServices: true })("Rate limits of several replicas", (it) => {
    it.effect("no minute has more allowed requests than the limit, with random requests at replicas that may die", () =>
      Effect.gen(function* () {
        const simulation = yield* Simulation
        const random = randomNumbers(20_261_121)
        for (const limit of limits) {
          const replicas = [0, 1, 2].map((i) => simulation.addReplica(-1e9 * i))
          const subject = newKey()
          const passed = new PassedRequests()
          const end_ms = simulation.now_ms + duration_ms
          while (simulation.now_ms < end_ms) {
            if (random.below(200) === 0) {
              simulation.kill(replicas[0]!)
              replicas.splice(0, 1, simulation.addReplica(random.below(1e6)))
            }
            // Sometimes many requests at one replica, sometimes few at any, sometimes none.
            const crowd = random.pick([0, 1, 1, 2, 5, Math.ceil(limit / 4)])
            const takes = Array.from({ length: crowd }, () => {
              const cost = random.pick([0, 1, 1, 1, 1, 2])
              return Effect.map(take(random.pick(replicas), subject, limit, cost), ({ allowed, remaining }) => {
                if (allowed) passed.add(simulation.now_ms, cost)
                assert.isTrue(remaining >= 0 && remaining <= limit)
              })
            })
            yield* Effect.all(takes, { concurrency: "unbounded" })
            yield* Effect.promise(() => simulation.advance(random.pick([1, 130, 130, 700, random.below(9_000)])))
          }
          passed.assertWithin(limit, `limit ${limit}`)
          assert.isAbove(passed.count, limit, "something passed in more than one window")
          for (const replica of replicas) simulation.kill(replica)
        }
      })
    )

    it.effect("a subject that requests continuously gets at least 95 % of its limit, at any replicas", () =>
      Effect.gen(function* () {
        const simulation = yield* Simulation
        const random = randomNumbers(7)
        const minutes = 2
        for (const limit of steady.limits) {
          const replicas = [0, 1, 2].map(() => simulation.addReplica())
          const places: ReadonlyArray<readonly [string, () => Quotas]> = [
            ["anywhere", () => random.pick(replicas)],
            [
              "at one replica for 7 seconds, then at the next",
              () => replicas[Math.floor(simulation.now_ms / 7_000) % 3]!
            ]
          ]
          for (const [place, replica] of places) {
            const subject = newKey()
            const passed = new PassedRequests()
            for (let elapsed_ms = 0; elapsed_ms < minutes * 60_000; elapsed_ms += 90) {
              const decision = yield* take(replica(), subject, limit, 1)
              if (decision.allowed) passed.add(simulation.now_ms)
              yield* Effect.promise(() => simulation.advance(90))
            }
            passed.assertWithin(limit, place)
            assert.isAtLeast(passed.count, 0.95 * limit * minutes, `limit ${limit}, asking ${place}`)
          }
          for (const replica of replicas) simulation.kill(replica)
        }
      })
    )

    it.effect("steady requests far below the limit rarely wait for the database", () =>
      Effect.gen(function* () {
        const simulation = yield* Simulation
        const replicas = [0, 1, 2].map(() => simulation.addReplica())
        const subjects = [newKey(), newAddress(), newAddress()]
        const [queriesBefore, before_ms] = [simulation.queries, simulation.now_ms]
        let waited = 0
        let requests = 0
        for (let round = 0; round < 600; round++) {
          for (const subject of subjects) {
            const request = replicas[round % 3]!.take(subject, 600, 1)
            requests++
            if (!Exit.isExit(request)) waited++
            yield* request
          }
          yield* Effect.promise(() => simulation.advance(150))
        }
        assert.isAtMost(waited, 0.02 * requests)
        const settled = (2 * replicas.length * (simulation.now_ms - before_ms)) / 1000
        assert.isAtMost(simulation.queries - queriesBefore, settled + waited)
      })
    )

    it.effect("a refused subject causes at most two queries per second", () =>
      Effect.gen(function* () {
        const simulation = yield* Simulation
        const [first, second] = [simulation.addReplica(), simulation.addReplica()]
        const subject = newKey()
        for (const replica of [first, second]) yield* take(replica, subject, 20, 10)
        const before = simulation.queries
        for (let i = 0; i < 1_000; i++) {
          for (const replica of [first, second]) {
            const { allowed, remaining, retry_after_s } = yield* take(replica, subject, 20, 1)
            assert.deepStrictEqual({ allowed, remaining }, { allowed: false, remaining: 0 })
            assert.isAbove(retry_after_s, 0)
          }
          yield* Effect.promise(() => simulation.advance(10))
        }
        assert.isAtMost(simulation.queries - before, 20)
      })
    )

    it.effect("allowance that one replica does not use is available to another after it ends", () =>
      Effect.gen(function* () {
        const simulation = yield* Simulation
        const [first, second] = [simulation.addReplica(), simulation.addReplica()]
        const subject = newKey()
        for (let i = 0; i < 6; i++) yield* take(first, subject, 100, 2)
        yield* Effect.promise(() => simulation.advance(600))
        let passed = 0
        for (let i = 0; i < 100; i++) if ((yield* take(second, subject, 100, 1)).allowed) passed++
        assert.isBelow(passed, 88, "the first holds some")
        for (let s = 0; s < 12; s++) {
          yield* Effect.promise(() => simulation.advance(1_000))
          while ((yield* take(second, subject, 100, 1)).allowed) passed++
        }
        assert.strictEqual(passed, 88)
      })
    )

    it.effect("an interrupted request is not counted", () =>
      Effect.gen(function* () {
        const simulation = yield* Simulation
        const replica = simulation.addReplica()
        const subject = newKey()
        yield* Fiber.interrupt(yield* Effect.forkChild(take(replica, subject, 100, 1), { startImmediately: true }))
        yield* Effect.promise(() => simulation.advance(12_000))
        assert.strictEqual((yield* take(replica, subject, 100, 0)).remaining, 100)
      })
    )

    it.effect("a replica that was delayed does not use an allowance that has ended", () =>
      Effect.gen(function* () {
        const simulation = yield* Simulation
        const replica = simulation.addReplica()
        const subject = newKey()
        for (let i = 0; i < 6; i++) yield* take(replica, subject, 100, 2)
        assert.isTrue(Exit.isExit(replica.take(subject, 100, 1)), "it holds some")
        simulation.kill(replica)
        yield* Effect.promise(() => simulation.advance(10_000))
        assert.isFalse(Exit.isExit(replica.take(subject, 100, 1)), "it has to ask")
      })
    )

    it.effect("a key keeps its allowance during a flood of addresses", () =>
      Effect.gen(function* () {
        const replica = (yield* Simulation).addReplica()
        const subject = newKey()
        for (let i = 0; i < 6; i++) yield* take(replica, subject, 100, 2)
        const flood = Array.from({ length: 1_500 }, () => take(replica, newAddress(), 100, 1))
        yield* Effect.all(flood, { concurrency: "unbounded", discard: true })
        assert.isTrue(Exit.isExit(replica.take(subject, 100, 1)))
      })
    )

    it.effect("a replica that stops returns its allowance", () =>
      Effect.gen(function* () {
        const simulation = yield* Simulation
        const [first, second] = [simulation.addReplica(), simulation.addReplica()]
        const subject = newKey()
        for (let i = 0; i < 6; i++) yield* take(first, subject, 100, 2)
        simulation.kill(first)
        yield* Effect.promise(() => first.release())
        assert.strictEqual((yield* take(second, subject, 100, 0)).remaining, 88)
      })
    )

    it.effect("a limit of any size is decided without delay", () =>
      Effect.gen(function* () {
        const simulation = yield* Simulation
        const replica = simulation.addReplica()
        const subject = newKey()
        for (const limit of [2 ** 31, 2 ** 40]) {
          for (const cost of [900_000_000, 1, 1]) assert.isTrue((yield* take(replica, subject, limit, cost)).allowed)
          yield* Effect.promise(() => simulation.advance(61_000))
        }
      })
    )

    it.effect("different limits of a subject are queried separately", () =>
      Effect.gen(function* () {
        const simulation = yield* Simulation
        const [first, second] = [simulation.addReplica(), simulation.addReplica()]
        const subject = newKey()
        yield* take(first, subject, 50, 40)
        assert.deepInclude(yield* take(second, subject, 30, 1), { allowed: false, limit: 30, remaining: 0 })
        assert.deepInclude(yield* take(second, subject, 50, 1), { allowed: true, limit: 50, remaining: 9 })
        assert.deepInclude(yield* take(second, subject, 45, 1), { allowed: true, limit: 45, remaining: 3 })
        assert.deepInclude(yield* take(first, subject, 45, 4), { allowed: false, remaining: 3, retry_after_s: 60 })
      })
    )
  })
}

const newKey = (): RateSubject => `key:${unique("key")}`
const newAddress = (): RateSubject => `address:${unique("ip")}`
