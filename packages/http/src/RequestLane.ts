/** The lane of each request, by what stands under its path: known before anything else is, so that refusing is cheap. */
import { Unavailable } from "@postcode/core/Errors"
import { type Effect, Exit } from "effect"
import { type Exchange, isRoute } from "./Dispatch.ts"
import type { HttpRequest, HttpResponse } from "./HttpMessage.ts"
import type { Place } from "./Lane.ts"
import type { LaneName, LoadControl } from "./LoadControl.ts"

/** The lane of a request; undefined if it is never refused. */
const laneOf = ({ query, request, target }: Exchange): LaneName | undefined => {
  if (!isRoute(target)) return "free"
  if (target.unlimited) return undefined
  switch (target.access) {
    case "manager":
      return "management"
    case "visitor":
      return "visitors"
    // A session was paid for.
    case "session":
      return "paid"
    default:
      return target.metered && Exit.isSuccess(query) && !(target.isFree(query.value) && isUnkeyed(request))
        ? "paid"
        : "free"
  }
}

/** The ledger records what is sent under an idempotency key, even if it is free. */
const isUnkeyed = ({ header }: HttpRequest): boolean => header("idempotency-key") === undefined

type Serve = (exchange: Exchange) => Effect.Effect<HttpResponse>
type Refuse = (exchange: Exchange, refusal: Exit.Exit<never, Unavailable>) => Effect.Effect<HttpResponse>

/** Serves each request in its lane, or refuses it. Without load control everything is served. */
export const runInLane = (load: LoadControl | false, serve: Serve, refuse: Refuse): Serve => {
  if (load === false) return serve
  const nextRefusal = makeRefusals()

  const besideBody = (exchange: Exchange, lane: LaneName, place: Place): Exchange =>
    isRoute(exchange.target) && exchange.target.hasBody
      ? { ...exchange, aside: (slow) => load.aside(lane, place, slow, nextRefusal) }
      : exchange

  return (exchange) => {
    const lane = laneOf(exchange)
    if (lane === undefined) return serve(exchange)
    return load.run(
      lane,
      (place) => serve(besideBody(exchange, lane, place)),
      () => refuse(exchange, nextRefusal())
    )
  }
}

/** Clients are told different times, so that those who were refused together do not come back together. */
const makeRefusals = (): (() => Exit.Exit<never, Unavailable>) => {
  const refusals = [1, 2, 3].map((retry_after_s) => Exit.fail(new Unavailable({ retry_after_s })))
  let given = 0
  return () => refusals[given++ % refusals.length] as Exit.Exit<never, Unavailable>
}
