/** The queue of each request, by its route and its decoded query. */
import { Unavailable } from "@postcode/core/Errors"
import { type Effect, Exit } from "effect"
import { type Exchange, isRoute } from "../pipeline/Exchange.ts"
import type { HttpResponse } from "../server/HttpMessage.ts"
import type { LoadControl, QueueName } from "./LoadControl.ts"
import type { Outside } from "./RequestQueue.ts"

/** Undefined if the request is never refused. */
const queueOf = ({ query, request, target }: Exchange): QueueName | undefined => {
  if (!isRoute(target)) return "free"
  if (target.unlimited) return undefined
  if (target.access === "manager") return "management"
  if (target.access === "visitor") return "sign_in"
  // A session was paid for.
  if (target.access === "session") return "paid"
  if (!target.metered || Exit.isFailure(query)) return "free"
  // The ledger records what is sent under an idempotency key, even if it is free.
  return target.isFree(query.value) && request.header("idempotency-key") === undefined ? "free" : "paid"
}

const unlimited: Outside = (slow) => slow

type Serve = (exchange: Exchange, outside: Outside) => Effect.Effect<HttpResponse>
type Refuse = (exchange: Exchange, refusal: Exit.Exit<never, Unavailable>) => Effect.Effect<HttpResponse>

/** Serves each request in its queue, or refuses it. Without load control everything is served. */
export const queueRequests = (
  load: LoadControl | false,
  serve: Serve,
  refuse: Refuse
): ((exchange: Exchange) => Effect.Effect<HttpResponse>) => {
  const nextRefusal = makeRefusals()
  return (exchange) => {
    const name = load === false ? undefined : queueOf(exchange)
    if (load === false || name === undefined) return serve(exchange, unlimited)
    const queue = load.queues[name]
    return queue.run(
      (slot) => serve(exchange, (slow) => queue.outside(slot, slow, nextRefusal)),
      () => refuse(exchange, nextRefusal())
    )
  }
}

/** Clients get different times, so that those that were refused together do not return together. */
const makeRefusals = (): (() => Exit.Exit<never, Unavailable>) => {
  const refusals = [1, 2, 3].map((retry_after_s) => Exit.fail(new Unavailable({ retry_after_s })))
  let given = 0
  return () => refusals[given++ % refusals.length] as Exit.Exit<never, Unavailable>
}
