/** The queue of each request, by its route and its decoded query. */
import { type Effect, Exit } from "effect"
import { type Exchange, isRoute } from "../pipeline/Exchange.ts"
import type { HttpResponse } from "../server/HttpMessage.ts"
import type { LoadControl, QueueName } from "./LoadControl.ts"
import type { Outside, Refusal } from "./RequestQueue.ts"

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

/** Serves each request in its queue, or refuses it. Without load control everything is served. */
export const queueRequests =
  (
    load: LoadControl | false,
    serve: (exchange: Exchange, outside: Outside) => Effect.Effect<HttpResponse>,
    refuse: (exchange: Exchange, refusal: Refusal) => Effect.Effect<HttpResponse>
  ) =>
  (exchange: Exchange): Effect.Effect<HttpResponse> => {
    const name = load === false ? undefined : queueOf(exchange)
    if (load === false || name === undefined) return serve(exchange, unlimited)
    return load.queues[name].run(
      (outside) => serve(exchange, outside),
      (refusal) => refuse(exchange, refusal)
    )
  }
