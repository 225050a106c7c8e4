/**
 * The ports of a store that another thread has. A call is a message there and one back; all calls that are made in one
 * turn of the event loop go in one message, so that under load a message carries many.
 */
import type { MessagePort } from "node:worker_threads"
import { Unavailable } from "@postcode/core/Errors"
import { type RateDecision, RateLimiter } from "@postcode/core/limits/RateLimiter"
import { layerRateLimiter, layerTransactions } from "@postcode/memory"
import { Context, Effect, Exit, Layer } from "effect"
import {
  type CalledPorts,
  nobodyWaits,
  receivedAnswer,
  type StoreAnswer,
  type StoreCall,
  type StoreError,
  type StorePorts,
  storeMethods,
  withdrawn
} from "./StoreCalls.ts"

/** How much may be under way. */
export interface RemoteStoreOptions {
  /**
   * How many calls may wait for their answers; 10,000 unless told. One more is refused as `Unavailable`, so that a store
   * that cannot follow makes neither thread grow. What is only told needs no bound: it is told of requests that the
   * store has answered calls of.
   */
  readonly maximumWaiting?: number
}

/**
 * The ports at the other end of a port that a `StoreServer` answers. When their scope closes, what was told last still
 * arrives, and the port is closed.
 *
 * What is to be done as one is done call by call: a store in another thread is one in memory, whose writes cannot fail.
 * Only the way there can, see below.
 *
 * Calls fail with `Unavailable` while too many wait, and once the other end is gone: whether one that was waiting then
 * took effect is not known. Rate limits are the exception, as they never fail: each of these stores counts by itself
 * then.
 */
export const layerRemoteStore = (port: MessagePort, options: RemoteStoreOptions = {}): Layer.Layer<StorePorts> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const connection = yield* Effect.acquireRelease(
        Effect.sync(() => connect(port, options.maximumWaiting ?? 10_000)),
        ({ close }) => Effect.sync(close)
      )
      const ports = portsOf(connection)
      return Context.add(ports, RateLimiter, yield* withLocalLimits(Context.get(ports, RateLimiter)))
    })
  ).pipe(Layer.merge(layerTransactions))

/** Each port with its methods, all of which are calls. */
const portsOf = ({ ask, tell }: Connection): Context.Context<CalledPorts> => {
  const calls = storeMethods.map(({ kind, name, port }, place) => {
    const call = (...args: ReadonlyArray<unknown>) => (kind === "asked" ? ask(place, args) : tell(place, args))
    return { port, name, call }
  })
  const services = [...new Set(calls.map(({ port }) => port))].map((port) => {
    const own = calls.filter((call) => call.port === port).map(({ call, name }) => [name, call])
    return Context.make(port as typeof RateLimiter, Object.fromEntries(own))
  })
  return Context.mergeAll(...services) as Context.Context<CalledPorts>
}

/** The addresses and keys that are counted while the store is out of reach. */
const locallyCounted = 10_000

const withLocalLimits = (remote: RateLimiter["Service"]): Effect.Effect<RateLimiter["Service"]> =>
  Effect.map(Effect.provide(RateLimiter, layerRateLimiter({ maximumSubjects: locallyCounted })), (local) => ({
    take: (subject, limit, cost) =>
      // The port says that this never fails, which holds for the store, but not for the way there.
      Effect.catch(remote.take(subject, limit, cost) as Effect.Effect<RateDecision, Unavailable>, () =>
        local.take(subject, limit, cost)
      )
  }))

interface Connection {
  readonly ask: (method: number, args: ReadonlyArray<unknown>) => Effect.Effect<unknown, StoreError>
  readonly tell: (method: number, args: ReadonlyArray<unknown>) => void
  readonly close: () => void
}

type Resume = (exit: Exit.Exit<unknown, StoreError>) => void

const unavailable = Exit.fail(new Unavailable({ retry_after_s: 1 }))

const connect = (port: MessagePort, maximumWaiting: number): Connection => {
  const waiting = new Map<number, Resume>()
  let calls: Array<StoreCall> = []
  let lastCall = nobodyWaits
  let closed = false

  const send = () => {
    if (calls.length > 0) port.postMessage(calls)
    calls = []
  }

  const call = (it: StoreCall) => {
    if (calls.length === 0) setImmediate(send)
    calls.push(it)
  }

  const withdraw = (number: number) => {
    if (!waiting.delete(number)) return
    const unsent = calls.findIndex(([other]) => other === number)
    if (unsent === -1) call([number, withdrawn, []])
    else calls.splice(unsent, 1)
  }

  port.on("message", (answers: ReadonlyArray<StoreAnswer>) => {
    for (const answer of answers) {
      const resume = waiting.get(answer[0])
      waiting.delete(answer[0])
      resume?.(receivedAnswer(answer))
    }
  })
  port.once("close", () => {
    closed = true
    for (const resume of waiting.values()) resume(unavailable)
    waiting.clear()
  })

  return {
    ask: (method, args) =>
      Effect.callback((resume) => {
        if (closed || waiting.size >= maximumWaiting) return resume(unavailable)
        const number = ++lastCall
        waiting.set(number, resume)
        call([number, method, args])
        return Effect.sync(() => withdraw(number))
      }),
    tell: (method, args) => {
      if (!closed) call([nobodyWaits, method, args])
    },
    close: () => {
      send()
      port.close()
    }
  }
}
