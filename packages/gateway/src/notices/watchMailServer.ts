/** Checks the mail server at the start, and then every five minutes, while the scope is open. */
import { Effect, type Scope } from "effect"
import { MailTransport } from "./MailTransport.ts"

/**
 * A server that cannot be used is logged once, and again when it can be used. It never fails the service: notices wait.
 *
 * @param report called with each result
 */
export const watchMailServer = (
  report: (isUsable: boolean) => void
): Effect.Effect<void, never, MailTransport | Scope.Scope> =>
  Effect.gen(function* () {
    const { check } = yield* MailTransport
    let wasUsable = true
    const look = Effect.gen(function* () {
      const fault = yield* check
      const isUsable = fault === undefined
      report(isUsable)
      if (!isUsable && wasUsable)
        yield* Effect.logWarning(`mail waits, because the mail server cannot be used: ${fault}`)
      if (isUsable && !wasUsable) yield* Effect.logInfo("the mail server can be used again")
      wasUsable = isUsable
    })
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(look, Effect.sleep(interval_ms))))
  })

const interval_ms = 300_000
