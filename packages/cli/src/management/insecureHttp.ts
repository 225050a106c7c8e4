/** Credentials are not sent over plain HTTP, except to this machine. */

import { type CommandFailure, failUsage } from "@postcode/server/process/ExitCode"
import { Effect } from "effect"
import { profileOfEnvironment } from "./Profiles.ts"

/**
 * Refuses an address to which a key or token would be sent unencrypted: everyone on the way could read it.
 *
 * @param isAllowed whether the user allows it
 */
export const refuseInsecure = (url: string, isAllowed: boolean): Effect.Effect<void, CommandFailure> =>
  isAllowed || isEncryptedOrLocal(url)
    ? Effect.void
    : failUsage(
        `${url} is not encrypted, and the key would be readable on the way: use https, or allow it with ` +
          "--insecure-http (POSTCODE_INSECURE_HTTP=true)"
      )

interface AddressFlags {
  readonly url: string | undefined
  readonly profile: string | undefined
  readonly data: string | undefined
  readonly insecureHttp?: boolean
}

/** Whether the user allows any address, or the address is that of a data folder, whose service is on this machine. */
export const allowsInsecure = ({ data, insecureHttp, profile, url }: AddressFlags) =>
  Effect.map(
    profileOfEnvironment,
    (named) =>
      insecureHttp === true || (data !== undefined && url === undefined && profile === undefined && named === undefined)
  )

/** Names below `localhost` are of this machine: RFC 6761. */
const isEncryptedOrLocal = (url: string): boolean => {
  const { hostname, protocol } = new URL(url)
  return protocol === "https:" || /^(127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|([^.]+\.)*localhost\.?)$/.test(hostname)
}
