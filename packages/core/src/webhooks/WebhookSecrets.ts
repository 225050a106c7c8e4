/** Port: the secrets by which receivers know that a webhook is ours. They are stored sealed, and opened to sign alone. */
import { Context, type Redacted } from "effect"

/** A new secret of an endpoint: to be shown once, and to be stored. */
export interface MadeWebhookSecret {
  /** `whsec_` and the base64 of 32 random bytes. */
  readonly secret: Redacted.Redacted<string>
  /** The same, encrypted: it opens for its endpoint alone. */
  readonly sealed: string
}

export class WebhookSecrets extends Context.Service<
  WebhookSecrets,
  {
    readonly make: (endpoint_id: string) => MadeWebhookSecret
    /** `v1,` and the base64 of the HMAC-SHA-256; undefined if what is sealed was so under a secret that is gone. */
    readonly sign: (sealed: string, endpoint_id: string, content: string) => string | undefined
  }
>()("@postcode/core/WebhookSecrets") {}
