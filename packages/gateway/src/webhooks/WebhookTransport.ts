/** Port: HTTP requests to webhook endpoints. */
import { Context, type Effect } from "effect"
import type { WebhookAnswer } from "./Webhook.ts"

/** An outgoing message. */
export interface WebhookMessage {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export class WebhookTransport extends Context.Service<
  WebhookTransport,
  {
    /**
     * Posts a message once and returns the outcome within 15 s. Redirects are not followed, and unless private
     * addresses are allowed, it connects only to public ones. The response body is discarded.
     */
    readonly post: (message: WebhookMessage) => Effect.Effect<WebhookAnswer>
  }
>()("@postcode/gateway/WebhookTransport") {}
