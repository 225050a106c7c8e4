/** Revokes the management key that `postcode login` got for this computer. */
import { type CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { Effect, Redacted } from "effect"
import { CallFailure, request } from "../../management/connect.ts"
import type { Profile } from "../../management/Profiles.ts"

/** Returns whether there is one. A key that the service no longer takes counts as revoked. */
export const revokeOwnKey = (profile: Profile | undefined): Effect.Effect<boolean, CommandFailure> => {
  const { actor, is_own = false, token, url } = profile ?? {}
  if (!is_own || actor === undefined || token === undefined || url === undefined) return Effect.succeed(false)
  const options = { url, token: Redacted.make(token), tokenStdin: false, organization_id: undefined, source: undefined }
  return request(options, "DELETE /v1/admin/management-keys/:id", { params: { id: actor } }).pipe(
    Effect.as(true),
    Effect.catchIf(
      (error) => error instanceof CallFailure && error.status === 401 && error.exitCode === exitCodes.notAllowed,
      () => Effect.succeed(true)
    )
  )
}
