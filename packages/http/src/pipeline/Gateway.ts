/**
 * The service as one function from request to response, for any server. Every request takes the same steps: route and
 * query → queue → key → rate limit → method → manager or widget session → parameters and body → idempotency key and
 * required key → use case. Every answer goes through `render`, which adds the headers of the conventions.
 */

import { assertPriceList } from "@postcode/core/Prices"
import { Prices } from "@postcode/gateway/credits/Prices"
import type { Principal } from "@postcode/gateway/keys/ApiKey"
import { KeyRateLimits } from "@postcode/gateway/keys/KeyRateLimits"
import type { DirectoryPorts, SecretPorts, StorePorts } from "@postcode/gateway/Store"
import { SupportContact } from "@postcode/gateway/SupportContact"
import { StoreHealth } from "@postcode/gateway/store/StoreHealth"
import { UsageLog } from "@postcode/gateway/usage/UsageLog"
import { Cause, Clock, Effect, Exit, Result } from "effect"
import { contractDocuments, type Document, documentOf, type LazyDocument } from "../documents/Documents.ts"
import { assertFiles, isOnHost } from "../documents/HostedFile.ts"
import { accountsHandlers } from "../handlers/accounts/accounts.ts"
import { ownAccountHandlers } from "../handlers/accounts/ownAccount.ts"
import { passkeyHandlers } from "../handlers/accounts/passkeys.ts"
import { assemblyHandlers } from "../handlers/assembly.ts"
import { changesHandlers } from "../handlers/directory/changes.ts"
import { healthHandlers } from "../handlers/health.ts"
import { lookupHandlers } from "../handlers/lookup.ts"
import { managementHandlers } from "../handlers/management.ts"
import { referenceHandlers } from "../handlers/search/reference.ts"
import { searchHandlers } from "../handlers/search/search.ts"
import { widgetHandlers } from "../handlers/widget/widget.ts"
import { clientAddresses } from "../input/ClientAddress.ts"
import { requestIds } from "../input/RequestId.ts"
import { reportUnreadable } from "../input/UnreadableAddresses.ts"
import { LoadControl, type LoadState } from "../load/LoadControl.ts"
import type { Outside } from "../load/RequestQueue.ts"
import type { HttpRequest, HttpResponse } from "../server/HttpMessage.ts"
import { type Admission, type Identified, makeAdmission, type RateLimits, rateLimitsOf } from "./Admission.ts"
import { answerRecord } from "./AnswerRecord.ts"
import { makeDispatch, type Reply } from "./Dispatch.ts"
import { flatMapExitEager } from "./EagerExit.ts"
import type { Failure, GatewayError } from "./ErrorTable.ts"
import {
  type Exchange,
  isFree,
  isRoute,
  makeExchange,
  originFor,
  queueOf,
  splitTarget,
  type Target,
  targetOf
} from "./Exchange.ts"
import { assertOptions, type GatewayOptions } from "./GatewayOptions.ts"
import { makeRender, makeRenderUnparsable } from "./Render.ts"
import { compileRoutes, type Route } from "./Route.ts"
import { makeRouter } from "./Router.ts"

/** The ports that the service needs. */
export type GatewayPorts = DirectoryPorts | SecretPorts | StorePorts

export interface Gateway {
  /** Answers a request and never fails. Returns an `Exit` if the request waits for nothing. */
  readonly answer: (request: HttpRequest) => Effect.Effect<HttpResponse>
  /** The endpoint of a request: its name and path in the contract; undefined if there is none. */
  readonly operationOf: (request: HttpRequest) => { readonly operation: string; readonly path: string } | undefined
  /** Makes the service report that it is not ready, so that load balancers send no new requests. */
  readonly drain: () => void
  readonly isDraining: () => boolean
  /** The requests in flight, waiting and refused, by queue; undefined without load control. */
  readonly load: () => LoadState | undefined
  /** The answer to bytes that are not a request, or to a request that is cut off, with the request id as sent. */
  readonly refuse: (failure: Failure, request_id: string | undefined) => HttpResponse
}

/**
 * The service on its ports. An invalid option is a defect: an `Error` that names it.
 */
export const makeGateway = (options: GatewayOptions): Effect.Effect<Gateway, never, GatewayPorts> =>
  Effect.gen(function* () {
    assertOptions(options)
    assertPriceList(yield* Prices)
    let draining = false
    const isDraining = () => draining
    const limits = rateLimitsOf(options)
    const { loadControl = new LoadControl() } = options
    const find = yield* makeTargets(options, limits, isDraining)
    const addresses = clientAddresses(options.trustedProxies ?? [], yield* reportUnreadable)
    const admit = yield* makeAdmission(limits, addresses)
    const dispatch = yield* makeDispatch({ ...options, loadControl }, addresses)
    const finish = yield* makeFinish(options)
    const requestIdOf = yield* requestIds(options.operatorToken)
    const renderUnparsable = makeRenderUnparsable(options)

    const serve = (exchange: Exchange, outside: Outside): Effect.Effect<HttpResponse> =>
      flatMapExitEager(
        () => admit(exchange.request, originFor(exchange), isFree(exchange)),
        (admitted) => {
          // A failure of a store during admission is answered like a later one.
          if (Exit.isFailure(admitted)) return finish(exchange, notAdmitted, Exit.failCause(admitted.cause))
          const admission = admitted.value
          return flatMapExitEager(
            () => dispatch(exchange, admission, outside),
            (exit) => finish(exchange, admission, exit)
          )
        }
      )
    const notCounted = uncounted(limits.address)
    const answer = (exchange: Exchange): Effect.Effect<HttpResponse> => {
      const queue = loadControl === false ? undefined : queueOf(exchange)
      if (loadControl === false || queue === undefined) return serve(exchange, unlimited)
      return loadControl.queues[queue].run(
        (outside) => serve(exchange, outside),
        (refusal) => finish(exchange, notCounted, refusal)
      )
    }

    return {
      answer: (request) => answer(makeExchange(request, requestIdOf(request.header("x-request-id")), find)),
      load: () => (loadControl === false ? undefined : loadControl.state),
      operationOf: (request) => {
        const target = targetOf(find(splitTarget(request.target)[0]), request.method)
        return isRoute(target) ? target : undefined
      },
      drain: () => {
        draining = true
      },
      isDraining,
      refuse: (failure, request_id) => renderUnparsable(failure, requestIdOf(request_id))
    }
  })

