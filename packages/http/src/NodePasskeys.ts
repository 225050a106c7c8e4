/**
 * The port `PasskeyCeremonies` by `@simplewebauthn/server`, which is loaded when the first passkey is made or used: most
 * processes never need it.
 */
import { passkeyNotAccepted, passkeyNotMade } from "@postcode/core/Passkey"
import { PasskeyCeremonies } from "@postcode/core/ports/PasskeyCeremonies"
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import { Effect, Layer } from "effect"

/** What a device may sign with, as COSE numbers them, the best first: Ed25519, ECDSA on P-256, RSA. */
export const passkeyAlgorithms = [-8, -7, -257]

export const layerNodePasskeys: Layer.Layer<PasskeyCeremonies> = Layer.succeed(PasskeyCeremonies, {
  read: (credential) => {
    const { id, response } = credential as RegistrationResponseJSON
    const client = clientDataOf(response.clientDataJSON)
    // A page within a page of another site may not ask for passkeys.
    if (client === undefined || client.crossOrigin === true || typeof client.challenge !== "string") return undefined
    return { challenge: client.challenge, credential_id: id }
  },

  verifyNew: (credential, challenge, { host, origin }) =>
    Effect.catch(
      Effect.flatMap(
        Effect.tryPromise(async () => {
          const { verifyRegistrationResponse } = await library()
          return await verifyRegistrationResponse({
            response: credential as RegistrationResponseJSON,
            expectedChallenge: challenge,
            expectedOrigin: origin,
            expectedRPID: host,
            requireUserVerification: true,
            supportedAlgorithmIDs: passkeyAlgorithms
          })
        }),
        ({ registrationInfo, verified }) => (verified ? Effect.succeed(registrationInfo.credential) : passkeyNotMade)
      ),
      () => passkeyNotMade
    ).pipe(
      Effect.map(({ counter, id, publicKey }) => ({
        counter,
        credential_id: id,
        public_key: Buffer.from(publicKey).toString("base64url")
      }))
    ),

  verifyUse: (credential, challenge, { host, origin }, { counter, credential_id, public_key }) =>
    Effect.catch(
      Effect.flatMap(
        Effect.tryPromise(async () => {
          const { verifyAuthenticationResponse } = await library()
          return await verifyAuthenticationResponse({
            response: credential as AuthenticationResponseJSON,
            expectedChallenge: challenge,
            expectedOrigin: origin,
            expectedRPID: host,
            requireUserVerification: true,
            credential: { id: credential_id, counter, publicKey: new Uint8Array(Buffer.from(public_key, "base64url")) }
          })
        }),
        ({ authenticationInfo, verified }) =>
          verified ? Effect.succeed(authenticationInfo.newCounter) : passkeyNotAccepted
      ),
      () => passkeyNotAccepted
    )
})

const library = () => import("@simplewebauthn/server")

const clientDataOf = (text: string): { readonly challenge?: unknown; readonly crossOrigin?: unknown } | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"))
    return typeof value === "object" && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
