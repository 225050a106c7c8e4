/** `postcode logout`, `profiles` and `whoami`. */
import type { DataOf } from "@postcode/client"
import { visiblePrefix } from "@postcode/gateway/keys/ApiKey"
import { commandName } from "@postcode/server/process/CommandName"
import type { CommandFailure } from "@postcode/server/process/ExitCode"
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

interface Named {
  readonly profile: string | undefined
}

/** `postcode logout` */
export const logout = ({ profile }: Named): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const name = yield* chosenProfile(profile)
    if (!(yield* removeProfile(name))) return yield* Effect.fail(noProfile(name))
    say(
      `removed the profile ${name}; its keys stay valid: ${commandName()} keys revoke and management-keys revoke end them`
    )
  })

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
