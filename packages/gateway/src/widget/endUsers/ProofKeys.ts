/** Port: keys with which organizations sign proofs of end users. They are stored encrypted and decrypted only to verify. */
import { Context, type Effect, type Redacted } from "effect"

/** A new key of an organization: plain to be shown once, and encrypted to be stored. */
export interface MadeProofKey {
  /** `svc_proof_` and the base64url of 32 random bytes. */
  readonly secret: Redacted.Redacted<string>
  /** The same, encrypted for its organization. */
  readonly sealed: string
}

export class ProofKeys extends Context.Service<
  ProofKeys,
  {
    readonly make: (organization_id: string) => MadeProofKey
    /**
     * The claims of a JWT that was signed with HS256 and one of these keys; undefined for anything else: another algorithm,
     * another encoding, another key. Signatures are compared in constant time. The claims are not checked.
     *
     * @param sealed keys of the organization
     */
    readonly read: (
      sealed: ReadonlyArray<string>,
      organization_id: string,
      token: Redacted.Redacted<string>
    ) => Effect.Effect<unknown>
  }
>()("@postcode/gateway/ProofKeys") {}
