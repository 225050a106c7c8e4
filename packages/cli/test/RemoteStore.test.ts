/** What crosses between a remote store and its server, and what happens when the way there is long, full or cut. */
import { MessageChannel, type MessagePort } from "node:worker_threads"
import { CreditLedger } from "@postcode/core/credits/CreditLedger"
import { Units } from "@postcode/core/directory/Units"
import * as Errors from "@postcode/core/Errors"
import { ApiKeys } from "@postcode/core/keys/ApiKeys"
import { RateLimiter } from "@postcode/core/limits/RateLimiter"
import { Organizations } from "@postcode/core/organizations/Organizations"
import { newUsageEvent } from "@postcode/core/testing/Fixtures"
import { type UsageEvent, UsageLog } from "@postcode/core/usage/UsageLog"
import { MemoryStore } from "@postcode/memory"
import { Cause, Context, Effect, Exit, type Fiber, Layer, Logger, ManagedRuntime, Result } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { makeHeld } from "../../widget/test/Held.ts"
import { layerRemoteStore, type RemoteStoreOptions } from "../src/workers/RemoteStore.ts"
import type { StorePorts } from "../src/workers/StoreCalls.ts"
import { makeStoreServer } from "../src/workers/StoreServer.ts"

interface Connected {
  readonly run: <A, E>(effect: Effect.Effect<A, E, StorePorts>) => Promise<Exit.Exit<A, E>>
  readonly fork: <A, E>(effect: Effect.Effect<A, E, StorePorts>) => Fiber.Fiber<A, E>
  /** The calls of each message that went to the store. */
  readonly messages: ReadonlyArray<ReadonlyArray<unknown>>
  readonly storePort: MessagePort
  /** Closes the remote store, and waits until the server has noticed. */
  readonly close: () => Promise<void>
}

const opened: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

/** A store in memory with some of its ports replaced, and a remote store on it. */
const connect = async (
  replace: (ports: Context.Context<StorePorts>) => Context.Context<StorePorts>,
  options: RemoteStoreOptions = {}
): Promise<Connected> => {
  const { port1, port2 } = new MessageChannel()
  const units = Layer.succeed(Units, { attributes: (codes) => Effect.succeed(codes.map(() => ({}))) })
  const store = Layer.effectContext(
    Effect.map(Effect.provide(Effect.context<StorePorts>(), Layer.merge(MemoryStore.layer, units)), replace)
  )
  const server = ManagedRuntime.make(store)
  const closed = (await server.runPromise(makeStoreServer))(port1)
  const messages: Array<ReadonlyArray<unknown>> = []
  port1.on("message", (calls) => messages.push(calls))
  const remote = ManagedRuntime.make(layerRemoteStore(port2, options))
  await remote.runPromise(Effect.void)
  const close = async () => {
    await remote.dispose()
    await closed
    await server.dispose()
  }
  opened.push(close)
  return {
    run: (effect) => remote.runPromiseExit(effect),
    fork: (effect) => remote.runFork(effect),
    messages,
    storePort: port1,
    close
  }
}

const asItIs = (ports: Context.Context<StorePorts>) => ports

const getOrganization = (id: string) => Effect.flatMap(Organizations, ({ get }) => get(id))

const withGet = (get: (id: string) => Effect.Effect<never, never>) => (ports: Context.Context<StorePorts>) =>
  Context.add(ports, Organizations, { ...Context.get(ports, Organizations), get })

