/**
 * Port: what devices answer to challenges, read and verified. A credential is what a browser gave, as JSON. Verifying asks
 * nobody else: no attestation is looked at, and a ceremony that does not end in a few seconds fails with `Unavailable`.
 */
import { Context, type Effect } from "effect"
import type { InvalidParameter, InvalidToken, Unavailable } from "../../Errors.ts"
import type { Passkey, PasskeySite } from "./Passkey.ts"

/** What a device may sign with, as COSE numbers them, the best first: Ed25519, ECDSA on P-256, RSA. */
export const passkeyAlgorithms = [-8, -7, -257]

/** What an answer says of itself, not verified yet. */
export interface CredentialClaim {
  readonly challenge: string
  readonly credential_id: string
}

export class PasskeyCeremonies extends Context.Service<
  PasskeyCeremonies,
  {
    /** Undefined if it says neither. */
    readonly read: (credential: unknown) => CredentialClaim | undefined
    /** The passkey that was made in answer to the challenge, on that site, by a device that has seen its person. */
    readonly verifyNew: (
      credential: unknown,
      challenge: string,
      site: PasskeySite
    ) => Effect.Effect<Pick<Passkey, "counter" | "credential_id" | "public_key">, InvalidParameter | Unavailable>
    /** The counter of a passkey that signed the challenge, on that site, on a device that has seen its person. */
    readonly verifyUse: (
      credential: unknown,
      challenge: string,
      site: PasskeySite,
      passkey: Passkey
    ) => Effect.Effect<number, InvalidToken | Unavailable>
  }
>()("@postcode/core/PasskeyCeremonies") {}
