/** The metrics of a gateway inside another app. */
import type { AnswerRecord } from "../pipeline/GatewayOptions.ts"
import { Metrics, metricsText } from "./Metrics.ts"
import { requestMetrics, requestRecorder } from "./RequestMetrics.ts"

export interface GatewayMetrics {
  /** The gateway's `onAnswer` option. Gateways that share it are counted together. */
  readonly onAnswer: (record: AnswerRecord) => void
  /** The metrics in the text format of Prometheus. Serve them as `metricsContentType`. */
  readonly text: () => string
}

/**
 * New metrics, which begin at 0.
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