describe("how a call ends crosses over", () => {
  const fields: Readonly<Record<string, object>> = {
    InvalidParameter: { parameter: "level", message: "level: expected 1 to 5" },
    InsufficientCredits: { required: 3, balance: 2 },
    RateLimitExceeded: { retry_after_s: 7 },
    Unavailable: { retry_after_s: 2 }
  }
  const classes = Errors as unknown as Readonly<Record<string, new (fields: object) => Errors.CoreError>>

  const tags = Object.keys(classes).filter((name) => /^[A-Z]/.test(name))

  it.each(tags)("an error of core is the same error on the other side: %s", async (tag) => {
    const error = new (classes[tag] as NonNullable<(typeof classes)[string]>)(
      fields[tag] ?? { message: "why it is so" }
    )
    const { run } = await connect(withGet(() => Effect.fail(error) as never))
    const exit = await run(getOrganization("a"))
    const received = Exit.isFailure(exit) ? Result.getOrThrow(Cause.findError(exit.cause)) : undefined
    expect(received).toBeInstanceOf(classes[tag])
    expect(received).toMatchObject({ ...error, _tag: tag })
    expect(received?.message).toBe(error.message)
    expect(error.message).not.toBe("")
  })

  it("a defect stays a defect, with its name, message and stack", async () => {
    const defect = new RangeError("the amount of a charge: expected whole credits")
    const { run } = await connect(withGet(() => Effect.die(defect)))
    const exit = await run(getOrganization("a"))
    const cause = Exit.isFailure(exit) ? exit.cause : Cause.empty
    expect(Cause.hasFails(cause)).toBe(false)
    const { message, name, stack } = defect
    expect(Result.getOrThrow(Cause.findDefect(cause))).toMatchObject({ name, message, stack })
  })

  it("a method that throws is a defect, and those called with it are answered", async () => {
    const { run } = await connect(
      withGet(() => {
        throw new Error("broken")
      })
    )
    const page = { limit: 1, cursor: undefined }
    const list = Effect.flatMap(Organizations, ({ list }) => list({}, page))
    const [thrown, listed] = await Promise.all([run(getOrganization("a")), run(list)])
    expect(Exit.isFailure(thrown) && Cause.hasDies(thrown.cause)).toBe(true)
    expect(listed).toEqual(Exit.succeed({ items: [], next_cursor: null }))
  })

  it("a call that takes its time is answered once it is done, and holds no other up", async () => {
    const { release, released } = makeHeld()
    const { run } = await connect(
      withGet((id) => (id === "slow" ? Effect.promise(() => released) : Effect.void) as never)
    )
    const waited = run(getOrganization("slow"))
    expect(Exit.isSuccess(await run(getOrganization("quick")))).toBe(true)
    release()
    expect(Exit.isSuccess(await waited)).toBe(true)
  })
})

describe("messages", () => {
  it("all calls of one turn go in one, in their order", async () => {
    const { messages, run } = await connect(asItIs)
    const take = (limit: number) => Effect.flatMap(RateLimiter, ({ take }) => take("key:a", limit, 1))
    const decisions = await Promise.all([run(take(3)), run(take(3)), run(take(3)), run(take(3))])
    expect(messages.map(({ length }) => length)).toEqual([4])
    expect(decisions.map((exit) => Exit.isSuccess(exit) && exit.value.remaining)).toEqual([2, 1, 0, 0])
  })

  it("what is told arrives before what is asked behind it, and before the end", async () => {
    const counted: Array<UsageEvent> = []
    const usage = (ports: Context.Context<StorePorts>) =>
      Context.add(ports, UsageLog, {
        record: (event) => counted.push(event),
        daily: () => Effect.die("nobody asks"),
        traffic: () => Effect.sync(() => ({ requests: counted.length, credits: 0, refused: 0 }))
      })
    const { close, run } = await connect(usage)
    const event = newUsageEvent("a")
    const asked = Effect.flatMap(UsageLog, (log) => {
      for (let i = 0; i < 3; i++) log.record(event)
      return log.traffic({ organization_id: "a", key_id: "b" }, 0)
    })
    expect(await run(asked)).toEqual(Exit.succeed({ requests: 3, credits: 0, refused: 0 }))
    await run(Effect.map(UsageLog, (log) => log.record(event)))
    await close()
    expect(counted).toEqual([event, event, event, event])
  })

  it("what is told and not taken is logged, and harms nothing", async () => {
    const logged: Array<string> = []
    const log = Logger.map(Logger.formatLogFmt, (line) => logged.push(line))
    const broken = (ports: Context.Context<StorePorts>) =>
      ports.pipe(
        Context.add(UsageLog, {
          record: () => {
            throw new Error("the disk is full")
          },
          daily: () => Effect.succeed([]),
          traffic: () => Effect.die("nobody asks")
        }),
        Context.add(Logger.CurrentLoggers, new Set([log]))
      )
    const { run } = await connect(broken)
    const told = Effect.map(UsageLog, (log) => log.record({} as UsageEvent))
    await run(told)
    expect(Exit.isFailure(await run(getOrganization("nobody")))).toBe(true)
    expect(logged.join("\n")).toContain("the disk is full")
  })
})

