/** Devices, keys and secrets for tests: forged, weak, or of a software authenticator. */

export { decodeJwt } from "jose"
export { attestationBy, attestationFormats } from "./Attestations.ts"
export { encodeCbor } from "./Cbor.ts"
export { forgedTokens, openSubject, signedBy } from "./ForgedTokens.ts"
export { signingKeys } from "./SigningKeys.ts"
export { type ChallengeOptions, type Misbehaviour, SoftAuthenticator } from "./SoftAuthenticator.ts"
export { weakSecrets } from "./WeakSecrets.ts"
