/** `postcode login`, `logout`, `profiles` and `whoami`. */
import type { DataOf } from "@postcode/client"
import { Effect, Redacted } from "effect"
import { commandName } from "../../CommandName.ts"
import { CommandFailure, exitCodes } from "../../ExitCode.ts"
import { host } from "../../Host.ts"
import { readStandardInput, request } from "../../management/connect.ts"
import {
  defaultProfile,
  type Profile,
  profileFile,
  profileNames,
  readProfile,
  removeProfile,
  writeProfile
} from "../../management/Profiles.ts"
import { printResponse } from "../../management/printResponse.ts"
import { readHidden } from "../../management/readHidden.ts"
import { noProfile, profileOfEnvironment, tokenVariable } from "../../management/resolveConnection.ts"
import { say } from "../../Output.ts"
import { printRecord, printTable } from "../../Print.ts"
import type { View } from "../../Table.ts"
import type { Work } from "../commandsOf.ts"

interface Named {
  readonly profile: string | undefined
}

/** `postcode login`: stores nothing that the service refuses. */
export const login = ({
  json,
  profile,
  url
}: Named & { readonly json: boolean; readonly url: string }): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const name = yield* nameOf(profile)
    const file = yield* profileFile(name)
    const token = yield* readToken(url)
    const options = { url, token: Redacted.make(token), tokenStdin: false, organization_id: undefined }
    const caller = yield* request(options, "GET /v1/admin/whoami", {})
    yield* writeProfile(name, { url, token, ...caller })
    yield* printRecord({ json }, { profile: name, url, ...caller }, { profile: "profile", ...profileFields })
    say(`stored in ${file}`)
    const variable = tokenVariable()
    if (variable !== undefined) say(`${variable} is set, and goes before profiles`)
  })

/** `postcode logout` */
export const logout = ({ profile }: Named): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const name = yield* nameOf(profile)
    if (!(yield* removeProfile(name))) return yield* Effect.fail(noProfile(name))
    say(`removed the profile ${name}; its token stays valid: ${commandName()} management-keys revoke ends a key`)
  })

/** `postcode profiles`: the tokens are not printed. */
export const listProfiles = ({ json }: { readonly json: boolean }): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const rows: Array<Omit<Profile, "token"> & { readonly profile: string }> = []
    for (const name of yield* profileNames) {
      const stored = yield* readProfile(name)
      if (stored === undefined) continue
      const { token: _, ...shown } = stored
      rows.push({ profile: name, ...shown })
    }
    yield* printTable({ json }, { profiles: rows }, rows, {
      columns: {
        PROFILE: "profile",
        URL: "url",
        ROLE: "role",
        ORGANIZATION: "organization_id",
        NAME: "organization_name",
        ACTOR: "actor"
      },
      empty: `no profiles yet: ${commandName()} login makes one`
    })
  })

/** `postcode whoami` */
export const whoAmI: Work<object> = (_, options) => printResponse(options, "GET /v1/admin/whoami", {}, callerFields)

const callerFields: View<DataOf<"GET /v1/admin/whoami">> = {
  credential: ({ credential }) => credential.replace("_", " "),
  role: "role",
  organization: "organization_id",
  name: "organization_name",
  actor: "actor"
}
const profileFields: View<DataOf<"GET /v1/admin/whoami"> & { readonly url: string }> = { url: "url", ...callerFields }

const nameOf = (profile: string | undefined): Effect.Effect<string, CommandFailure> =>
  profile === undefined ? Effect.map(profileOfEnvironment, (name) => name ?? defaultProfile) : Effect.succeed(profile)

const readToken = (url: string): Effect.Effect<string, CommandFailure> =>
  Effect.gen(function* () {
    const given = host().stdin.isTTY
      ? yield* readHidden(`management key or operator token for ${url} (not shown): `)
      : String(yield* Effect.promise(readStandardInput))
    const token = given.trim()
    return token === "" ? yield* Effect.fail(new CommandFailure("no token was given", exitCodes.wrongUsage)) : token
  })
