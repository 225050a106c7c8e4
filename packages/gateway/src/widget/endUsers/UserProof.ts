/**
 * Proof of an end user: a JWT with which an organization's server vouches that the person who starts a widget session owns
 * the session's identifier. The server signs it with HS256 and the organization's proof key; the page only passes it on.
 *
 * Test vectors in `vectors/user-proofs.json`.
 */
import { Redacted, Result } from "effect"
import { InvalidToken } from "../../Errors.ts"
import { normalizeIdentifier } from "./EndUserIdentifier.ts"

/** The `aud` of a proof. */
export const proofAudience = "postcode-widget"

/** The `exp` of a proof is at most this many seconds ahead, so that a copied proof is soon worthless. */
export const maxProofLifetime_s = 600

/** The organization and the identifier that a proof must confirm. */
export interface ProofScene {
  readonly organization_id: string
  /** The session's identifier, normalized. */
  readonly identifier: Redacted.Redacted<string>
  readonly now_s: number
}

/**
 * Whether claims whose signature was checked prove the end user: `iss` is the organization, `aud` is `proofAudience`, `sub`
 * is the identifier in any spelling, `exp` is in the future and at most `maxProofLifetime_s` ahead, and `nbf`, if present,
 * is not. There is no clock tolerance. Other claims are ignored.
 */
export const provesUser = (claims: unknown, { identifier, now_s, organization_id }: ProofScene): boolean => {
  if (typeof claims !== "object" || claims === null) return false
  const { aud, exp, iss, nbf = 0, sub } = claims as Readonly<Record<string, unknown>>
  return (
    iss === organization_id &&
    aud === proofAudience &&
    typeof sub === "string" &&
    isIdentifier(sub, identifier) &&
    typeof exp === "number" &&
    exp > now_s &&
    exp <= now_s + maxProofLifetime_s &&
    typeof nbf === "number" &&
    nbf <= now_s
  )
}

const isIdentifier = (sub: string, identifier: Redacted.Redacted<string>): boolean => {
  const normalized = normalizeIdentifier(Redacted.make(sub), "sub")
  return Result.isSuccess(normalized) && Redacted.value(normalized.success) === Redacted.value(identifier)
}

/** The error for every invalid proof, for any reason. */
export const invalidProof = new InvalidToken({
  message:
    "proof: expected a JWT for this session's identifier, signed with HS256 and the organization's proof key: iss the " +
    `organization's id, aud ${proofAudience}, sub the identifier, exp at most ${maxProofLifetime_s} s ahead`
})
