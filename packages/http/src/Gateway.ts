/**
 * The service as one function from request to response, whatever server stands around it. Every request goes the same
 * way: key → rate limit → path and method → body and parameters → origin → operation. Every answer leaves through
 * `render`, which puts the headers of the conventions on it.
 */
import type { AccessRequests } from "@postcode/core/ports/AccessRequests"
import type { ApiKeys } from "@postcode/core/ports/ApiKeys"
import type { AuditLog } from "@postcode/core/ports/AuditLog"
import type { CreditLedger } from "@postcode/core/ports/CreditLedger"
import type { CurrentDirectory } from "@postcode/core/ports/CurrentDirectory"
import type { EndUsers } from "@postcode/core/ports/EndUsers"
import type { Organizations } from "@postcode/core/ports/Organizations"
import type { RateLimiter } from "@postcode/core/ports/RateLimiter"
import type { Secrets } from "@postcode/core/ports/Secrets"
import type { Units } from "@postcode/core/ports/Units"
import { UsageLog } from "@postcode/core/ports/UsageLog"
import { Clock, Effect, Exit, Redacted, Result } from "effect"
import { type Admission, type AdmissionOptions, defaultRateLimit_per_minute, makeAdmission } from "./Admission.ts"
import { type Exchange, isFree, isRoute, makeDispatch, makeExchange, type Reply, type Target } from "./Dispatch.ts"
import { makeDocuments } from "./Documents.ts"
import type { GatewayError } from "./ErrorTable.ts"
import type { HttpRequest, HttpResponse } from "./Exchange.ts"
import { assemblyHandlers } from "./handlers/assembly.ts"
import { healthHandlers } from "./handlers/health.ts"
import { lookupHandlers } from "./handlers/lookup.ts"
import { managementHandlers } from "./handlers/management.ts"
import { referenceHandlers } from "./handlers/reference.ts"
import { searchHandlers } from "./handlers/search.ts"
import { render } from "./Render.ts"
import { newRequestId, validRequestId } from "./RequestId.ts"
import { compileRoutes } from "./Route.ts"
import { makeRouter } from "./Router.ts"

/** Everything that the service needs from its stores. */
export type GatewayPorts =
  | AccessRequests
  | ApiKeys
  | AuditLog
  | CreditLedger
  | CurrentDirectory
  | EndUsers
  | Organizations
  | RateLimiter
  | Secrets
  | Units
  | UsageLog

/**
 * - `keyRateLimit_per_minute`: of a key that has no limit of its own; 600 by default
 * - `addressRateLimit_per_minute`: of an address that sends no key, or bad ones; 600 by default
 * - `trustedProxies`: addresses and CIDR ranges whose `X-Forwarded-For` counts; none by default
 */
export interface GatewayOptions extends AdmissionOptions {
  /** Opens the management API. At least 16 characters. */
  readonly operatorToken: Redacted.Redacted<string>
  /** Told of every answer once it is made, for an access log. It must not throw. */
  readonly onAnswer?: (record: AnswerRecord) => void
}

/** What an access log may know: no path as it was sent, no key, no address. */
export interface AnswerRecord {
  readonly request_id: string
  readonly method: string
  /** `group.endpoint`, or `-` where no endpoint was reached. */
  readonly operation: string
  readonly status: number
  readonly duration_ms: number
  readonly key_id: string | undefined
}

export interface Gateway {
  /** Answers a request; it never fails. */
  readonly answer: (request: HttpRequest) => Effect.Effect<HttpResponse>
  /** From now on the service says that it is not ready, so that balancers send it nothing new. */
  readonly drain: () => void
  readonly isDraining: () => boolean
  /** The limit that an address without a key has, for answers to what is no request. */
  readonly addressRateLimit_per_minute: number
}

/** The shortest operator token that is taken, in characters. */
export const minimumOperatorToken = 16

/**
 * The service on its ports.
 *
 * @throws Error that names the option that is wrong
 */