describe("an interruption", () => {
  const waitingFor = (condition: () => boolean) => expect.poll(condition).toBe(true)
  /** What never ends by itself, and how far it is. */
  const makeEndless = () => {
    const steps: Array<string> = []
    const endless = Effect.onInterrupt(
      Effect.andThen(
        Effect.sync(() => steps.push("begun")),
        Effect.never
      ),
      () => Effect.sync(() => steps.push("interrupted"))
    )
    return { endless, steps }
  }

  it("before the call has left: it never leaves", async () => {
    const { fork, messages, run } = await connect(asItIs)
    const fiber = fork(getOrganization("a"))
    fiber.interruptUnsafe()
    await run(getOrganization("b"))
    expect(messages.flat().map((call) => (call as ReadonlyArray<unknown>)[2])).toEqual([["b"]])
  })

  it("while it runs: it is interrupted there, too", async () => {
    const { endless, steps } = makeEndless()
    const { fork } = await connect(withGet(() => endless))
    const fiber = fork(getOrganization("a"))
    await waitingFor(() => steps.length === 1)
    fiber.interruptUnsafe()
    await waitingFor(() => steps.length === 2)
    expect(steps).toEqual(["begun", "interrupted"])
  })

  it("of the caller's whole thread: what runs for it is interrupted", async () => {
    const { endless, steps } = makeEndless()
    const { close, fork } = await connect(withGet(() => endless))
    fork(getOrganization("a"))
    await waitingFor(() => steps.length === 1)
    await close()
    expect(steps).toEqual(["begun", "interrupted"])
  })
})

describe("a store that cannot follow", () => {
  const charge = Effect.flatMap(CreditLedger, ({ charge }) =>
    charge({
      organization_id: "a",
      environment: "test",
      key_id: "b",
      amount: 1,
      reason: "lookup",
      request_id: "c"
    })
  )
  const take = Effect.flatMap(RateLimiter, ({ take }) => take("address:a", 2, 1))
  const unavailable = Exit.fail(new Errors.Unavailable({ retry_after_s: 1 }))

  it("has only so many calls waiting: the next is unavailable at once, until one is answered", async () => {
    const { release, released } = makeHeld()
    const { messages, run } = await connect(
      withGet(() => Effect.promise(() => released) as never),
      { maximumWaiting: 2 }
    )
    const waiting = [run(getOrganization("a")), run(getOrganization("b"))]
    expect(await run(charge)).toEqual(unavailable)
    release()
    await Promise.all(waiting)
    expect(messages.flat()).toHaveLength(2)
    expect(await run(charge)).toEqual(Exit.fail(expect.objectContaining({ _tag: "InvalidApiKey" })))
  })

  it("leaves rate limits in force: they are counted on this side meanwhile", async () => {
    const { fork, run } = await connect(
      withGet(() => Effect.never),
      { maximumWaiting: 1 }
    )
    fork(getOrganization("a"))
    const decisions = [await run(take), await run(take), await run(take)]
    expect(decisions.map((exit) => Exit.isSuccess(exit) && exit.value.allowed)).toEqual([true, true, false])
  })

  it("and is gone is unavailable, for calls that wait and all later ones", async () => {
    const { run, storePort } = await connect(withGet(() => Effect.never))
    const waiting = run(getOrganization("a"))
    await run(take)
    storePort.close()
    expect(await waiting).toEqual(unavailable)
    expect(await run(charge)).toEqual(unavailable)
    expect(await run(Effect.flatMap(ApiKeys, ({ findByHash }) => findByHash("a", "b")))).toEqual(unavailable)
    expect(Exit.isSuccess(await run(take))).toBe(true)
  })
})
