export type { HostedFile } from "./documents/HostedFile.ts"
export { LoadControl, type LoadState, type QueueName, queueNames } from "./load/LoadControl.ts"
export type { EventLoop, QueueSettings, QueueState } from "./load/RequestQueue.ts"
export { errorTable } from "./pipeline/ErrorTable.ts"
export * from "./pipeline/Gateway.ts"
export type { AnswerRecord, GatewayOptions } from "./pipeline/GatewayOptions.ts"
export { dataPolicy } from "./pipeline/SecurityHeaders.ts"
export * from "./server/createGateway.ts"
export * from "./server/EmbeddedGateway.ts"
export type { HttpRequest, HttpResponse } from "./server/HttpMessage.ts"
export { type NodeHandler, toNodeHandler } from "./server/NodeHandler.ts"
export { checkPort, ListenFailed, type Listening, type ServeOptions, serve } from "./server/NodeServer.ts"
export { toWebHandler, type WebHandler, type WebHandlerOptions } from "./server/WebHandler.ts"
export { type GatewayMetrics, makeGatewayMetrics } from "./telemetry/GatewayMetrics.ts"
export {
  type MetricHistogram,
  type MetricSnapshot,
  Metrics,
  type MetricValue,
  metricsContentType,
  metricsText
} from "./telemetry/Metrics.ts"
export { type RequestRecorder, requestMetrics, requestRecorder } from "./telemetry/RequestMetrics.ts"
export type { TraceParent } from "./telemetry/TraceContext.ts"
export { type TracingOptions, traceGateway, withoutErrorTexts } from "./telemetry/TracedGateway.ts"