const unlimited: Outside = (slow) => slow

/** The admission of a request that was not counted. */
const uncounted = (limit: number): Admission => ({
  identified: Result.succeed(undefined),
  origin: undefined,
  forbidden: undefined,
  unchecked: undefined,
  decision: { allowed: false, limit, remaining: limit, reset_s: 0, retry_after_s: 0 },
  limited: undefined,
  countMore: () => Effect.die("the request was not admitted")
})

/** The admission failed, so no limit is known. */
const notAdmitted = uncounted(0)

/** Renders the response of an exchange, and records it: usage, `onAnswer`, and a log entry for each 500. */
const makeFinish = Effect.fnUntraced(function* (options: GatewayOptions) {
  const count = yield* makeUsage
  const render = makeRender(options, yield* SupportContact)

  return (
    exchange: Exchange,
    admission: Admission,
    exit: Exit.Exit<Reply, GatewayError>
  ): Effect.Effect<HttpResponse> => {
    const { request_id } = exchange
    const caller = callerOf(admission.identified, exit)
    const response = render(exchange, admission.decision, exit)
    let logged: Effect.Effect<void> = Exit.void
    if (response.status === 500 && Exit.isFailure(exit)) {
      logged = Effect.logError(`request ${request_id} failed`, exit.cause)
    }
    try {
      if (caller !== undefined) count(exchange, caller, exit, response.status)
      options.onAnswer?.(answerRecord(exchange, admission, caller, exit, response.status))
    } catch (defect) {
      logged = Effect.andThen(logged, Effect.logError(`request ${request_id} could not be recorded`, Cause.die(defect)))
    }
    return Effect.mapEager(logged, () => response)
  }
})

/** The key that a request counts for. */
type CallerKey = Pick<Principal, "environment" | "key_id" | "organization_id">

/** The key that was sent, or the key of the widget session. */
const callerOf = (identified: Identified, exit: Exit.Exit<Reply, GatewayError>): CallerKey | undefined => {
  if (Result.isSuccess(identified) && identified.success !== undefined) return identified.success
  return Exit.isSuccess(exit) && exit.value._tag === "Answer" ? exit.value.session : undefined
}

/** Finds the endpoint or document under a path. */
const makeTargets = Effect.fnUntraced(function* (
  options: GatewayOptions,
  limits: RateLimits,
  isDraining: () => boolean
) {
  const { files = [], host = "both", mapStyle, publicOrigin, sessionRateLimit_per_minute } = options
  const routes = compileRoutes({
    search: yield* searchHandlers,
    lookup: yield* lookupHandlers,
    assembly: assemblyHandlers,
    reference: yield* referenceHandlers,
    directory: yield* changesHandlers,
    widget: yield* widgetHandlers(sessionRateLimit_per_minute, mapStyle),
    management: yield* Effect.provideService(managementHandlers, KeyRateLimits, limits.keys),
    accounts: yield* accountsHandlers(mapStyle),
    account: yield* ownAccountHandlers,
    passkeys: yield* passkeyHandlers(publicOrigin),
    health: healthHandlers(isDraining, yield* StoreHealth)
  })
  const ownFiles = files.filter((file) => isOnHost(file, host))
  const documents = yield* contractDocuments(new Set(ownFiles.map(({ path }) => path)))
  const findOwn = makeRouter<Target>([...routes.map(targetAt), ...documents.map(documentAt)])
  assertFiles(files, (path) => findOwn(path) !== undefined)
  return makeRouter<Target>([
    ...routes.filter((route) => host === "both" || route.host === "both" || route.host === host).map(targetAt),
    ...documents.map(documentAt),
    ...ownFiles.map((file) => documentAt(documentOf(file)))
  ])
})

const targetAt = (route: Route) => ({ method: route.method, path: route.path, value: route })
const documentAt = (document: Document | LazyDocument) => ({ method: "GET", path: document.path, value: document })

/** Records the usage of keys. */
const makeUsage = Effect.gen(function* () {
  const usage = yield* UsageLog
  const clock = yield* Clock.Clock

  return ({ target }: Exchange, caller: CallerKey, exit: Exit.Exit<Reply, GatewayError>, status: number): void => {
    if (!isRoute(target)) return
    const reply = Exit.isSuccess(exit) ? exit.value : undefined
    const answer = reply?._tag === "Answer" ? reply.answer : undefined
    usage.record({
      organization_id: caller.organization_id,
      environment: caller.environment,
      key_id: caller.key_id,
      operation: target.operation,
      level: answer?.level ?? null,
      status,
      credits: answer?.receipt?.charged ?? 0,
      at_ms: clock.currentTimeMillisUnsafe()
    })
  }
})
