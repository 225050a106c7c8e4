/**
 * Replicas of the service in this process: each with its own connections, through a proxy of its own, to one database.
 */

import { operatorToken } from "@postcode/conformance/wire"
import { type Gateway, type HttpResponse, makeGateway } from "@postcode/http"
import { Effect, Layer, Logger, Redacted, type Scope } from "effect"
import { layerStoreOn } from "../kit/FixtureDatabase.ts"
import { asOperator } from "../kit/Management.ts"
import { startTcpProxy, type TcpProxy } from "../kit/postgres/index.ts"
import { layerTestSecrets } from "../kit/TestSecrets.ts"

export interface Replica {
  readonly proxy: TcpProxy
  /** Sends a request with a key, or, under `/v1/admin`, with the operator's token. */
  readonly send: (method: string, target: string, options?: SendOptions) => Promise<Answered>
}

export interface SendOptions {
  readonly key?: string
  readonly body?: unknown
}

export interface Answered extends HttpResponse {
  /** What is in the body under `data`, where it is texts. */
  readonly data: Readonly<Record<"id" | "secret", string>>
}

/** Starts a replica on a database. What it logs is not shown: the tests make it reportUnavailable. */
export const startReplica = (url: string): Effect.Effect<Replica, never, Scope.Scope> =>
  Effect.gen(function* () {
    const proxy = yield* Effect.acquireRelease(
      Effect.promise(() => startTcpProxy(url)),
      ({ close }) => Effect.promise(close)
    )
    const store = Layer.provideMerge(layerStoreOn(proxy.url), layerTestSecrets)
    const gateway = yield* Effect.provide(
      makeGateway({ operatorToken: Redacted.make(operatorToken), addressRateLimit_per_minute: 1_000_000 }),
      yield* Effect.orDie(Layer.build(store))
    )
    const replica: Replica = {
      proxy,
      send: (method, target, options = {}) => send(gateway, method, target, options)
    }
    return replica
  }).pipe(Effect.provideService(Logger.CurrentLoggers, new Set()))

const send = async (gateway: Gateway, method: string, target: string, options: SendOptions): Promise<Answered> => {
  const { body, key } = options
  const headers: Readonly<Record<string, string | undefined>> = {
    "x-api-key": key,
    ...(target.startsWith("/v1/admin") && asOperator),
    ...(body !== undefined && { "content-type": "application/json" })
  }
  const response = await Effect.runPromise(
    gateway.answer({
      method,
      target,
      peer_address: "127.0.0.1",
      header: (name) => headers[name],
      body: () => Effect.succeed(new TextEncoder().encode(JSON.stringify(body)))
    })
  )
  return { ...response, data: JSON.parse(String(response.body)).data }
}
