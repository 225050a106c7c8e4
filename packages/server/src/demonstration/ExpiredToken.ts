/** An expired session token with a valid signature. */

import { SessionTokens } from "@postcode/gateway/widget/sessions/SessionTokens"
import { sessionLifetime_s, type WidgetSession } from "@postcode/gateway/widget/sessions/WidgetSession"
import { Clock, Effect, Layer, Redacted } from "effect"
import { layerSecrets, type ServiceSecrets } from "../ServiceSecrets.ts"

/** The token of a widget session that expired a minute ago. */
export const expiredToken = (secrets: ServiceSecrets, session: WidgetSession): Effect.Effect<string> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const then_ms = clock.currentTimeMillisUnsafe() - (sessionLifetime_s + 60) * 1000
    const then: Clock.Clock = { ...clock, currentTimeMillisUnsafe: () => then_ms }
    const signed = Effect.flatMap(SessionTokens, ({ sign }) => sign(session))
    const token = yield* Effect.provide(
      signed,
      Layer.fresh(layerSecrets(secrets)).pipe(Layer.provide(Layer.succeed(Clock.Clock, then)))
    )
    return Redacted.value(token)
  })
