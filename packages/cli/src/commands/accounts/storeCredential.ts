/** `postcode login`: gets a management key for this computer, or checks a given credential, and stores it in a profile. */

import { type CommandFailure, failUsage } from "@postcode/server/process/ExitCode"
import { host, variableOf } from "@postcode/server/process/Host"
import { say } from "@postcode/server/process/Output"
import { grouped } from "@postcode/server/process/Progress"
import { Effect, Redacted } from "effect"
import { keyVariable } from "../../management/apiKey.ts"
import { checkKey } from "../../management/checkKey.ts"
import { readStandardInput, request } from "../../management/connect.ts"
import { refuseInsecure } from "../../management/insecureHttp.ts"
import { chosenProfile, type Profile, profileFile, readProfile, writeProfile } from "../../management/Profiles.ts"
import { readHidden } from "../../management/readHidden.ts"
import { tokenVariable } from "../../management/resolveConnection.ts"
import { printRecord } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import { defaultUrl } from "../CommonFlags.ts"
import { keyOfDevice } from "./keyOfDevice.ts"
import { callerFields } from "./manageProfiles.ts"
import { revokeOwnKey } from "./revokeOwnKey.ts"

interface LoginOptions {
  readonly url: string | undefined
  readonly profile: string | undefined
  readonly json: boolean
  readonly insecureHttp: boolean
  /** Whether to read a credential that the user has, also on a terminal. */
  readonly withKey: boolean
  readonly publicUrl: string | undefined
}

/** Stores nothing that the service refuses. The key of an earlier login is revoked, because nothing uses it any more. */
export const storeCredential = ({
  insecureHttp,
  json,
  profile,
  publicUrl,
  url: given,
  withKey
}: LoginOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const name = yield* chosenProfile(profile)
    const file = yield* profileFile(name)
    // A profile that cannot be used is replaced as a whole.
    const before = yield* Effect.orElseSucceed(readProfile(name), () => undefined)
    const url = given ?? before?.url ?? defaultUrl
    yield* refuseInsecure(url, insecureHttp)
    const isDevice = host().stdin.isTTY === true && !withKey
    const secret = isDevice ? yield* keyOfDevice(url, publicUrl ?? url) : yield* readSecret(url)
    const kept = before?.url === url ? before : { url }
    const { shown, stored, variable } = yield* isApiKey(secret) ? checkedKey(url, secret) : checkedToken(url, secret)
    const isToken = stored.token !== undefined
    const { is_own: wasOwn = false, ...rest } = kept as Profile
    const isOwn = isToken ? isDevice : wasOwn
    yield* writeProfile(name, { ...rest, ...stored, ...(isOwn && { is_own: true }) })
    yield* printRecord({ json }, { profile: name, url, ...shown }, fields)
    say(`stored in ${file}`)
    if (isToken && before?.token !== stored.token) yield* Effect.ignore(revokeOwnKey(before))
    if (variable !== undefined) say(`${variable} is set, and goes before profiles`)
  })

/** A checked credential. */
interface Checked {
  /** What the profile keeps. */
  readonly stored: Omit<Profile, "url">
  readonly shown: Shown
  /** The variable that is used in place of the profile, if it is set. */
  readonly variable: string | undefined
}

type Shown = Omit<Profile, "token" | "url"> & { readonly credits_left?: number | null }

const checkedKey = (url: string, key: string): Effect.Effect<Checked, CommandFailure> =>
  Effect.map(checkKey({ url, key: Redacted.make(key), source: undefined }), (shown) => ({
    stored: { key },
    shown,
    variable: variableOf(keyVariable) && keyVariable
  }))

const checkedToken = (url: string, token: string): Effect.Effect<Checked, CommandFailure> => {
  const options = {
    url,
    token: Redacted.make(token),
    tokenStdin: false,
    organization_id: undefined,
    source: undefined
  }
  return Effect.map(request(options, "GET /v1/admin/whoami", {}), (caller) => ({
    stored: { token, ...caller },
    shown: caller,
    variable: tokenVariable()
  }))
}

/** By its beginning, so that a mistyped API key is refused as one. */
const isApiKey = (secret: string): boolean => /^svc_(test|live|pk)_/.test(secret)

const fields: View<Shown & { readonly profile: string; readonly url: string }> = {
  profile: "profile",
  url: "url",
  "API key": ({ key }) => key && `${key}…`,
  "credits left": ({ credits_left }) => (typeof credits_left === "number" ? grouped(credits_left) : undefined),
  ...callerFields
}

const readSecret = (url: string): Effect.Effect<string, CommandFailure> =>
  Effect.gen(function* () {
    const given = host().stdin.isTTY
      ? yield* readHidden(`API key, management key or operator token for ${url} (not shown): `)
      : String(yield* Effect.promise(readStandardInput))
    const secret = given.trim()
    return secret === "" ? yield* failUsage("no key was given") : secret
  })
