import type { Store } from "@postcode/gateway/Store"
import { Layer } from "effect"
import { openSandbox } from "./openSandbox.ts"

/**
 * A store of `createGateway` with the sandbox.
 *
 * ```ts
 * const gateway = await createGateway({ operatorToken, directory, store: withSandbox(memoryStore()) })
 * ```
 */
export const withSandbox = (store: Store): Store => ({
  ...store,
  layer: (directory) => {
    const opened = Layer.effectContext(openSandbox())
    return Layer.provideMerge(opened, store.layer(directory))
  }
})
