/**
 * A gateway whose requests are recorded as spans: those that a sampler picks. All others cost a look at one header, and
 * go the way that they go without it.
 */
import { Cause, Clock, Effect, Exit, Option, Tracer } from "effect"
import { trustedProxies } from "../input/ClientAddress.ts"
import type { Gateway } from "../pipeline/Gateway.ts"
import type { HttpRequest, HttpResponse } from "../server/HttpMessage.ts"
import { parseTraceparent, type TraceParent } from "./TraceContext.ts"

/** Where spans go, and which requests have one. */
export interface TracingOptions {
  readonly tracer: Tracer.Tracer
  /** Whether to record a request: of the trace that it belongs to, or, without one, of a new one. */
  readonly sample: (parent: TraceParent | undefined) => boolean
  /** Peers whose `traceparent` counts. Anybody else could have every request recorded, so others begin a new trace. */
  readonly trustedProxies: ReadonlyArray<string>
}

/** The same gateway, which records the requests that `sample` picks. */
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

/** What is asked for, in the words of the contract: never the path as it was sent, which may hold anything. */
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

/** A fault of the service is one of its span; what a caller did wrong is not. */
const ended = (span: Tracer.Span, response: HttpResponse): Effect.Effect<HttpResponse> =>
  Effect.map(Clock.currentTimeNanos, (now) => {
    span.attribute("http.response.status_code", response.status)
    if (response.status >= 500) {
      span.end(now, Exit.fail({ _tag: String(response.status) }))
    }
    return response
  })

/**
 * A tracer whose spans hold no words of errors: a database's may quote what it was given, such as an email address.
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
        end: (at: bigint, exit: Exit.Exit<unknown, unknown>) => end(at, withoutWords(span, exit)),
        attribute: (key: string, value: unknown) => {
          if (isAllowed(key)) attribute(key, value)
        }
      })
    }
  })

const withoutWords = (span: Tracer.Span, exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  const tag = (error as { readonly _tag?: unknown } | undefined)?._tag
  const type = typeof tag === "string" ? tag : "_OTHER"
  span.attribute("error.type", type)
  return Exit.fail(type)
}
