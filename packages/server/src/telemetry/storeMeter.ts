/** Counts store operations in the metrics of a process. */
import { StoreMeter } from "@postcode/gateway/store/StoreMeter"
import { Layer } from "effect"
import type { ProcessMetrics } from "./ProcessMetrics.ts"

/** @param metrics undefined if metrics are not read: then nothing is counted */
export const layerStoreMeter = (metrics: ProcessMetrics | undefined): Layer.Layer<never> =>
  metrics === undefined ? Layer.empty : Layer.succeed(StoreMeter, storeMeter(metrics))

const storeMeter = ({ batches, queries, queryDuration }: ProcessMetrics): StoreMeter => ({
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
