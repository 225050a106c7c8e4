/** Devices, keys and secrets for tests: forged, weak, or of a software authenticator. */

export { attestationBy, attestationFormats } from "./Attestations.ts"
export { encodeCbor } from "./Cbor.ts"
export { forgedTokens, openSubject, signedBy } from "./ForgedTokens.ts"
export { signingKeys } from "./SigningKeys.ts"
export { type Attest, type ChallengeOptions, type Misbehaviour, SoftAuthenticator } from "./SoftAuthenticator.ts"
export { weakSecrets } from "./WeakSecrets.ts"
