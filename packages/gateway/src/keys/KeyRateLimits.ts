/** The rate limits of keys that have no individual limit. */
import { Context } from "effect"
import { defaultPublishableRateLimit_per_minute, defaultRateLimit_per_minute } from "../limits/RateLimiter.ts"
import type { KeyKind } from "./ApiKey.ts"

/** Requests per minute of a key without an individual limit, by kind. */
export const KeyRateLimits = Context.Reference<Readonly<Record<KeyKind, number>>>("@postcode/gateway/KeyRateLimits", {
  defaultValue: () => ({ secret: defaultRateLimit_per_minute, publishable: defaultPublishableRateLimit_per_minute })
})
