import { Effect, Exit } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { LoadControl } from "../../src/load/LoadControl.ts"
import type { EventLoop, Outside } from "../../src/load/RequestQueue.ts"
import { type SimulatedStream, simulate } from "./SimulatedServer.ts"

/** Requests a second that the thread does of the free ones, and the store of the paid ones. */
const capacity = { free: 1_000 / 0.045, paid: 1_000 / 0.6 }

const free = (times: number, connections = 1_000): SimulatedStream => ({
  queue: "free",
  connections,
  rate_per_s: capacity.free * times,
  work_ms: 0.025,
  store_ms: 0
})

/** More connections than the concurrency limit. */
const paid = (times: number): SimulatedStream => ({
  queue: "paid",
  connections: 3_000,
  rate_per_s: capacity.paid * times,
  work_ms: 0.2,
  store_ms: 0.6
})

const only = (stream: SimulatedStream, controlled = true) => {
  const [result] = simulate(controlled, [stream])
  if (result === undefined) throw new Error("one stream has one result")
  return result
}

describe("a service under three times its capacity", () => {
  it("serves free requests at 90 % of its capacity, within 3 ms", () => {
    const { p99_ms, served_per_s } = only(free(3))
    expect(served_per_s).toBeGreaterThan(0.9 * capacity.free)
    expect(p99_ms).toBeLessThan(3)
    expect(only(free(3), false).p99_ms).toBeGreaterThan(40)
  })

  it("serves paid requests at 95 % of its capacity, within a second", () => {
    const { p99_ms, served_per_s } = only(paid(3))
    expect(served_per_s).toBeGreaterThan(0.95 * capacity.paid)
    expect(p99_ms).toBeLessThan(1_000)
    expect(only(paid(3), false).p99_ms).toBeGreaterThan(1_500)
  })

  it("refuses ten thousand clients within 4 s, and still serves at 90 % of its capacity", () => {
    const { refused_within_ms, served_per_s } = only(free(3, 10_000))
    expect(served_per_s).toBeGreaterThan(0.9 * capacity.free)
    expect(refused_within_ms).toBeLessThan(4_000)
  })
})

describe("a service below its capacity", () => {
  it("refuses nothing", () => {
    for (const stream of [free(0.9), paid(0.9)]) expect(only(stream).refused_per_s).toBe(0)
  })

  it("refuses nothing if the operating system pauses it half of the time", () => {
    const [{ refused_per_s = 0, served_per_s = 0 } = {}] = simulate(true, [free(0.35)], 50)
    expect(refused_per_s).toBe(0)
    expect(served_per_s).toBeGreaterThan(0.34 * capacity.free)
  })

  it("refuses nothing from clients that wait for each response", () => {
    const closed = { ...free(1, 64), rate_per_s: Number.POSITIVE_INFINITY }
    const { refused_per_s, served_per_s } = only(closed)
    expect(refused_per_s).toBe(0)
    expect(served_per_s).toBeGreaterThan(0.98 * capacity.free)
  })
})

describe("a flood", () => {
  it("of free requests does not affect paid ones", () => {
    const [, { p99_ms = 0, refused_per_s = 0, served_per_s = 0 } = {}] = simulate(true, [free(3), paid(0.5)])
    expect(refused_per_s).toBe(0)
    expect(served_per_s).toBeGreaterThan(0.49 * capacity.paid)
    expect(p99_ms).toBeLessThan(10)
  })

  it("of paid requests does not affect free ones", () => {
    const [{ p99_ms = 0, refused_per_s = 0, served_per_s = 0 } = {}] = simulate(true, [free(0.3), paid(3)])
    expect(refused_per_s).toBe(0)
    expect(served_per_s).toBeGreaterThan(0.29 * capacity.free)
    expect(p99_ms).toBeLessThan(5)
  })
})

describe("floods of free and of paid requests at once", () => {
  it("leave each at least half of its capacity, with all responses in time", () => {
    const results = simulate(true, [free(3), paid(3)])
    expect(results[0]?.p99_ms).toBeLessThan(30)
    expect(results[1]?.p99_ms).toBeLessThan(1_000)
    expect(results[0]?.served_per_s).toBeGreaterThan(0.5 * capacity.free)
    expect(results[1]?.served_per_s).toBeGreaterThan(0.9 * capacity.paid)
  })
})

