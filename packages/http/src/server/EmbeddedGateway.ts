/** The service inside another app, without Effect in its interface: open it, mount a handler, close it. */
import { type Layer, ManagedRuntime } from "effect"
import { type GatewayPorts, makeGateway } from "../pipeline/Gateway.ts"
import type { GatewayOptions } from "../pipeline/GatewayOptions.ts"
import { type NodeHandler, toNodeHandler } from "./NodeHandler.ts"
import { toWebHandler, type WebHandler } from "./WebHandler.ts"

export interface EmbeddedGateway {
  /** For `http.createServer`, Express, Fastify and the like. */
  readonly nodeHandler: NodeHandler
  /** For Hono, Next and other frameworks with `Request` and `Response`. */
  readonly fetch: WebHandler
  /** Makes the service report that it is not ready. Call it when the app is about to stop. */
  readonly drain: () => void
  /** Closes the stores. */
  readonly close: () => Promise<void>
}

/**
 * Opens the service on the stores of a layer.
 *
 * @throws Error if an option is wrong or a store cannot be opened
 */
export const openGateway = async <E>(
  options: GatewayOptions,
  ports: Layer.Layer<GatewayPorts, E>
): Promise<EmbeddedGateway> => {
  const runtime = ManagedRuntime.make(ports)
  try {
    const gateway = await runtime.runPromise(makeGateway(options))
    const context = await runtime.context()
    return {
      nodeHandler: toNodeHandler(gateway, context),
      fetch: toWebHandler(gateway, context),
      drain: gateway.drain,
      close: () => runtime.dispose()
    }
  } catch (error) {
    // The stores may already be open, and the caller has no reference to close them.
    await runtime.dispose()
    throw error
  }
}
