/**
 * The service as a child process: its parent sends the database and the ledger to use. It responds with its address,
 * and ends with its parent.
 */

import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import { makeGateway, serve } from "@postcode/http"
import { PostgresStore } from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import { layerPlainLedger } from "./PlainLedger.ts"
import { type ServiceOrder, servedDirectory } from "./ServiceOrder.ts"
import { layerSecrets } from "./secrets.ts"

const layerPorts = ({ databaseUrl, ledger }: ServiceOrder) => {
  const { attributes, directory } = servedDirectory()
  const store = PostgresStore.layer({ url: Redacted.make(databaseUrl) })
  return Layer.merge(
    ledger === "ours" ? store : Layer.provideMerge(layerPlainLedger, store),
    layerDirectory(directory, attributes)
  ).pipe(Layer.provideMerge(layerSecrets))
}

const start = (order: ServiceOrder) =>
  Effect.gen(function* () {
    const gateway = yield* makeGateway({ operatorToken: Redacted.make("no-operator-ever-calls-this-service") })
    const { port } = yield* serve(gateway, { port: 0, host: "127.0.0.1", drain_ms: 0 })
    process.send?.(port)
    return yield* Effect.never
  }).pipe(Effect.scoped, Effect.provide(layerPorts(order)))

process.once("message", (order: ServiceOrder) => {
  const running = new AbortController()
  process.once("disconnect", () => running.abort())
  Effect.runPromise(start(order), { signal: running.signal }).catch((error) => {
    if (running.signal.aborted) return
    console.error(error)
    process.exitCode = 1
  })
})
