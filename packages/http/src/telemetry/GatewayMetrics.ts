/** The metrics of a gateway inside another app: what to give it, and what to answer to Prometheus. */
import type { AnswerRecord } from "../pipeline/GatewayOptions.ts"
import { Metrics, metricsText } from "./Metrics.ts"
import { requestMetrics, requestRecorder } from "./RequestMetrics.ts"

export interface GatewayMetrics {
  /** The gateway's option of this name. Several gateways may share it, and are counted together. */
  readonly onAnswer: (record: AnswerRecord) => void
  /** What was counted so far, in the text format of Prometheus: serve it as `metricsContentType`. */
  readonly text: () => string
}

/**
 * Metrics that begin at nothing.
 *
 * ```ts
 * const metrics = makeGatewayMetrics()
 * const gateway = await openGateway({ …, onAnswer: metrics.onAnswer }, stores)
 * ```
 */
export const makeGatewayMetrics = (): GatewayMetrics => {
  const metrics = new Metrics(requestMetrics)
  return { onAnswer: requestRecorder(metrics), text: () => metricsText(metrics.snapshots()) }
}
