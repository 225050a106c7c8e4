/** The gateway behind a listening server, the same whichever thread it runs on. */
import { type PriceList, Prices } from "@postcode/core/Credits"
import type { Secrets } from "@postcode/core/ports/Secrets"
import {
  type GatewayOptions,
  type GatewayPorts,
  type ListenFailed,
  type Listening,
  layerNodeSecrets,
  makeGateway,
  type ServeOptions,
  serve
} from "@postcode/http"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { makeAccessLog } from "./AccessLog.ts"
import { layerServiceLog } from "./ServiceLog.ts"

/** What a gateway is told. Plain data, so that it can be sent to another thread. */
export interface GatewaySettings {
  readonly operatorToken: string
  readonly pepper: string
  readonly trustedProxies: ReadonlyArray<string>
  readonly keyRateLimit: number | undefined
  readonly addressRateLimit: number | undefined
  readonly prices: PriceList
  readonly accessLog: boolean
}

/** What a gateway needs beside its store. */
export const layerSettings = ({ pepper, prices }: GatewaySettings): Layer.Layer<Secrets> =>
  Layer.mergeAll(
    layerNodeSecrets({ version: 1, secret: Redacted.make(pepper) }),
    Layer.succeed(Prices, prices),
    layerServiceLog
  )

/** Listens until its scope closes; then it drains, and writes what is left of the access log. */
export const serveGatewayAt = (
  at: ServeOptions,
  settings: GatewaySettings
): Effect.Effect<Listening, ListenFailed, GatewayPorts | Scope.Scope> =>
  Effect.gen(function* () {
    const { accessLog, addressRateLimit, keyRateLimit, operatorToken, trustedProxies } = settings
    const options: GatewayOptions = {
      operatorToken: Redacted.make(operatorToken),
      trustedProxies,
      ...(keyRateLimit !== undefined && { keyRateLimit_per_minute: keyRateLimit }),
      ...(addressRateLimit !== undefined && { addressRateLimit_per_minute: addressRateLimit }),
      ...(accessLog && { onAnswer: yield* makeAccessLog })
    }
    return yield* serve(yield* makeGateway(options), at)
  })
