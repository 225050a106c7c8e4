/** Traces calls of a store's ports as spans of sampled requests. */

import { Accounts } from "@postcode/gateway/accounts/Accounts"
import { DeviceLogins } from "@postcode/gateway/accounts/deviceLogins/DeviceLogins"
import { AccountLinks } from "@postcode/gateway/accounts/links/AccountLinks"
import { ManagementKeys } from "@postcode/gateway/accounts/managementKeys/ManagementKeys"
import { Passkeys } from "@postcode/gateway/accounts/passkeys/Passkeys"
import { ConsoleSessions } from "@postcode/gateway/accounts/sessions/ConsoleSessions"
import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { Units } from "@postcode/gateway/directory/Units"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { RateLimiter } from "@postcode/gateway/limits/RateLimiter"
import { AccessRequests } from "@postcode/gateway/organizations/AccessRequests"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { UsageLog } from "@postcode/gateway/usage/UsageLog"
import { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Selections } from "@postcode/gateway/widget/selections/Selections"
import { SessionUses } from "@postcode/gateway/widget/sessions/SessionUses"
import { Context, Effect, Exit, Option, Tracer } from "effect"

const ports = [
  AccessRequests,
  AccountLinks,
  DeviceLogins,
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
