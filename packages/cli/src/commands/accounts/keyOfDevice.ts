/**
 * Gets a management key for this computer: shows a code, and waits until an account agrees in the console. The steps are
 * those of the device authorization grant, RFC 8628.
 */
import { hostname } from "node:os"
import { isPostcodeError } from "@postcode/client"
import { deviceGrant } from "@postcode/gateway/accounts/deviceLogins/DeviceLogin"
import { accountLimits } from "@postcode/gateway/InputLimits"
import { commandName } from "@postcode/server/process/CommandName"
import { CommandFailure, exitCodes, toFailure } from "@postcode/server/process/ExitCode"
import { host } from "@postcode/server/process/Host"
import { emphasize, printable, say } from "@postcode/server/process/Output"
import { Effect } from "effect"
import { failureOf, foreignAnswer } from "../../management/connect.ts"
import { type OAuthAnswer, sendForm } from "../../management/oauth.ts"
import { untilServed } from "../../management/untilServed.ts"
import { openInBrowser } from "../../terminal/openInBrowser.ts"

/** The name of the command line to the service. */
const client_id = "postcode-cli"

/** @param pages where browsers reach the service */
export const keyOfDevice = (url: string, pages: string): Effect.Effect<string, CommandFailure> =>
  Effect.gen(function* () {
    const begin = sendForm(`${url}/v1/oauth/device_authorization`, { client_id, machine: machineName() }, isStarted)
    const started = yield* Effect.mapError(begin, (error) => failureOf(error, { url, source: undefined }))
    if ("error" in started) return yield* Effect.fail(new CommandFailure(printable(started.message)))
    const { device_code, interval, user_code, verification_uri_complete } = started.body
    // A browser opens only a page of the service that the user named.
    const { hash = "", pathname = "" } = URL.parse(verification_uri_complete, url) ?? {}
    if (!/^\/[\w/#?=-]+$/.test(pathname + hash)) return yield* Effect.fail(new CommandFailure(foreignAnswer(url)))
    const address = pages + pathname + hash
    say(`open ${address}`)
    say(
      `agree only if the page shows ${emphasize(printable(user_code))}; Ctrl-C stops. --with-key takes a key that you have`
    )
    if (hasBrowser()) yield* openInBrowser(address)
    const fields = { client_id, grant_type: deviceGrant, device_code }
    const poll = sendForm(`${url}/v1/oauth/token`, fields, isToken)
    return yield* untilDecided(
      Effect.mapError(
        untilServed(poll, (reason) => say(`waiting: ${printable(reason)}`)),
        (error) => (isPostcodeError(error) ? failureOf(error, { url, source: undefined }) : toFailure(error))
      ),
      interval
    )
  })

interface Started {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri_complete: string
  readonly interval: number
}
interface Token {
  readonly access_token: string
}

const isStarted = (body: object): body is Started =>
  "interval" in body &&
  typeof body.interval === "number" &&
  ["device_code", "user_code", "verification_uri_complete"].every(
    (name) => typeof (body as Readonly<Record<string, unknown>>)[name] === "string"
  )

const isToken = (body: object): body is Token => "access_token" in body && typeof body.access_token === "string"

const untilDecided = (
  poll: Effect.Effect<OAuthAnswer<Token>, CommandFailure>,
  first_s: number
): Effect.Effect<string, CommandFailure> =>
  Effect.gen(function* () {
    for (let interval_s = first_s; ; ) {
      yield* Effect.sleep(`${interval_s} seconds`)
      const answer = yield* poll
      if ("body" in answer) return answer.body.access_token
      if (answer.error === "slow_down") interval_s += 5
      else if (answer.error === "expired_token") return yield* Effect.fail(expired())
      else if (answer.error !== "authorization_pending") return yield* Effect.fail(refused(answer.message))
    }
  })

/** Also if the account may not create another key: the message says which it is. */
const refused = (message: string) =>
  new CommandFailure(`${printable(message)}: nothing was stored`, exitCodes.notAllowed)

const expired = () =>
  new CommandFailure(`nobody agreed within 10 minutes, so nothing was stored: ${commandName()} login starts again`)

const machineName = (): string => printable(hostname()).slice(0, accountLimits.machine) || "a computer"

/** In a remote shell, a browser would open on the other machine, if at all. */
const hasBrowser = (): boolean => {
  const { DISPLAY, SSH_CONNECTION, SSH_TTY, WAYLAND_DISPLAY } = host().env
  if (SSH_CONNECTION !== undefined || SSH_TTY !== undefined) return false
  return process.platform !== "linux" || DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined
}
