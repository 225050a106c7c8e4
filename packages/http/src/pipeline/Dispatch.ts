/**
 * From an admitted request to a reply: path and method, credential, parameters and body, then the handler of the
 * endpoint. The contract defines the order of these checks. The first check that fails is answered.
 */

import type { Directory } from "@postcode/core/Directory"
import { authenticateManager, type NamedOrganization } from "@postcode/gateway/accounts/authenticateManager"
import type { ManagementKeys } from "@postcode/gateway/accounts/managementKeys/ManagementKeys"
import type { ConsoleSessions } from "@postcode/gateway/accounts/sessions/ConsoleSessions"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { AuthRequired, InvalidParameter, NotFound, RateLimitExceeded, type Unavailable } from "@postcode/gateway/Errors"
import { authorizeBatch, authorizeVerified, type Principal } from "@postcode/gateway/keys/ApiKey"
import type { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { type ManagementCall, type Manager, permit } from "@postcode/gateway/ManagementAccess"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import type { Secrets } from "@postcode/gateway/store/Secrets"
import { authenticateSession } from "@postcode/gateway/widget/sessions/authenticateSession"
import type { SessionTokens } from "@postcode/gateway/widget/sessions/SessionTokens"
import type { ActiveSession } from "@postcode/gateway/widget/sessions/WidgetSession"
import { Effect, Exit, Result, Semaphore } from "effect"
import { type Document, isDocument } from "../documents/Documents.ts"
import { bearerToken } from "../input/BearerToken.ts"
import type { Addresses } from "../input/ClientAddress.ts"
import { readForm } from "../input/Form.ts"
import { readJson } from "../input/Json.ts"
import { type LongForm, readLongJson } from "../input/LongJson.ts"
import { managerCredential, requireOwnPage } from "../input/ManagerCredential.ts"
import { AccountLimits } from "../load/AccountLimits.ts"
import type { LoadControl } from "../load/LoadControl.ts"
import type { Outside } from "../load/RequestQueue.ts"
import type { HttpRequest } from "../server/HttpMessage.ts"
import { type Admission, countItems } from "./Admission.ts"
import { type GatewayError, MethodNotAllowed } from "./ErrorTable.ts"
import { type Exchange, isRoute, type Target } from "./Exchange.ts"
import type { GatewayOptions } from "./GatewayOptions.ts"
import type { Answer } from "./Handler.ts"
import type { Invalid, Route } from "./Route.ts"
import type { Match } from "./Router.ts"

/** A success before the conventions' headers: the answer of a route, a document, or the answer to a preflight. */
export type Reply =
  | {
      readonly _tag: "Answer"
      readonly route: Route
      readonly answer: Answer<unknown>
      /** The directory of the call. */
      readonly directory: Directory
      /** The widget session of the token, if the endpoint takes one. */
      readonly session: ActiveSession | undefined
    }
  | { readonly _tag: "Document"; readonly document: Document }
  | { readonly _tag: "Preflight"; readonly allow: string }

export type DispatchOptions = Pick<GatewayOptions, "operatorToken" | "publicOrigin"> & {
  readonly loadControl: LoadControl | false
}

export const makeDispatch = (
  options: DispatchOptions,
  addresses: Addresses
): Effect.Effect<
  (exchange: Exchange, admission: Admission, outside: Outside) => Effect.Effect<Reply, GatewayError>,
  never,
  ApiKeys | ConsoleSessions | CurrentDirectory | ManagementKeys | Organizations | Secrets | SessionTokens
> =>
  Effect.gen(function* () {
    const serve = yield* makeServe(options, addresses)

    return (exchange, admission, outside) => {
      const { decision, forbidden, identified, limited, origin, unchecked } = admission
      const { match, request, target } = exchange
      if (limited !== undefined) return Exit.fail(new RateLimitExceeded({ retry_after_s: decision.retry_after_s }))
      if (Result.isFailure(identified)) return Exit.fail(identified.failure)
      if (forbidden !== undefined) return Exit.fail(forbidden)
      if (match === undefined) return Exit.fail(noSuchPath)
      if (request.method === "OPTIONS") return Exit.succeed({ _tag: "Preflight", allow: allowedMethods(match) })
      if (target === undefined || (request.method === "HEAD" && isRoute(target) && target.metered)) {
        const allow = allowedMethods(match)
        return Exit.fail(new MethodNotAllowed({ allow, message: `this path takes ${allow}` }))
      }
      if (isDocument(target)) {
        if (!("load" in target)) return Exit.succeed({ _tag: "Document", document: target })
        return Effect.map(Effect.promise(target.load), (document) => ({ _tag: "Document", document }))
      }
      const principal = identified.success
      const caller = { admission, principal, origin, unchecked, session: undefined, manager: undefined }
      return serve(exchange, target, caller, outside)
    }
  })

/** Finds the manager or the widget session where the endpoint needs one, and runs its handler. */
const makeServe = Effect.fnUntraced(function* (
  { loadControl, operatorToken, publicOrigin }: DispatchOptions,
  addresses: Addresses
) {
  const managerOf = yield* authenticateManager(operatorToken)
  const sessionOf = yield* authenticateSession
  // Bounds the memory of long bodies: others wait, unread, until one has arrived and is decoded.
  const longBodies = Semaphore.makeUnsafe(4)
  const run = runWith(yield* CurrentDirectory, addresses.subjectOf, publicOrigin, longBodies)
  const accounts =
    loadControl === false ? undefined : new AccountLimits(loadControl.queues.management.settings.timeout_ms)

  return (exchange: Exchange, route: Route, caller: Caller, outside: Outside): Effect.Effect<Reply, GatewayError> => {
    const { request } = exchange
    switch (route.access) {
      case "manager": {
        const shown = Effect.fromResult(managerCredential(request, publicOrigin))
        const found = Effect.flatMap(shown, (credential) =>
          managerOf(credential, route.endpoint as ManagementCall, () => addresses.of(request), namedIn(exchange, route))
        )
        return Effect.flatMap(found, (manager) => {
          const running = Effect.suspend(() => run(exchange, route, { ...caller, manager }, outside))
          // A long body is read only for those who may send it.
          const mayRead = route.longForm === undefined ? Effect.void : permit(manager, route.endpoint as ManagementCall)
          const work = Effect.andThen(mayRead, running)
          return accounts === undefined ? work : accounts.run(manager, work, outside)
        })
      }
      case "visitor":
        return Effect.flatMap(Effect.fromResult(requireOwnPage(request, publicOrigin)), () =>
          run(exchange, route, caller, outside)
        )
      case "session":
        return Effect.flatMap(sessionOf(bearerToken(request), caller.origin), (session) =>
          run(exchange, route, { ...caller, session }, outside)
        )
      default:
        return run(exchange, route, caller, outside)
    }
  }
})

/** The organization that a management request names, for sessions of accounts that belong to several. */
const namedIn = ({ match, request }: Exchange, { path }: Route): NamedOrganization => ({
  ofPath: path.startsWith("/v1/admin/organizations/:id") ? match?.params.id : undefined,
  ofHeader: request.header("x-organization")
})

/** The caller: an active key, a key that cannot be checked now, or anonymous; and its widget session or manager. */
interface Caller {
  readonly admission: Admission
  readonly principal: Principal | undefined
  readonly origin: string | undefined
  readonly unchecked: Unavailable | undefined
  readonly session: ActiveSession | undefined
  readonly manager: Manager | undefined
}

const noSuchPath = new NotFound({ message: "there is no such endpoint: /v1/docs lists all" })

const allowedMethods = (match: Match<Target>): string =>
  [...match.methods]
    .flatMap(([method, target]) =>
      method === "GET" && !(isRoute(target) && target.metered) ? ["GET", "HEAD"] : [method]
    )
    .concat("OPTIONS")
    .join(", ")

const runWith =
  (
    current: CurrentDirectory["Service"],
    addressOf: (request: HttpRequest) => string,
    publicOrigin: string | undefined,
    longBodies: Semaphore.Semaphore
  ) =>
  (exchange: Exchange, route: Route, caller: Caller, outside: Outside): Effect.Effect<Reply, GatewayError> => {
    const { match, query, request, request_id } = exchange
    const { admission, manager, origin, principal, session, unchecked } = caller
    const answer = (query: unknown, payload: unknown): Effect.Effect<Reply, GatewayError> => {
      const idempotency_key = route.metered ? request.header("idempotency-key") : undefined
      const refusal = refuse(route, caller, idempotency_key)
      if (refusal !== undefined) return Exit.fail(refusal)
      // The directory is read only here, so that an answer and the version in its headers always match.
      const directory = current.get(session ?? principal)
      const call = {
        params: match?.params,
        query,
        payload,
        principal,
        session,
        manager,
        origin,
        address: () => addressOf(request),
        ownOrigin: () => publicOrigin ?? `http://${request.header("host") ?? ""}`,
        request_id,
        idempotency_key,
        directory
      }
      const handled = (): Effect.Effect<Reply, GatewayError> =>
        Effect.mapEager(route.handle(call), (answer) => ({ _tag: "Answer", route, answer, directory, session }))
      if (route.countedBy === undefined) return handled()
      const items = (payload as Readonly<Record<string, ReadonlyArray<unknown>>>)[route.countedBy]?.length ?? 0
      return Effect.flatMapEager(countItems(admission, route.countedBy, items), handled)
    }
    const explained = (decoded: Exit.Exit<unknown, Invalid>): Exit.Exit<unknown, GatewayError> =>
      Exit.mapError(decoded, (explain) => explain(current.get(session ?? principal)))
    const readBody = ({ longForm, oauthForm }: Route): Effect.Effect<unknown, GatewayError> =>
      oauthForm !== undefined
        ? readForm(request, oauthForm)
        : longForm === undefined
          ? readJson(request)
          : readLong({ ...longForm, decodeItem: (item, index) => explained(longForm.decodeItem(item, index)) })
    const readLong = (form: LongForm<GatewayError>) => longBodies.withPermits(1)(readLongJson(request, form))
    const answerAll = (query: unknown): Effect.Effect<Reply, GatewayError> =>
      route.hasBody
        ? Effect.flatMap(
            Effect.flatMap(outside(readBody(route)), (body) => explained(route.decodeBody(body))),
            (payload) => answer(query, payload)
          )
        : answer(query, undefined)
    const answered = Effect.flatMapEager(explained(query), answerAll)
    return unchecked === undefined ? answered : Effect.catchTag(answered, "AuthRequired", () => unchecked)
  }

/** The checks after the parameters: the form of the idempotency key, and the key that the endpoint requires. */
const refuse = (
  route: Route,
  { principal, unchecked }: Caller,
  idempotency_key: string | undefined
): GatewayError | undefined => {
  if (idempotency_key !== undefined && !/^[\x20-\x7e]{1,128}$/.test(idempotency_key)) {
    return new InvalidParameter({
      parameter: "Idempotency-Key",
      message: "Idempotency-Key: expected 1 to 128 printable ASCII characters"
    })
  }
  if (route.access === "secret") {
    if (principal === undefined) return secretKeyRequired
    const authorized = authorizeBatch(principal)
    return Result.isFailure(authorized) ? authorized.failure : undefined
  }
  // A key that cannot be checked now is enough for endpoints that require any key: their answers are free.
  if (principal !== undefined) {
    if (route.access !== "key" && route.access !== "publishable") return undefined
    const verified = authorizeVerified(principal)
    return Result.isFailure(verified) ? verified.failure : undefined
  }
  if (route.access === "publishable") return publishableKeyRequired
  return route.access === "key" && unchecked === undefined ? keyRequired : undefined
}

const publishableKeyRequired = new AuthRequired({
  message: "this endpoint needs a publishable API key: send it in the X-API-Key header"
})

const secretKeyRequired = new AuthRequired({
  message: "this endpoint needs a secret API key: send it in the X-API-Key header"
})

const keyRequired = new AuthRequired({
  message: "this endpoint needs an API key of any kind: send it in the X-API-Key header"
})
