/** The message of a delivery, with the headers of Standard Webhooks. */
import {
  type SealedSecrets,
  signedContent,
  type WebhookDelivery,
  type WebhookEndpoint,
  webhookBody
} from "./Webhook.ts"
import type { WebhookSecrets } from "./WebhookSecrets.ts"
import type { WebhookMessage } from "./WebhookTransport.ts"

/** A delivery, and what signs it. */
interface Signable {
  readonly endpoint: WebhookEndpoint
  readonly secrets: SealedSecrets
  readonly delivery: WebhookDelivery
}

/** Signed at a time. Undefined if the key that encrypted the secrets is no longer configured. */
export const signedMessage = (
  { delivery: { event }, endpoint, secrets }: Signable,
  { sign }: Pick<WebhookSecrets["Service"], "sign">,
  now_ms: number
): WebhookMessage | undefined => {
  const timestamp_s = Math.floor(now_ms / 1_000)
  const body = webhookBody(event)
  const sealed =
    secrets.former !== undefined && now_ms < Date.parse(endpoint.former_secret_until ?? "")
      ? [secrets.present, secrets.former]
      : [secrets.present]
  const content = signedContent(event.id, timestamp_s, body)
  const signatures = sealed.flatMap((one) => sign(one, endpoint.id, content) ?? [])
  if (signatures.length === 0) return undefined
  const headers = {
    "content-type": "application/json",
    "webhook-id": event.id,
    "webhook-timestamp": String(timestamp_s),
    "webhook-signature": signatures.join(" ")
  }
  return { url: endpoint.url, headers, body }
}

/** The fault of a delivery that cannot be signed. */
export const unsignedFault = "its secret was encrypted with a service secret that was removed: rotate it"
