/** The ports of a store whose calls are spans, for requests that are recorded: what a request waits for. */

import type { RateLimiter } from "@postcode/core/limits/RateLimiter"
import { Context, Effect, Exit, Option, Tracer } from "effect"
import { storeMethods } from "../workers/StoreCalls.ts"

/** All else stays in the context as it is. A call that is answered at once was not waited for, and is no span. */
export const tracedPorts = <A>(context: Context.Context<A>): Context.Context<A> => {
  let traced = context
  for (const port of new Set(storeMethods.map((method) => method.port))) {
    const tag = port as typeof RateLimiter
    const service = Context.getUnsafe(context, tag) as unknown as Readonly<Record<string, Method>>
    const methods = storeMethods.filter((method) => method.port === port && method.kind === "asked")
    const own = methods.map(({ name }) => [name, tracedMethod(`${nameOf(tag.key)}.${name}`, service, name)])
    traced = Context.add(traced, tag, { ...service, ...Object.fromEntries(own) } as never) as Context.Context<A>
  }
  return traced
}

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

const nameOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1)

const tracedMethod =
  (name: string, service: Readonly<Record<string, Method>>, method: string): Method =>
  (...args) => {
    const asked = (service[method] as Method)(...args)
    if (Exit.isExit(asked)) return asked
    return Effect.flatMap(Effect.serviceOption(Tracer.ParentSpan), (parent) =>
      Option.isNone(parent) ? asked : Effect.withSpan(asked, name)
    )
  }
