/**
 * Port: parsing and verification of WebAuthn responses, which are the browser's JSON. Attestations are ignored, so no
 * other service is contacted. A verification that exceeds a few seconds fails with `Unavailable`.
 */
import { Context, type Effect } from "effect"
import type { InvalidParameter, InvalidToken, Unavailable } from "../../Errors.ts"
import type { Passkey, PasskeySite } from "./Passkey.ts"

/** COSE algorithms in order of preference: Ed25519, ECDSA on P-256, RSA. */
export const passkeyAlgorithms = [-8, -7, -257]

/** The unverified content of a response. */
export interface CredentialClaim {
  readonly challenge: string
  readonly credential_id: string
}

export class PasskeyCeremonies extends Context.Service<
  PasskeyCeremonies,
  {
    /** Undefined if the response has neither. */
    readonly read: (credential: unknown) => CredentialClaim | undefined
    /** Verifies a registration: challenge, site and user verification. Returns the passkey. */
    readonly verifyNew: (
      credential: unknown,
      challenge: string,
      site: PasskeySite
    ) => Effect.Effect<Pick<Passkey, "counter" | "credential_id" | "public_key">, InvalidParameter | Unavailable>
    /** Verifies an assertion: challenge, site and user verification. Returns the counter. */
    readonly verifyUse: (
      credential: unknown,
      challenge: string,
      site: PasskeySite,
      passkey: Passkey
    ) => Effect.Effect<number, InvalidToken | Unavailable>
  }
>()("@postcode/gateway/PasskeyCeremonies") {}
