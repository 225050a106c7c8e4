/** Attributes of units from files, in a worker: only the main thread holds them. */
import type { MessagePort } from "node:worker_threads"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Units } from "@postcode/gateway/directory/Units"
import { Effect, Layer } from "effect"
import type { MainMessage, WorkerMessage } from "./WorkerMessages.ts"

/** @param main the port to the main thread, whose other messages are ignored */
export const layerFileUnits = (main: MessagePort): Layer.Layer<Units> =>
  Layer.sync(Units, () => {
    const waiting = new Map<number, (attributes: ReadonlyArray<UnitAttributes>) => void>()
    let lastQuery = 0
    main.on("message", (message: MainMessage) => {
      if (message._tag !== "UnitsFound") return
      waiting.get(message.query)?.(message.attributes)
      waiting.delete(message.query)
    })
    return {
      attributes: (postcodes) =>
        Effect.callback((resume) => {
          const query = ++lastQuery
          waiting.set(query, (attributes) => resume(Effect.succeed(attributes)))
          main.postMessage({ _tag: "UnitsWanted", query, postcodes } satisfies WorkerMessage)
          return Effect.sync(() => waiting.delete(query))
        })
    }
  })
