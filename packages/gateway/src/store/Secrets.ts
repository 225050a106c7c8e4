/** Port: randomness and hashes. */
import { Context, type Redacted } from "effect"

/** The keyed hashes of an identifier, see `Secrets.identifierHashes`: the first is under the current pepper. */
export type IdentifierHashes = readonly [present: string, ...former: ReadonlyArray<string>]

export class Secrets extends Context.Service<
  Secrets,
  {
    /** Returns `length` characters of `[0-9A-Za-z]` from a cryptographic source, uniformly distributed. */
    readonly random: (length: number) => string
    /** SHA-256 in hex. For keys and tokens, which have enough entropy. */
    readonly hash: (secret: Redacted.Redacted<string>) => string
    /** The same for a secret as received, which spares a wrapper per request. The caller must not keep the secret. */
    readonly hashSent: (secret: string) => string
    /**
     * HMAC-SHA-256 under the secret pepper, in hex, prefixed with the pepper's version: `1:…`. For identifiers, which
     * can be guessed: without the pepper, the hash cannot be verified.
     */
    readonly hashIdentifier: (normalized: Redacted.Redacted<string>) => string
    /**
     * The hash under the current pepper (see `hashIdentifier`), then the hashes under previous peppers that are still
     * valid, so that accounts stored under those are found.
     */
    readonly identifierHashes: (normalized: Redacted.Redacted<string>) => IdentifierHashes
  }
>()("@postcode/gateway/Secrets") {}
