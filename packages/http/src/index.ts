export type { ConcurrencySettings } from "./ConcurrencyLimit.ts"
export * from "./EmbeddedGateway.ts"
export { errorTable } from "./ErrorTable.ts"
export * from "./Gateway.ts"
export type { AnswerRecord, GatewayOptions } from "./GatewayOptions.ts"
export type { HostedFile } from "./HostedFile.ts"
export type { HttpRequest, HttpResponse } from "./HttpMessage.ts"
export {
  isSigningKeyId,
  layerSessionTokens,
  type SigningKey,
  type SigningKeys
} from "./JoseSessionTokens.ts"
export { type EventLoop, LoadControl, type LoadState, type QueueName, queueNames } from "./LoadControl.ts"
export { type GatewayMetrics, makeGatewayMetrics } from "./metrics/GatewayMetrics.ts"
export {
  addNumber,
  type BlockOptions,
  familiesOf,
  type MetricBlock,
  MetricLayout,
  observeNumber,
  type ThreadNumbers
} from "./metrics/MetricBlocks.ts"
export { type MetricFamily, metricsContentType, metricsText } from "./metrics/MetricFamily.ts"
export { makeRequestMetrics, type RequestRecorder } from "./metrics/RequestMetrics.ts"
export { type NodeHandler, toNodeHandler } from "./NodeHandler.ts"
export * from "./NodeSecrets.ts"
export { checkPort, ListenFailed, type Listening, type ServeOptions, serve } from "./NodeServer.ts"
export { layerWebhookTransport } from "./NodeWebhookTransport.ts"
export { maximumPeppers, type Pepper } from "./Pepper.ts"
export type { QueueSettings, QueueState, RefusalReason } from "./RequestQueue.ts"
export { dataPolicy } from "./SecurityHeaders.ts"
export { isStrongSecret, strongSecretForm } from "./StrongSecret.ts"
export type { TraceParent } from "./tracing/TraceContext.ts"
export { type TracingOptions, traceGateway, withoutErrorTexts } from "./tracing/TracedGateway.ts"
export { toWebHandler, type WebHandler, type WebHandlerOptions } from "./WebHandler.ts"
