/** Port: signing secrets of webhooks. They are stored encrypted and decrypted only to sign. */
import { Context, type Redacted } from "effect"

/** A new secret of an endpoint: plain to be shown once, and encrypted to be stored. */
export interface MadeWebhookSecret {
  /** `whsec_` and the base64 of 32 random bytes. */
  readonly secret: Redacted.Redacted<string>
  /** The same, encrypted for its endpoint. */
  readonly sealed: string
}

export class WebhookSecrets extends Context.Service<
  WebhookSecrets,
  {
    readonly make: (endpoint_id: string) => MadeWebhookSecret
    /** Encrypts a secret that the program of a listener made. */
    readonly seal: (endpoint_id: string, secret: Redacted.Redacted<string>) => string
    /** `v1,` and the base64 HMAC-SHA-256; undefined if the key that encrypted the secret is no longer configured. */
    readonly sign: (sealed: string, endpoint_id: string, content: string) => string | undefined
  }
>()("@postcode/gateway/WebhookSecrets") {}
