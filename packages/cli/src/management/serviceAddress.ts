/** The address of the service for commands that need no credential. */

import type { CommandFailure } from "@postcode/server/process/ExitCode"
import { Effect } from "effect"
import { defaultUrl } from "../commands/CommonFlags.ts"
import { findProfile, profileOfEnvironment } from "./Profiles.ts"
import { type ConnectionFlags, serviceOnData } from "./resolveConnection.ts"

/** A flag goes first, then a named profile, then a data folder, then the default profile. */
export const serviceAddress = ({
  data,
  profile,
  url
}: Omit<ConnectionFlags, "tokenStdin">): Effect.Effect<string, CommandFailure> =>
  Effect.gen(function* () {
    if (url !== undefined) return url
    const named = profile ?? (yield* profileOfEnvironment)
    if (named === undefined && data !== undefined) return (yield* serviceOnData(data)).url
    return (yield* findProfile(named))?.stored.url ?? defaultUrl
  })
