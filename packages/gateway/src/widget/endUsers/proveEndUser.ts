/** Checks the proof with which an organization's server vouches for the end user of a session. */
import { Clock, Effect, type Redacted } from "effect"
import { InvalidParameter, type InvalidToken, type Unavailable } from "../../Errors.ts"
import { type StoredProofKeys, WidgetSettings } from "../WidgetSettings.ts"
import { ProofKeys } from "./ProofKeys.ts"
import { invalidProof, provesUser } from "./UserProof.ts"

/** A proof, and what it must be for. */
export interface ProofRequest {
  readonly proof: Redacted.Redacted<string>
  readonly organization_id: string
  /** The session's identifier, normalized. */
  readonly identifier: Redacted.Redacted<string>
}

/** Succeeds for a valid proof. Every invalid one fails with the same `InvalidToken`. */
export const proveEndUser: Effect.Effect<
  (request: ProofRequest) => Effect.Effect<void, InvalidToken | Unavailable>,
  never,
  ProofKeys | WidgetSettings
> = Effect.gen(function* () {
  const keys = yield* ProofKeys
  const settings = yield* WidgetSettings

  return Effect.fnUntraced(function* ({ identifier, organization_id, proof }) {
    const { proof_keys } = yield* settings.get(organization_id)
    const now_ms = yield* Clock.currentTimeMillis
    const claims = yield* keys.read(validKeys(proof_keys, now_ms), organization_id, proof)
    if (!provesUser(claims, { identifier, organization_id, now_s: now_ms / 1000 })) return yield* invalidProof
  })
})

const validKeys = (keys: StoredProofKeys | undefined, now_ms: number): ReadonlyArray<string> => {
  if (keys === undefined) return []
  const { former, former_until = "", present } = keys
  return former !== undefined && now_ms < Date.parse(former_until) ? [present, former] : [present]
}

/** The error for a proof without an identifier that it could prove. */
export const proofWithoutIdentifier = new InvalidParameter({
  parameter: "proof",
  message: "proof: expected an identifier with it: send both, or neither"
})
