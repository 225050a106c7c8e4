import type { Account } from "@postcode/gateway/accounts/Account"
import { ownPasskeys, type PasskeyStart } from "@postcode/gateway/accounts/passkeys/ownPasskeys"
import { challenge_ms, type Passkey, type PasskeySite } from "@postcode/gateway/accounts/passkeys/Passkey"
import { passkeyAlgorithms } from "@postcode/gateway/accounts/passkeys/PasskeyCeremonies"
import { signInWithPasskey } from "@postcode/gateway/accounts/passkeys/signInWithPasskey"
import { OriginNotAllowed } from "@postcode/gateway/Errors"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import { Effect, Redacted } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { signedIn } from "./signedIn.ts"

/**
 * @param publicOrigin the web origin at which browsers reach the service; undefined to use the origin of each request
 */
export const passkeyHandlers = Effect.fnUntraced(function* (publicOrigin: string | undefined) {
  const own = yield* ownPasskeys
  const enter = yield* signInWithPasskey
  const siteOf = (origin: string | undefined) => siteAt(publicOrigin ?? origin)

  const handlers: GroupHandlers<"passkeys"> = {
    passkeyChallenge: ({ address, origin }) =>
      Effect.flatMap(siteOf(origin), ({ host }) =>
        Effect.map(enter.challenge(address()), (challenge) => ({ data: { options: requestOptions(challenge, host) } }))
      ),
    signInWithPasskey: ({ address, origin, payload: { credential } }) =>
      Effect.flatMap(siteOf(origin), (site) =>
        Effect.map(enter.signIn({ credential, site, address: address() }), signedIn)
      ),
    listPasskeys: ({ manager }) =>
      Effect.map(own.list(manager as Manager), (passkeys) => ({ data: { passkeys: passkeys.map(shown) } })),
    startPasskey: ({ address, manager, origin, payload }) =>
      Effect.flatMap(siteOf(origin), ({ host }) =>
        Effect.map(
          own.start({ present: Redacted.make(payload.present_password), address: address() }, manager as Manager),
          (start) => ({ data: { options: creationOptions(start, host) } })
        )
      ),
    addPasskey: ({ manager, origin, payload }) =>
      Effect.flatMap(siteOf(origin), (site) =>
        Effect.map(own.add({ ...payload, site }, manager as Manager), (passkey) => ({ data: shown(passkey) }))
      ),
    removePasskey: ({ manager, params }) => Effect.map(own.remove(params.id, manager as Manager), signedIn)
  }
  return handlers
})

/** Browsers send `Origin` with every request that may change something. */
const siteAt = (origin: string | undefined): Effect.Effect<PasskeySite, OriginNotAllowed> =>
  origin === undefined
    ? Effect.fail(new OriginNotAllowed({ message: "passkeys need a page: this request has no Origin header" }))
    : Effect.succeed({ origin, host: new URL(origin).hostname })

/** As PublicKeyCredentialCreationOptionsJSON. The device stores the account's id, so that signing in needs no email. */
const creationOptions = ({ account, challenge, credential_ids }: PasskeyStart, host: string) => ({
  challenge,
  rp: { id: host, name: "Postcode Gateway" },
  user: userOf(account),
  pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: "public-key", alg })),
  timeout: challenge_ms,
  attestation: "none",
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  excludeCredentials: credential_ids.map((id) => ({ type: "public-key", id }))
})

const userOf = ({ email, id, name }: Account) => ({
  id: Buffer.from(id).toString("base64url"),
  name: email,
  displayName: name
})

/** As PublicKeyCredentialRequestOptionsJSON. It names no passkeys, so it does not reveal which accounts have one. */
const requestOptions = (challenge: string, host: string) => ({
  challenge,
  rpId: host,
  timeout: challenge_ms,
  userVerification: "required",
  allowCredentials: []
})

const shown = ({ created_at, id, last_used_at, name }: Passkey) => ({
  id,
  name,
  created_at,
  ...(last_used_at !== undefined && { last_used_at })
})
