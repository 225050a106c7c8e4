/**
 * Gets a management key for this computer: shows a code, and waits until an account agrees in the console. The steps are
 * those of the device authorization grant, RFC 8628.
 */
import { hostname } from "node:os"
import { createPostcodeClient, type DataOf, isPostcodeError } from "@postcode/client"
import { accountLimits } from "@postcode/gateway/InputLimits"
import { commandName } from "@postcode/server/process/CommandName"
import { CommandFailure, exitCodes, toFailure } from "@postcode/server/process/ExitCode"
import { host } from "@postcode/server/process/Host"
import { emphasize, printable, say } from "@postcode/server/process/Output"
import { Effect } from "effect"
import { failureOf, foreignAnswer } from "../../management/connect.ts"
import { untilServed } from "../../management/untilServed.ts"
import { openInBrowser } from "../../terminal/openInBrowser.ts"

/** @param pages where browsers reach the service */
export const keyOfDevice = (url: string, pages: string): Effect.Effect<string, CommandFailure> =>
  Effect.gen(function* () {
    const client = yield* Effect.try({
      try: () => createPostcodeClient({ baseUrl: url, retries: 0 }),
      catch: toFailure
    })
    const started = yield* Effect.tryPromise({
      try: (signal) => client.request("POST /v1/admin/device-logins", { body: { machine: machineName() } }, { signal }),
      catch: (error) => failureOf(error, { url, source: undefined })
    })
    const { device_code, interval, user_code, verification_uri_complete } = started.data
    // A browser opens only a page of the service that the user named.
    if (!/^\/[\w/#?=-]+$/.test(verification_uri_complete))
      return yield* Effect.fail(new CommandFailure(foreignAnswer(url)))
    const address = pages + verification_uri_complete
    say(`open ${address}`)
    say(
      `agree only if the page shows ${emphasize(printable(user_code))}; Ctrl-C stops. --with-key takes a key that you have`
    )
    if (hasBrowser()) yield* openInBrowser(address)
    const poll = Effect.tryPromise({
      try: (signal) => client.request("POST /v1/admin/device-logins/token", { body: { device_code } }, { signal }),
      catch: (error) => error
    })
    return yield* untilDecided(
      Effect.mapError(
        untilServed(poll, (reason) => say(`waiting: ${printable(reason)}`)),
        (error) => (isPostcodeError(error) ? failureOf(error, { url, source: undefined }) : toFailure(error))
      ),
      interval
    )
  })

type Polled = { readonly data: DataOf<"POST /v1/admin/device-logins/token"> }

const untilDecided = (
  poll: Effect.Effect<Polled, CommandFailure>,
  first_s: number
): Effect.Effect<string, CommandFailure> =>
  Effect.gen(function* () {
    for (let interval_s = first_s; ; ) {
      yield* Effect.sleep(`${interval_s} seconds`)
      const { management_key, status } = (yield* poll).data
      if (management_key !== undefined) return management_key.secret
      if (status === "slow_down") interval_s += 5
      else if (status === "access_denied") return yield* Effect.fail(denied)
      else if (status !== "authorization_pending") return yield* Effect.fail(expired())
    }
  })

const denied = new CommandFailure("the account refused, so nothing was stored", exitCodes.notAllowed)

const expired = () =>
  new CommandFailure(`nobody agreed within 10 minutes, so nothing was stored: ${commandName()} login starts again`)

const machineName = (): string => printable(hostname()).slice(0, accountLimits.machine) || "a computer"

/** In a remote shell, a browser would open on the other machine, if at all. */
const hasBrowser = (): boolean => {
  const { DISPLAY, SSH_CONNECTION, SSH_TTY, WAYLAND_DISPLAY } = host().env
  if (SSH_CONNECTION !== undefined || SSH_TTY !== undefined) return false
  return process.platform !== "linux" || DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined
}
