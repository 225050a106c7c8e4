import { Effect, Exit, Option, Tracer } from "effect"
import { describe, expect, it } from "vitest"
import type { Gateway } from "../../src/pipeline/Gateway.ts"
import type { HttpRequest, HttpResponse } from "../../src/server/HttpMessage.ts"
import { parseTraceparent, type TraceParent } from "../../src/telemetry/TraceContext.ts"
import { traceGateway, withoutErrorTexts } from "../../src/telemetry/TracedGateway.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const spanId = "00f067aa0ba902b7"
const traceparent = `00-${traceId}-${spanId}-01`

const response = (status: number): HttpResponse => ({ status, headers: {}, body: undefined })

/** A gateway that answers with an effect, and what is recorded of it. */
const record = (options: {
  readonly answer: (request: HttpRequest) => Effect.Effect<HttpResponse>
  readonly headers?: Readonly<Record<string, string>>
  readonly peer?: string
  readonly sample?: (parent: TraceParent | undefined) => boolean
  readonly method?: string
}) => {
  const spans: Array<Tracer.NativeSpan> = []
  const gateway: Gateway = {
    answer: options.answer,
    operationOf: ({ target }) =>
      target.startsWith("/v1/keys/") ? { operation: "keys.get", path: "/v1/keys/:id" } : undefined,
    load: () => undefined,
    drain: () => {},
    isDraining: () => false,
    refuse: () => ({ status: 400, headers: {}, body: undefined })
  }
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const parents: Array<TraceParent | undefined> = []
  const traced = traceGateway(gateway, {
    tracer: withoutErrorTexts(tracer, (key) => key !== "secret"),
    sample: (parent) => {
      parents.push(parent)
      return options.sample?.(parent) ?? true
    },
    trustedProxies: ["10.0.0.0/8"]
  })
  const answered = traced.answer({
    method: options.method ?? "GET",
    target: "/v1/keys/key_of_someone?nin=12345678901",
    header: (name) => options.headers?.[name],
    peer_address: options.peer ?? "10.1.2.3",
    body: () => Effect.succeed(new Uint8Array())
  })
  return { answered, spans, parents }
}

const attributesOf = (span: Tracer.Span | undefined) => Object.fromEntries(span?.attributes ?? [])

describe("a request that is recorded", () => {
  it("is a span named after method and route, without any text of the request", async () => {
    const { answered, spans } = record({ answer: () => Effect.succeed(response(200)) })
    expect((await Effect.runPromise(answered)).status).toBe(200)
    expect(spans.map(({ kind, name }) => ({ kind, name }))).toEqual([{ kind: "server", name: "GET /v1/keys/:id" }])
    expect(attributesOf(spans[0])).toEqual({
      "http.request.method": "GET",
      "url.scheme": "http",
      "http.route": "/v1/keys/:id",
      "postcode.operation": "keys.get",
      "http.response.status_code": 200
    })
    expect(spans[0]?.status).toMatchObject({ _tag: "Ended", exit: { _tag: "Success" } })
  })

  it("passes the id of its trace to the gateway, and contains the spans of its calls", async () => {
    const seen: Array<unknown> = []
    const { answered, spans } = record({
      answer: ({ trace_id }) => {
        seen.push(trace_id)
        return Effect.withSpan(Effect.andThen(Effect.yieldNow, Effect.succeed(response(200))), "a call")
      }
    })
    await Effect.runPromise(answered)
    const [request, call] = spans
    expect(seen).toEqual([request?.traceId])
    expect(call).toMatchObject({ name: "a call", traceId: request?.traceId })
    expect(Option.getOrThrow(call!.parent).spanId).toBe(request?.spanId)
  })

  it("is a failure from status 500 on, and not below", async () => {
    for (const [status, failed] of [
      [404, false],
      [429, false],
      [500, true],
      [503, true]
    ] as const) {
      const { answered, spans } = record({ answer: () => Exit.succeed(response(status)) })
      await Effect.runPromise(answered)
      expect(attributesOf(spans[0])["error.type"]).toBe(failed ? String(status) : undefined)
      expect(spans[0]?.status).toMatchObject({ exit: { _tag: failed ? "Failure" : "Success" } })
    }
  })

  it("contains no error message, and only allowed attributes", async () => {
    const failing = Effect.fail({ _tag: "SqlError", message: "someone@example.com is there" })
    const { answered, spans } = record({
      answer: () =>
        Effect.as(
          Effect.ignore(Effect.withSpan(failing, "a call", { attributes: { secret: "someone@example.com" } })),
          response(200)
        )
    })
    await Effect.runPromise(answered)
    expect(attributesOf(spans[1])).toEqual({ "error.type": "SqlError" })
    expect(JSON.stringify(spans[1]?.status, (_, value) => (typeof value === "bigint" ? 0 : value))).not.toContain("@")
  })

  it("with an unknown method does not repeat it", async () => {
    const { answered, spans } = record({ answer: () => Exit.succeed(response(405)), method: "SECRET" })
    await Effect.runPromise(answered)
    expect(spans[0]?.name).toBe("HTTP /v1/keys/:id")
    expect(attributesOf(spans[0])["http.request.method"]).toBe("_OTHER")
  })
})

describe("traceparent", () => {
  it("of a trusted proxy is continued, with its sampling decision", async () => {
    for (const flags of ["00", "01"]) {
      const headers = { traceparent: traceparent.replace(/01$/, flags) }
      const { answered, parents, spans } = record({
        answer: () => Exit.succeed(response(200)),
        headers,
        sample: (parent) => parent?.sampled ?? false
      })
      await Effect.runPromise(answered)
      expect(parents).toEqual([{ traceId, spanId, sampled: flags === "01" }])
      expect(spans.map((span) => span.traceId)).toEqual(flags === "01" ? [traceId] : [])
      if (flags === "01") expect(Option.getOrThrow(spans[0]!.parent).spanId).toBe(spanId)
    }
  })

  it("of any other client begins a new trace", async () => {
    const { answered, parents, spans } = record({
      answer: () => Exit.succeed(response(200)),
      headers: { traceparent },
      peer: "203.0.113.7"
    })
    await Effect.runPromise(answered)
    expect(parents).toEqual([undefined])
    expect(spans[0]?.traceId).not.toBe(traceId)
    expect(spans[0]?.parent).toEqual(Option.none())
  })

  it("that is malformed is ignored", () => {
    expect(parseTraceparent(traceparent)).toEqual({ traceId, spanId, sampled: true })
    expect(parseTraceparent(`cc-${traceId}-${spanId}-03-more`)).toEqual({ traceId, spanId, sampled: true })
    const wrong = [
      "",
      traceparent.toUpperCase(),
      `${traceparent}-more`,
      `ff-${traceId}-${spanId}-01`,
      `00-${"0".repeat(32)}-${spanId}-01`,
      `00-${traceId}-${"0".repeat(16)}-01`,
      `00-${traceId.slice(1)}-${spanId}-01`,
      ` ${traceparent}`,
      `${traceparent},${traceparent}`
    ]
    for (const header of wrong)
      expect({ header, parsed: parseTraceparent(header) }).toEqual({ header, parsed: undefined })
  })
})

it("a request that is not sampled is answered without tracing", () => {
  const answer = Exit.succeed(response(200))
  const { answered, spans } = record({ answer: () => answer, sample: () => false })
  expect(answered).toBe(answer)
  expect(spans).toEqual([])
})
