/**
 * A gateway that records the requests that a sampler selects as spans. Other requests cost only the reading of a
 * header.
 */
import { Cause, Clock, Effect, Exit, Option, Tracer } from "effect"
import { trustedProxies } from "../input/ClientAddress.ts"
import type { Gateway } from "../pipeline/Gateway.ts"
import type { HttpRequest, HttpResponse } from "../server/HttpMessage.ts"
import { parseTraceparent, type TraceParent } from "./TraceContext.ts"

/** The tracer, and the selection of requests. */
export interface TracingOptions {
  readonly tracer: Tracer.Tracer
  /** Whether to record a request; `parent` is undefined for a new trace. */
  readonly sample: (parent: TraceParent | undefined) => boolean
  /**
   * Peers whose `traceparent` is used. Requests of other peers start a new trace, because a client could otherwise have
   * every request recorded.
   */
  readonly trustedProxies: ReadonlyArray<string>
}

/** The same gateway with tracing. */
export const traceGateway = (gateway: Gateway, { sample, tracer, ...options }: TracingOptions): Gateway => {
  const proxies = trustedProxies(options.trustedProxies)
  const parentOf = ({ header, peer_address }: HttpRequest): TraceParent | undefined => {
    const sent = header("traceparent")
    return sent === undefined || !proxies.has(peer_address.replace(/^::ffff:/, "")) ? undefined : parseTraceparent(sent)
  }
  return {
    ...gateway,
    answer: (request) => {
      const parent = parentOf(request)
      return sample(parent) ? record(gateway, request, tracer, parent) : gateway.answer(request)
    }
  }
}

const record = (
  gateway: Gateway,
  request: HttpRequest,
  tracer: Tracer.Tracer,
  parent: TraceParent | undefined
): Effect.Effect<HttpResponse> => {
  const { name, ...attributes } = describe(gateway, request)
  const spanOptions = {
    kind: "server",
    sampled: true,
    attributes,
    ...(parent === undefined ? { root: true } : { parent: Tracer.externalSpan({ ...parent, sampled: true }) })
  } as const
  const recorded = Effect.useSpan(name, spanOptions, (span) => {
    const answer = Effect.suspend(() => gateway.answer({ ...request, trace_id: span.traceId }))
    return Effect.flatMap(Effect.provideService(answer, Tracer.ParentSpan, span), (response) => ended(span, response))
  })
  return Effect.withTracerEnabled(Effect.withTracer(recorded, tracer), true)
}

/**
 * Name and attributes of a span. They contain the path of the contract, never the path as sent, which may be anything.
 */
const describe = (gateway: Gateway, request: HttpRequest) => {
  const method = knownMethods.has(request.method) ? request.method : "_OTHER"
  const shown = method === "_OTHER" ? "HTTP" : method
  const called = gateway.operationOf(request)
  return {
    name: called === undefined ? shown : `${shown} ${called.path}`,
    "http.request.method": method,
    "url.scheme": "http",
    ...(called !== undefined && { "http.route": called.path, "postcode.operation": called.operation })
  }
}

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"])

/** A 5xx status is an error of the span; a 4xx status is not. */
const ended = (span: Tracer.Span, response: HttpResponse): Effect.Effect<HttpResponse> =>
  Effect.map(Clock.currentTimeNanos, (now) => {
    span.attribute("http.response.status_code", response.status)
    if (response.status >= 500) {
      span.end(now, Exit.fail({ _tag: String(response.status) }))
    }
    return response
  })

/**
 * A tracer whose spans contain no error messages: those of a database may quote values such as an email address.
 *
 * @param isAllowed which attributes may be recorded
 */
export const withoutErrorTexts = (tracer: Tracer.Tracer, isAllowed: (attribute: string) => boolean): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => {
      const span = tracer.span(options)
      const end = span.end.bind(span)
      const attribute = span.attribute.bind(span)
      return Object.assign(span, {
        end: (at: bigint, exit: Exit.Exit<unknown, unknown>) => end(at, withoutMessage(span, exit)),
        attribute: (key: string, value: unknown) => {
          if (isAllowed(key)) attribute(key, value)
        }
      })
    }
  })

const withoutMessage = (span: Tracer.Span, exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  const tag = (error as { readonly _tag?: unknown } | undefined)?._tag
  const type = typeof tag === "string" ? tag : "_OTHER"
  span.attribute("error.type", type)
  return Exit.fail(type)
}