export const makeGateway = (options: GatewayOptions): Effect.Effect<Gateway, never, GatewayPorts> =>
  Effect.gen(function* () {
    if (Redacted.value(options.operatorToken).length < minimumOperatorToken) {
      throw new Error(`the operator token needs at least ${minimumOperatorToken} characters`)
    }
    let draining = false
    const isDraining = () => draining
    const find = yield* makeTargets(isDraining)
    const admit = yield* makeAdmission(options)
    const dispatch = yield* makeDispatch(options.operatorToken)
    const count = yield* makeUsage

    const finish = (
      exchange: Exchange,
      { decision, identified }: Admission,
      exit: Exit.Exit<Reply, GatewayError>,
      started_ms: number
    ): Effect.Effect<HttpResponse> => {
      const principal = Result.isSuccess(identified) ? identified.success : undefined
      const response = render(exchange, decision, exit)
      if (principal !== undefined) count(exchange, principal, exit)
      options.onAnswer?.({
        request_id: exchange.request_id,
        method: exchange.request.method,
        operation: isRoute(exchange.target) ? exchange.target.operation : "-",
        status: response.status,
        duration_ms: performance.now() - started_ms,
        key_id: principal?.key_id
      })
      return response.status === 500 && Exit.isFailure(exit)
        ? Effect.as(Effect.logError(`request ${exchange.request_id} failed`, exit.cause), response)
        : Exit.succeed(response)
    }

    return {
      answer: (request) => {
        const started_ms = options.onAnswer === undefined ? 0 : performance.now()
        const request_id = validRequestId(request.header("x-request-id")) ?? newRequestId()
        const exchange = makeExchange(request, request_id, find)
        return Effect.flatMap(admit(request, isFree(exchange)), (admission) =>
          Effect.flatMap(Effect.exit(dispatch(exchange, admission)), (exit) =>
            finish(exchange, admission, exit, started_ms)
          )
        )
      },
      drain: () => {
        draining = true
      },
      isDraining,
      addressRateLimit_per_minute: options.addressRateLimit_per_minute ?? defaultRateLimit_per_minute
    }
  })

/** Finds the endpoint or document under a path. */
const makeTargets = Effect.fnUntraced(function* (isDraining: () => boolean) {
  const routes = compileRoutes({
    search: yield* searchHandlers,
    lookup: yield* lookupHandlers,
    assembly: assemblyHandlers,
    reference: yield* referenceHandlers,
    management: yield* managementHandlers,
    health: yield* healthHandlers(isDraining)
  })
  const documents = yield* makeDocuments
  return makeRouter<Target>([
    ...routes.map((route) => ({ method: route.method, path: route.path, value: route })),
    ...documents.map((document) => ({ method: "GET", path: document.path, value: document }))
  ])
})

/** Counts what keys ask for, by day and operation. */
const makeUsage = Effect.gen(function* () {
  const usage = yield* UsageLog
  const clock = yield* Clock.Clock
  let today = { end_ms: 0, date: "" }

  const dateOf = (now_ms: number): string => {
    if (now_ms >= today.end_ms) {
      const date = new Date(now_ms).toISOString().slice(0, 10)
      today = { end_ms: Date.parse(date) + 86_400_000, date }
    }
    return today.date
  }

  return (
    { target }: Exchange,
    principal: { readonly organization_id: string; readonly environment: "test" | "live" },
    exit: Exit.Exit<Reply, GatewayError>
  ): void => {
    if (!isRoute(target)) return
    const reply = Exit.isSuccess(exit) ? exit.value : undefined
    usage.record({
      organization_id: principal.organization_id,
      environment: principal.environment,
      operation: target.operation,
      credits: reply?._tag === "Answer" ? (reply.answer.receipt?.charged ?? 0) : 0,
      date: dateOf(clock.currentTimeMillisUnsafe())
    })
  }
})
