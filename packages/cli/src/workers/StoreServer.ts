/** The store's side of the calls that come from other threads: each one is run here, on the one store. */
import type { MessagePort } from "node:worker_threads"
import { Cause, Context, Effect, Fiber } from "effect"
import {
  nobodyWaits,
  type StoreAnswer,
  type StoreCall,
  type StoreError,
  type StorePorts,
  sentAnswer,
  storeMethods,
  withdrawn
} from "./StoreCalls.ts"

/** Answers the calls that come in at a port, until it is closed; then resolves, with nothing left running. */
export type ServeStore = (port: MessagePort) => Promise<void>

/**
 * A server for any number of callers. All that arrives in one message is begun in its order before anything else
 * happens, and what is done by then is answered in one message.
 */
export const makeStoreServer: Effect.Effect<ServeStore, never, StorePorts> = Effect.map(
  Effect.context<StorePorts>(),
  (context) => {
    const methods = storeMethods.map(({ name, port }) => methodOf(Context.get(context, port as never), name))
    const run = Effect.runForkWith(context)
    return (port) => serve(port, methods, run)
  }
)

type Method = (...args: ReadonlyArray<unknown>) => unknown
type Run = (effect: Effect.Effect<unknown, StoreError>) => Fiber.Fiber<unknown, StoreError>

const methodOf = (service: Readonly<Record<string, Method>>, name: string): Method => {
  const method = service[name] as Method
  return (...args) => method.apply(service, args as Array<unknown>)
}

const serve = (port: MessagePort, methods: ReadonlyArray<Method>, run: Run): Promise<void> => {
  const running = new Map<number, Fiber.Fiber<unknown, StoreError>>()
  let answers: Array<StoreAnswer> = []
  let receiving = false

  const send = () => {
    if (answers.length > 0) port.postMessage(answers)
    answers = []
  }

  /** What ends outside of a message waits for whatever else ends in this turn. */
  const answer = (it: StoreAnswer) => {
    if (!receiving && answers.length === 0) setImmediate(send)
    answers.push(it)
  }

  const begin = ([call, place, args]: StoreCall) => {
    if (place === withdrawn) return running.get(call)?.interruptUnsafe()
    const method = methods[place] as Method
    const fiber = run(call === nobodyWaits ? told(method, args) : asked(method, args))
    if (call === nobodyWaits) return
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return answer(sentAnswer(call, exit))
    running.set(call, fiber)
    fiber.addObserver((exit) => {
      running.delete(call)
      answer(sentAnswer(call, exit))
    })
  }

  port.on("message", (calls: ReadonlyArray<StoreCall>) => {
    receiving = true
    for (const call of calls) begin(call)
    receiving = false
    send()
  })
  return new Promise((resolve) => {
    port.once("close", () => {
      run(Fiber.interruptAll(running.values())).addObserver(() => resolve())
    })
  })
}

const asked = (method: Method, args: ReadonlyArray<unknown>): Effect.Effect<unknown, StoreError> =>
  Effect.suspend(() => method(...args) as Effect.Effect<unknown, StoreError>)

const told = (method: Method, args: ReadonlyArray<unknown>): Effect.Effect<unknown> =>
  Effect.catchCause(
    Effect.sync(() => method(...args)),
    (cause) => Effect.logError("the store did not take what a worker told it", Cause.die(Cause.squash(cause)))
  )
