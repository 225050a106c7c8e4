/** Credentials are not sent over plain HTTP, except to this machine. */
import { Effect } from "effect"
import { type CommandFailure, failUsage } from "../ExitCode.ts"
import { variableOf } from "../Host.ts"

/**
 * Refuses an address to which a key or token would be sent unencrypted: everyone on the way could read it.
 *
 * @param isAllowed whether the user allows it by `--insecure-http`; `POSTCODE_INSECURE_HTTP=true` does, too
 */
export const refuseInsecure = (url: string, isAllowed = false): Effect.Effect<void, CommandFailure> =>
  isAllowed || variableOf(insecureVariable) === "true" || isEncryptedOrLocal(url)
    ? Effect.void
    : failUsage(
        `${url} is not encrypted, and the key would be readable on the way: use https, or allow it with ` +
          `--insecure-http (${insecureVariable}=true)`
      )

const insecureVariable = "POSTCODE_INSECURE_HTTP"

/** Names below `localhost` are of this machine: RFC 6761. */
const isEncryptedOrLocal = (url: string): boolean => {
  const { hostname, protocol } = new URL(url)
  return protocol === "https:" || /^(127(\.\d+){3}|\[::1\]|([^.]+\.)*localhost)\.?$/.test(hostname)
}
