/** Counts store operations in a thread's metrics. */
import { queryOutcomes, StoreMeter } from "@postcode/core/store/StoreMeter"
import { addNumber, observeNumber } from "@postcode/http"
import { Layer } from "effect"
import { batchBounds, queryBounds_s, threadBlocks } from "./ThreadMetrics.ts"

/** @param numbers undefined if they are not read: then nothing is counted */
export const layerStoreMeter = (numbers: Float64Array | undefined): Layer.Layer<never> =>
  numbers === undefined ? Layer.empty : Layer.succeed(StoreMeter, storeMeter(numbers))

const storeMeter = (numbers: Float64Array): StoreMeter => {
  const { batches, questions, questionTime } = threadBlocks
  return {
    query: () => {
      const began_ms = performance.now()
      addNumber(numbers, questions.start, 1)
      return (outcome) => {
        addNumber(numbers, questions.start, -1)
        const place = questionTime.start + queryOutcomes.indexOf(outcome) * questionTime.width
        observeNumber(numbers, place, queryBounds_s, (performance.now() - began_ms) / 1_000)
      }
    },
    batch: (charges) => observeNumber(numbers, batches.start, batchBounds, charges)
  }
}
