/**
 * The port `PasskeyCeremonies` with `@simplewebauthn/server`, which is loaded at the first use of a passkey, because
 * most processes never need it.
 */

import { passkeyNotAccepted, passkeyNotMade } from "@postcode/gateway/accounts/passkeys/Passkey"
import { PasskeyCeremonies, passkeyAlgorithms } from "@postcode/gateway/accounts/passkeys/PasskeyCeremonies"
import { Unavailable } from "@postcode/gateway/Errors"
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import { Effect, Layer } from "effect"

export const layerNodePasskeys: Layer.Layer<PasskeyCeremonies> = Layer.succeed(PasskeyCeremonies, {
  read: (credential) => {
    const { id, response } = credential as RegistrationResponseJSON
    const client = clientDataOf(response.clientDataJSON)
    // A page that is embedded in a page of another site may not use passkeys.
    if (client === undefined || client.crossOrigin === true || typeof client.challenge !== "string") return undefined
    return { challenge: client.challenge, credential_id: id }
  },

  verifyNew: (credential, challenge, { host, origin }) =>
    ceremony(passkeyNotMade, async () => {
      const { id, rawId, response, type } = credential as RegistrationResponseJSON
      const { clientDataJSON } = response
      const attestationObject = await withoutAttestation(response.attestationObject)
      const { verifyRegistrationResponse } = await library()
      const { registrationInfo } = await verifyRegistrationResponse({
        response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: host,
        requireUserVerification: true,
        supportedAlgorithmIDs: passkeyAlgorithms
      })
      // The contract limits the length of the id, so the id in the signed data must be the same.
      if (registrationInfo?.credential.id !== id) return undefined
      const { counter, publicKey } = registrationInfo.credential
      return { counter, credential_id: id, public_key: Buffer.from(publicKey).toString("base64url") }
    }),

  verifyUse: (credential, challenge, { host, origin }, { counter, credential_id, public_key }) =>
    ceremony(passkeyNotAccepted, async () => {
      const { verifyAuthenticationResponse } = await library()
      const { authenticationInfo, verified } = await verifyAuthenticationResponse({
        response: credential as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: host,
        requireUserVerification: true,
        credential: { id: credential_id, counter, publicKey: new Uint8Array(Buffer.from(public_key, "base64url")) }
      })
      return verified ? authenticationInfo.newCounter : undefined
    })
})

const library = () => import("@simplewebauthn/server")

/** Verifies the answer of a device. All errors give the same refusal; a timeout is `Unavailable`. */
const ceremony = <A, E>(refused: E & Effect.Effect<never, E>, verify: () => Promise<A | undefined>) =>
  Effect.tryPromise(verify).pipe(
    Effect.catch(() => refused),
    Effect.flatMap((verified): Effect.Effect<A, E> => (verified === undefined ? refused : Effect.succeed(verified))),
    Effect.timeoutOrElse({
      duration: ceremony_ms,
      orElse: () => Effect.fail(new Unavailable({ retry_after_s: 5 }))
    })
  )

/** A verification takes milliseconds. */
const ceremony_ms = 5_000

/**
 * The same attestation object in the format `none`. For some formats, the library fetches addresses from the
 * certificates to verify them, and a client must not choose where the service connects.
 */
const withoutAttestation = async (attestationObject: string): Promise<string> => {
  if (attestationObject.length > maxAttestationLength) throw new Error("the attestation is too long")
  const { isoBase64URL, isoCBOR } = await import("@simplewebauthn/server/helpers")
  const sent: unknown = isoCBOR.decodeFirst(isoBase64URL.toBuffer(attestationObject))
  const authData: unknown = sent instanceof Map ? sent.get("authData") : undefined
  if (!(authData instanceof Uint8Array) || authData.length > maxAuthDataLength) {
    throw new Error("the attestation has no authenticator data, or too much of it")
  }
  const none = new Map<string, string | Map<string, string> | Uint8Array>()
  none.set("fmt", "none").set("attStmt", new Map()).set("authData", authData)
  return isoBase64URL.fromBuffer(isoCBOR.encode(none))
}

/** In characters of base64url: several times the longest chains of certificates. */
const maxAttestationLength = 32_768
/** In bytes: an id of 1,023, the longest key, and some extensions. */
const maxAuthDataLength = 4_096

const clientDataOf = (text: string): { readonly challenge?: unknown; readonly crossOrigin?: unknown } | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"))
    return typeof value === "object" && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
