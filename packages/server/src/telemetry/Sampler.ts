/** Samples requests for tracing. */
import type { TraceParent } from "@postcode/http"
import type { TracingSettings } from "./TracingSettings.ts"

/** Decides for each request, given its parent trace. */
export const makeSampler = ({
  ratio,
  sampler
}: Pick<TracingSettings, "ratio" | "sampler">): ((parent: TraceParent | undefined) => boolean) => {
  const [, followsParent, own] = /^(parentbased_)?(.*)$/.exec(sampler) ?? []
  const share = own === "always_on" ? 1 : own === "always_off" ? 0 : ratio
  return (parent) => {
    if (parent === undefined) return Math.random() < share
    // Trace ids are random, so all services decide alike.
    return followsParent === undefined
      ? Number.parseInt(parent.traceId.slice(-13), 16) < share * 2 ** 52
      : parent.sampled
  }
}