describe("a request in a queue", () => {
  let loop: ManualLoop
  let load: LoadControl
  beforeEach(() => {
    loop = new ManualLoop()
    load = new LoadControl(loop, { paid: { limit: 1, target_ms: 30, timeout_ms: 1_000 } })
  })

  it("is served synchronously if there is capacity", () => {
    const answer = run(load, () => Exit.succeed("served"))
    expect(Exit.isExit(answer)).toBe(true)
  })

  it("waits while another is in flight, and starts when it ends", () => {
    const first = new Pending()
    Effect.runFork(run(load, first.work))
    const second = Effect.runFork(run(load, () => Exit.succeed("served")))
    loop.end()
    expect(second.pollUnsafe()).toBeUndefined()
    expect(load.state.paid).toMatchObject({ in_flight: 1, waiting: 1 })
    first.end()
    loop.end()
    expect(second.pollUnsafe()).toEqual(Exit.succeed("served"))
    expect(load.state.paid).toMatchObject({ in_flight: 0, waiting: 0 })
  })

  it("does not start before one that waits already", () => {
    const first = new Pending()
    Effect.runFork(run(load, first.work))
    const begun: Array<string> = []
    const noting = (name: string) => () => {
      begun.push(name)
      return Exit.succeed("served")
    }
    Effect.runFork(run(load, noting("second")))
    first.end()
    Effect.runFork(run(load, noting("third")))
    loop.end()
    expect(begun).toEqual(["second", "third"])
  })

  it("that took long makes others wait for two ticks at most", () => {
    run(load, () => {
      loop.pass(100)
      return Exit.succeed("served")
    })
    loop.end()
    const next = Effect.runFork(run(load, () => Exit.succeed("served")))
    loop.end()
    expect(next.pollUnsafe()).toEqual(Exit.succeed("served"))
  })

  it("is refused after it has waited too long, and does not start", () => {
    const first = new Pending()
    Effect.runFork(run(load, first.work))
    const late = new Pending()
    const second = Effect.runFork(run(load, late.work))
    loop.end()
    loop.pass(1_001)
    expect(second.pollUnsafe()).toEqual(Exit.succeed("refused"))
    first.end()
    loop.end()
    expect(late.begun).toBe(0)
    expect(load.state.paid.refused).toEqual({ late: 1, full: 0 })
  })

  it("does not start after its client has disconnected", () => {
    const first = new Pending()
    Effect.runFork(run(load, first.work))
    const gone = new Pending()
    const second = Effect.runFork(run(load, gone.work))
    second.interruptUnsafe()
    first.end()
    loop.end()
    expect(gone.begun).toBe(0)
    expect(load.state.paid).toMatchObject({ in_flight: 0, waiting: 0, refused: { late: 0 } })
  })

  it("releases its slot if its client disconnects", () => {
    const fiber = Effect.runFork(run(load, new Pending().work))
    expect(load.state.paid.in_flight).toBe(1)
    fiber.interruptUnsafe()
    expect(load.state.paid.in_flight).toBe(0)
  })

  it("has no slot while its body arrives, and needs one again afterwards", () => {
    const body = new Pending()
    const slow = Effect.runFork(run(load, (outside) => Effect.orDie(outside(body.work()))))
    expect(load.state.paid.in_flight).toBe(0)
    const quick = new Pending()
    Effect.runFork(run(load, quick.work))
    body.end()
    loop.end()
    expect(load.state.paid).toMatchObject({ in_flight: 1, waiting: 1 })
    quick.end()
    loop.end()
    expect(slow.pollUnsafe()).toEqual(Exit.succeed("served"))
    expect(load.state.paid).toMatchObject({ in_flight: 0, waiting: 0 })
  })

  it("that ends before its body has arrived releases its slot once", () => {
    const fiber = Effect.runFork(run(load, (outside) => Effect.orDie(outside(new Pending().work()))))
    fiber.interruptUnsafe()
    expect(load.state.paid.in_flight).toBe(0)
  })

  it("is refused synchronously if ten thousand wait", () => {
    Effect.runFork(run(load, new Pending().work))
    const fibers = Array.from({ length: 10_001 }, () => Effect.runFork(run(load, new Pending().work)))
    expect(fibers.filter((fiber) => fiber.pollUnsafe() !== undefined)).toHaveLength(1)
    expect(load.state.paid.refused).toEqual({ late: 0, full: 1 })
    Effect.runSync(Effect.sync(() => fibers.map((fiber) => fiber.interruptUnsafe())))
    expect(load.state.paid.waiting).toBe(0)
  })

  it("does not wait for requests of another queue", () => {
    Effect.runFork(run(load, new Pending().work))
    for (const name of ["free", "management", "sign_in"] as const) {
      expect(Exit.isExit(load.queues[name].run(() => Exit.succeed("served"), refused))).toBe(true)
    }
  })

  it("that throws when it starts leaves its queue unchanged", () => {
    const broken = (): Effect.Effect<string> => {
      throw new Error("broken")
    }
    expect(() => load.queues.paid.run(broken, refused)).toThrow("broken")
    expect(Exit.isExit(run(load, () => Exit.succeed("served")))).toBe(true)
  })
})

const refused = (): Effect.Effect<string> => Exit.succeed("refused")

const run = <E>(load: LoadControl, work: (outside: Outside) => Effect.Effect<string, E>) =>
  load.queues.paid.run<string, E>(work, refused)

/** Work that ends when it is told. */
class Pending {
  begun = 0
  private resume: (answer: Effect.Effect<string>) => void = () => {}
  readonly work = (): Effect.Effect<string> => {
    this.begun++
    return Effect.callback((resume) => {
      this.resume = resume
    })
  }
  end(): void {
    this.resume(Exit.succeed("served"))
  }
}

class ManualLoop implements EventLoop {
  private time_ms = 0
  private ends: Array<() => void> = []
  private later: Array<() => void> = []
  readonly now_ms = () => this.time_ms
  readonly schedule = (delay_ms: number, run: () => void) => {
    ;(delay_ms === 0 ? this.ends : this.later).push(run)
  }
  end(): void {
    for (const run of this.ends.splice(0)) run()
  }
  /** Time passes, and then all that waited for it happens. */
  pass(time_ms: number): void {
    this.time_ms += time_ms
    for (const run of this.later.splice(0)) run()
    this.end()
  }
}
