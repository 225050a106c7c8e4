/**
 * The secret that signs what listeners on this computer receive. It is stored, so that the server under development keeps
 * the one that it was configured with.
 */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { CommandFailure, toFailure } from "@postcode/server/process/ExitCode"
import { configurationFolder } from "@postcode/server/process/UserFolders"
import { Effect } from "effect"
import { readPrivate, writePrivate } from "../../management/PrivateFile.ts"

/** Read from the user's configuration folder, or made and stored there. */
export const listenerSecret: Effect.Effect<string, CommandFailure> = Effect.tryPromise({
  try: async () => {
    const folder = configurationFolder()
    if (folder === undefined) {
      throw new CommandFailure("there is no folder for the listener's secret: set HOME or XDG_CONFIG_HOME")
    }
    const file = join(folder, "webhook-secret")
    const stored = (await readPrivate(file))?.trim()
    if (stored !== undefined) {
      if (isSecret(stored)) return stored
      throw new CommandFailure(`${file} is not a secret of webhooks: remove it, and another one is made`)
    }
    const made = `whsec_${randomBytes(32).toString("base64")}`
    await writePrivate(file, `${made}\n`)
    return made
  },
  catch: toFailure
})

const isSecret = (text: string): boolean => /^whsec_[A-Za-z0-9+/]{43}=$/.test(text)
