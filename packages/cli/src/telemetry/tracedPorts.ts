/** Traces calls of a store's ports as spans of sampled requests. */

import { Accounts } from "@postcode/core/accounts/Accounts"
import { ManagementKeys } from "@postcode/core/accounts/managementKeys/ManagementKeys"
import { Passkeys } from "@postcode/core/accounts/passkeys/Passkeys"
import { ConsoleSessions } from "@postcode/core/accounts/sessions/ConsoleSessions"
import { AuditLog } from "@postcode/core/audit/AuditLog"
import { CreditLedger } from "@postcode/core/credits/CreditLedger"
import { Units } from "@postcode/core/directory/Units"
import { ApiKeys } from "@postcode/core/keys/ApiKeys"
import { RateLimiter } from "@postcode/core/limits/RateLimiter"
import { AccessRequests } from "@postcode/core/organizations/AccessRequests"
import { Organizations } from "@postcode/core/organizations/Organizations"
import { UsageLog } from "@postcode/core/usage/UsageLog"
import { Webhooks } from "@postcode/core/webhooks/Webhooks"
import { EndUsers } from "@postcode/core/widget/endUsers/EndUsers"
import { Selections } from "@postcode/core/widget/selections/Selections"
import { SessionUses } from "@postcode/core/widget/sessions/SessionUses"
import { Context, Effect, Exit, Option, Tracer } from "effect"

const ports = [
  AccessRequests,
  Accounts,
  ApiKeys,
  AuditLog,
  ConsoleSessions,
  CreditLedger,
  EndUsers,
  ManagementKeys,
  Organizations,
  Passkeys,
  RateLimiter,
  Selections,
  SessionUses,
  Units,
  UsageLog,
  Webhooks
]

/** Everything else in the context is unchanged. */
export const tracedPorts = <A>(context: Context.Context<A>): Context.Context<A> =>
  ports.reduce((traced, port) => {
    const tag = port as typeof RateLimiter
    const methods = Object.entries(Context.getUnsafe(traced, tag)).map(([name, method]) => [
      name,
      tracedMethod(`${nameOf(tag.key)}.${name}`, method)
    ])
    return Context.add(traced, tag, Object.fromEntries(methods)) as Context.Context<A>
  }, context)

type Method = (...args: ReadonlyArray<never>) => Effect.Effect<unknown, unknown> | undefined

const nameOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1)

/** A synchronous call is not a span. */
const tracedMethod =
  (name: string, method: Method): Method =>
  (...args) => {
    const asked = method(...args)
    if (!Effect.isEffect(asked) || Exit.isExit(asked)) return asked
    return Effect.flatMap(Effect.serviceOption(Tracer.ParentSpan), (parent) =>
      Option.isNone(parent) ? asked : Effect.withSpan(asked, name)
    )
  }
