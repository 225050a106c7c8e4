/** Webhooks on Node: sends them to public addresses only. */
export { layerWebhookTransport, type WebhookTransportOptions } from "./WebhookTransport.ts"
