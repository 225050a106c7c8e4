/** `postcode logout`, `profiles` and `whoami`. */
import type { DataOf } from "@postcode/client"
import { visiblePrefix } from "@postcode/gateway/keys/ApiKey"
import { commandName } from "@postcode/server/process/CommandName"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { say } from "@postcode/server/process/Output"
import { Effect } from "effect"
import {
  chosenProfile,
  noProfile,
  type Profile,
  profileNames,
  readProfile,
  removeProfile
} from "../../management/Profiles.ts"
import { printResponse } from "../../management/printResponse.ts"
import { printTable } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import type { Work } from "../commandsOf.ts"
import { revokeOwnKey } from "./revokeOwnKey.ts"

interface Named {
  readonly profile: string | undefined
}

/** `postcode logout`: if the key cannot be revoked, the profile stays. */
export const logout = ({
  keepKey,
  profile
}: Named & { readonly keepKey: boolean }): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const name = yield* chosenProfile(profile)
    // A damaged profile can be removed, too.
    const stored = yield* Effect.orElseSucceed(readProfile(name), () => undefined)
    const isRevoked = keepKey ? false : yield* Effect.mapError(revokeOwnKey(stored), (error) => notRevoked(name, error))
    if (!(yield* removeProfile(name))) return yield* Effect.fail(noProfile(name))
    const commands = `${commandName()} keys revoke and management-keys revoke end them`
    if (!isRevoked) return say(`removed the profile ${name}; its keys stay valid: ${commands}`)
    say(`removed the profile ${name}, and revoked its management key`)
    if (stored?.key !== undefined) say(`its API key stays valid: ${commandName()} keys revoke ends it`)
  })

const notRevoked = (name: string, { exitCode, message }: CommandFailure) =>
  new CommandFailure(
    `the management key was not revoked, so the profile ${name} stays; --keep-key removes it alone: ${message}`,
    exitCode
  )

/** `postcode profiles`: keys and tokens are not printed. */
export const listProfiles = ({ json }: { readonly json: boolean }): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const rows: Array<Omit<Profile, "token"> & { readonly profile: string }> = []
    for (const name of yield* profileNames) {
      const stored = yield* readProfile(name)
      if (stored === undefined) continue
      const { key, token: _, ...shown } = stored
      rows.push({ profile: name, ...shown, ...(key !== undefined && { key: visiblePrefix(key) }) })
    }
    yield* printTable({ json }, { profiles: rows }, rows, {
      columns: {
        PROFILE: "profile",
        URL: "url",
        "API KEY": ({ key }) => key && `${key}…`,
        ROLE: "role",
        ORGANIZATION: "organization_id",
        NAME: "organization_name",
        ACTOR: "actor"
      },
      empty: `no profiles yet: ${commandName()} login stores a key as one`
    })
  })

/** `postcode whoami` */
export const whoAmI: Work<object> = (_, options) => printResponse(options, "GET /v1/admin/whoami", {}, callerFields)

/** Whom a management key or token is for. */
export const callerFields: View<Partial<DataOf<"GET /v1/admin/whoami">>> = {
  credential: ({ credential }) => credential?.replace("_", " "),
  role: "role",
  organization: "organization_id",
  name: "organization_name",
  actor: "actor"
}
