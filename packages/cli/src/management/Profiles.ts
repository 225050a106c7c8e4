/**
 * Profiles: services and credentials that `postcode login` stores, one file each in the user's configuration folder.
 * Only the user can read the files.
 */
import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import type { DataOf } from "@postcode/client"
import { commandName } from "@postcode/server/process/CommandName"
import { CommandFailure, exitCodes, failUsage, messageOf } from "@postcode/server/process/ExitCode"
import { variableOf } from "@postcode/server/process/Host"
import { configurationFolder } from "@postcode/server/process/UserFolders"
import { Effect, Result } from "effect"
import { profileName } from "../commands/CommonFlags.ts"
import { isMissing, readPrivate, writePrivate } from "./PrivateFile.ts"

/** A service and the credentials for it, as stored; one of them at least. */
export interface Profile extends Partial<DataOf<"GET /v1/admin/whoami">> {
  /** The service, without a slash at the end. */
  readonly url: string
  /** The management key or the operator token. Whom it is for is stored with it. */
  readonly token?: string
  /** Whether `postcode login` got the token for this computer, so that logging out revokes it. */
  readonly is_own?: boolean
  /** The API key. */
  readonly key?: string
}

/** The profile that is used if none is named. */
const defaultProfile = "default"

/** The profile that `POSTCODE_PROFILE` names. */
export const profileOfEnvironment: Effect.Effect<string | undefined, CommandFailure> = Effect.suspend(() => {
  const given = variableOf("POSTCODE_PROFILE")
  if (given === undefined) return Effect.undefined
  const name = profileName(given)
  return Result.isSuccess(name) ? Effect.succeed(name.success) : failUsage(`POSTCODE_PROFILE: expected ${name.failure}`)
})

/** The profile of a flag, of the environment, or the default one. */
export const chosenProfile = (flag: string | undefined): Effect.Effect<string, CommandFailure> =>
  flag === undefined ? Effect.map(profileOfEnvironment, (name) => name ?? defaultProfile) : Effect.succeed(flag)

/** The failure for a profile that does not exist. */
export const noProfile = (name: string): CommandFailure =>
  new CommandFailure(`there is no profile ${name}: ${commandName()} login --profile ${name} stores one`)

/** The failure for a profile whose service is not the one of the command. */
export const otherService = (name: string, url: string): CommandFailure =>
  new CommandFailure(
    `the profile ${name} is for ${url}: leave out --url (POSTCODE_URL), or choose another profile`,
    exitCodes.wrongUsage
  )

/** A profile that is stored. */
export interface FoundProfile {
  readonly name: string
  /** Whether a flag or the environment names it. */
  readonly isNamed: boolean
  readonly stored: Profile
}

/** The profile of a flag or of the environment, which must exist; otherwise the default one, if it exists. */
export const findProfile = (flag: string | undefined): Effect.Effect<FoundProfile | undefined, CommandFailure> =>
  Effect.gen(function* () {
    const named = flag ?? (yield* profileOfEnvironment)
    const name = named ?? defaultProfile
    const stored = yield* readProfile(name)
    if (stored !== undefined) return { name, isNamed: named !== undefined, stored }
    return named === undefined ? undefined : yield* Effect.fail(noProfile(name))
  })

/**
 * Where a credential for a service comes from: another profile that has one, or a login that replaces no profile.
 *
 * @param part what is needed
 */
export const credentialHint = (url: string, ...parts: ReadonlyArray<"key" | "token">): Effect.Effect<string> =>
  Effect.gen(function* () {
    const names = yield* Effect.orElseSucceed(profileNames, () => [])
    const found = new Map<string, Profile>()
    for (const name of names) {
      const stored = yield* Effect.orElseSucceed(readProfile(name), () => undefined)
      if (stored !== undefined) found.set(name, stored)
    }
    const isUsable = (stored: Profile) => stored.url === url && parts.some((part) => stored[part] !== undefined)
    const [usable] = [...found].find(([name, stored]) => name !== defaultProfile && isUsable(stored)) ?? []
    if (usable !== undefined) return `--profile ${usable} has one`
    const isTaken = (found.get(defaultProfile)?.url ?? url) !== url
    return `${commandName()} login --url ${url}${isTaken ? " --profile NAME" : ""} stores one`
  })

/** The file of a profile. */
export const profileFile = (name: string): Effect.Effect<string, CommandFailure> =>
  Effect.map(profilesFolder, (folder) => join(folder, `${name}.json`))

/** Reads a profile; undefined if there is none. Fails if other users can read the file. */
export const readProfile = (name: string): Effect.Effect<Profile | undefined, CommandFailure> =>
  Effect.flatMap(profileFile(name), (file) => attempt(file, () => read(name, file)))

/** Stores a profile, or replaces it as a whole. */
export const writeProfile = (name: string, profile: Profile): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(profileFile(name), (file) =>
    attempt(file, () => writePrivate(file, `${JSON.stringify(profile, null, 2)}\n`))
  )

/** Removes a profile; returns whether there was one. */
export const removeProfile = (name: string): Effect.Effect<boolean, CommandFailure> =>
  Effect.flatMap(profileFile(name), (file) =>
    attempt(file, () =>
      rm(file).then(
        () => true,
        (error) => (isMissing(error) ? false : Promise.reject(error))
      )
    )
  )

/** The names of all profiles, sorted. */
export const profileNames: Effect.Effect<ReadonlyArray<string>, CommandFailure> = Effect.suspend(() =>
  Effect.flatMap(profilesFolder, (folder) =>
    attempt(folder, async () => {
      const files = await readdir(folder).catch((error) => (isMissing(error) ? [] : Promise.reject(error)))
      return files.flatMap((file) => /^([a-z0-9][a-z0-9._-]*)\.json$/.exec(file)?.[1] ?? []).toSorted()
    })
  )
)

/** Fails without a home folder. */
const profilesFolder: Effect.Effect<string, CommandFailure> = Effect.suspend(() => {
  const configuration = configurationFolder()
  return configuration === undefined
    ? Effect.fail(new CommandFailure("there is no folder for profiles: set HOME or XDG_CONFIG_HOME"))
    : Effect.succeed(join(configuration, "profiles"))
})

const read = async (name: string, file: string): Promise<Profile | undefined> => {
  const text = await readPrivate(file)
  return text === undefined ? undefined : (profileIn(text) ?? (await Promise.reject(damaged(name, file))))
}

const profileIn = (text: string): Profile | undefined => {
  try {
    const profile = JSON.parse(text) as Partial<Profile> | null
    const hasCredential = typeof profile?.token === "string" || typeof profile?.key === "string"
    return typeof profile?.url === "string" && hasCredential ? (profile as Profile) : undefined
  } catch {
    return undefined
  }
}

const damaged = (name: string, file: string) =>
  new CommandFailure(`${file} is not a profile: ${commandName()} login --profile ${name} replaces it`)

const attempt = <A>(file: string, act: () => Promise<A>): Effect.Effect<A, CommandFailure> =>
  Effect.tryPromise({
    try: act,
    catch: (error) => (error instanceof CommandFailure ? error : new CommandFailure(`${file}: ${messageOf(error)}`))
  })
