/** Webhooks on Node: sends them to public addresses alone. */
export { layerWebhookTransport, type WebhookTransportOptions } from "./WebhookTransport.ts"
