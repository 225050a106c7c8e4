/** Counts store operations in a thread's metrics. */
import { StoreMeter } from "@postcode/gateway/store/StoreMeter"
import { Layer } from "effect"
import type { ThreadMetrics } from "./ThreadMetrics.ts"

/** @param thread undefined if metrics are not read: then nothing is counted */
export const layerStoreMeter = (thread: ThreadMetrics | undefined): Layer.Layer<never> =>
  thread === undefined ? Layer.empty : Layer.succeed(StoreMeter, storeMeter(thread))

const storeMeter = ({ batches, queries, queryDuration }: ThreadMetrics): StoreMeter => ({
  query: () => {
    const began_ms = performance.now()
    queries.add(1)
    return (outcome) => {
      queries.add(-1)
      queryDuration[outcome].observe((performance.now() - began_ms) / 1_000)
    }
  },
  batch: (charges) => batches.observe(charges)
})
