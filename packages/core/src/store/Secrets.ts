/** Port: randomness and hashes. */
import { Context, type Redacted } from "effect"
import type { IdentifierHashes } from "../widget/WidgetSession.ts"

export class Secrets extends Context.Service<
  Secrets,
  {
    /** That many characters of `[0-9A-Za-z]` from a cryptographic source, each equally likely. */
    readonly random: (length: number) => string
    /** SHA-256 in hex. For keys and tokens, which hold enough randomness of their own. */
    readonly hash: (secret: Redacted.Redacted<string>) => string
    /** The same of a secret as it was sent and goes no further, so that nothing need be wrapped for each request. */
    readonly hashSent: (secret: string) => string
    /**
     * HMAC-SHA-256 under the secret pepper, in hex behind the pepper's version: `1:…`. For identifiers, which can be
     * guessed: without the pepper the hash says nothing.
     */
    readonly hashIdentifier: (normalized: Redacted.Redacted<string>) => string
    /**
     * The hash under the present pepper, as `hashIdentifier` gives it, and behind it those under the peppers of before
     * that still count: an account that was stored under one of them is found by it.
     */
    readonly identifierHashes: (normalized: Redacted.Redacted<string>) => IdentifierHashes
  }
>()("@postcode/core/Secrets") {}
