/** Port: the way to an endpoint of somebody else's. */
import { Context, type Effect } from "effect"
import type { WebhookAnswer } from "./Webhook.ts"

/** A message as it goes out. */
export interface WebhookMessage {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export class WebhookTransport extends Context.Service<
  WebhookTransport,
  {
    /**
     * Posts a message once, and says what came of it within 15 s. It follows nowhere else, and unless private addresses
     * are allowed it connects to public ones alone. Nothing of the answer's body is kept.
     */
    readonly post: (message: WebhookMessage) => Effect.Effect<WebhookAnswer>
  }
>()("@postcode/core/WebhookTransport") {}
