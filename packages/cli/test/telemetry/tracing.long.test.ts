import type { ServerResponse } from "node:http"
import { postcodes } from "@postcode/conformance/wire"
import { makeCustomer, serveOnDatabase } from "@postcode/drills/Installation"
import { makeSampler } from "@postcode/server/telemetry/Sampler"
import { readTracingSettings, type TracingSettings } from "@postcode/server/telemetry/TracingSettings"
import { makeTracing } from "@postcode/server/telemetry/tracing"
import { Effect, Logger, type Scope } from "effect"
import { describe, expect, it, vi } from "vitest"
import { run } from "../RunCommand.ts"
import { startCollector } from "./TraceCollector.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const parentId = "00f067aa0ba902b7"

describe("the variables of OpenTelemetry", () => {
  const read = (environment: Record<string, string>) => Effect.runSync(readTracingSettings(environment))
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }

  it("enable traces with an endpoint: the path of traces is added to the general one only", () => {
    expect(read({})).toBeUndefined()
    expect(read({ OTEL_SERVICE_NAME: "x", OTEL_EXPORTER_OTLP_ENDPOINT: " " })).toBeUndefined()
    expect(read({ ...endpoint, OTEL_SDK_DISABLED: "TRUE" })).toBeUndefined()
    expect(read({ ...endpoint, OTEL_TRACES_EXPORTER: "none" })).toBeUndefined()
    expect(read(endpoint)).toEqual({
      url: "http://collector:4318/v1/traces",
      headers: {},
      protocol: "http/protobuf",
      timeout_ms: 10_000,
      resource: { "service.name": "postcode-gateway" },
      sampler: "parentbased_traceidratio",
      ratio: 0.01
    })
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://c.example/otlp/" })?.url).toBe(
      "https://c.example/otlp/v1/traces"
    )
    expect(read({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t/x" })?.url).toBe("http://t/x")
  })

  it("set the name of the service, its attributes, the headers and the sampling", () => {
    const settings = read({
      ...endpoint,
      OTEL_RESOURCE_ATTRIBUTES: "service.name=one,deployment.environment.name=b%2Cc, ",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x,other=1",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "250",
      OTEL_TRACES_SAMPLER: "traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.5"
    })
    expect(settings).toMatchObject({
      resource: { "service.name": "one", "deployment.environment.name": "b,c" },
      headers: { authorization: "Bearer x", other: "1" },
      protocol: "http/json",
      timeout_ms: 250,
      sampler: "traceidratio",
      ratio: 0.5
    })
    expect(
      read({ ...endpoint, OTEL_SERVICE_NAME: "two", OTEL_RESOURCE_ATTRIBUTES: "service.name=one" })?.resource
    ).toEqual({ "service.name": "two" })
    expect(read({ ...endpoint, OTEL_TRACES_SAMPLER: "traceidratio" })?.ratio).toBe(1)
  })

  it("that are invalid end the command with exit code 2 and their name, without their value", async () => {
    const { code, stderr } = await run(["serve"], {
      env: { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: "secret-without-a-value" }
    })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: OTEL_EXPORTER_OTLP_HEADERS: expected pairs/m)
    expect(stderr).not.toContain("secret-without")
    for (const wrong of [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" },
      { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      { ...endpoint, OTEL_TRACES_SAMPLER: "sometimes" },
      { ...endpoint, OTEL_TRACES_SAMPLER_ARG: "2" },
      { ...endpoint, OTEL_TRACES_SAMPLER_ARG: "x" },
      { ...endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: "1s" },
      { ...endpoint, OTEL_RESOURCE_ATTRIBUTES: "a=%ZZ" }
    ]) {
      expect(Effect.runSyncExit(readTracingSettings(wrong))._tag).toBe("Failure")
    }
  })
})

describe("a sampler", () => {
  const parent = (sampled: boolean, id = traceId) => ({ traceId: id, spanId: parentId, sampled })

  it("that is based on the parent follows it, and uses its own setting without a parent", () => {
    const never = makeSampler({ sampler: "parentbased_always_off", ratio: 1 })
    const always = makeSampler({ sampler: "parentbased_traceidratio", ratio: 1 })
    expect([never(undefined), never(parent(true)), always(undefined), always(parent(false))]).toEqual([
      false,
      true,
      true,
      false
    ])
  })

  it("that is based on the trace id ignores the parent, so that a trace is recorded as a whole", () => {
    const half = makeSampler({ sampler: "traceidratio", ratio: 0.5 })
    const low = `${"f".repeat(19)}${"0".repeat(13)}`
    const high = `${"0".repeat(19)}${"f".repeat(13)}`
    expect([half(parent(false, low)), half(parent(true, high))]).toEqual([true, false])
    expect(makeSampler({ sampler: "always_off", ratio: 1 })(parent(true))).toBe(false)
    expect(makeSampler({ sampler: "always_on", ratio: 0 })(parent(false, high))).toBe(true)
  })
})

describe("a collector", () => {
  it("gets the spans of a request and of its statements, and the access log has the id of the trace", async () => {
    await using collector = await startCollector()
    await using service = await serveOnDatabase(["--workers", "2", "--trusted-proxies", "127.0.0.1", "--access-log"], {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: "x-collector=abc"
    })
    const { secret: key } = await makeCustomer(service, 10)
    const code = postcodes.full
    const ask = (sampled: string) =>
      fetch(`${service.url}/v1/lookup?code=${code}&level=2`, {
        headers: {
          "x-api-key": key,
          "x-request-id": `r-${sampled}`,
          traceparent: `00-${traceId}-${parentId}-${sampled}`
        }
      })
    expect((await ask("01")).status).toBe(200)
    expect((await ask("00")).status).toBe(200)
    expect(await service.stop()).toBe(0)

    const [request, ...others] = collector.spans.filter(({ name }) => name === "GET /v1/lookup")
    expect(others).toEqual([])
    expect(request).toMatchObject({ traceId, parentSpanId: parentId, kind: 2 })
    expect(request?.spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(Object.fromEntries(request!.attributes.map(({ key, value }) => [key, value]))).toEqual({
      "http.request.method": { stringValue: "GET" },
      "url.scheme": { stringValue: "http" },
      "http.route": { stringValue: "/v1/lookup" },
      "postcode.operation": { stringValue: "lookup.single" },
      "http.response.status_code": { intValue: 200 }
    })
    const calls = collector.spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
    expect(calls.map(({ name }) => name)).toEqual([
      "ApiKeys.findByHash",
      // Of the key and of its organization.
      "RateLimiter.takeAll",
      "Units.attributes",
      "CreditLedger.charge"
    ])
    for (const call of calls) {
      expect(call).toMatchObject({ traceId, parentSpanId: request?.spanId, attributes: [] })
      expect(BigInt(call.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request!.startTimeUnixNano))
      expect(BigInt(call.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(request!.endTimeUnixNano))
    }
    expect(
      collector.posted.every(({ headers, path }) => path === "/v1/traces" && headers["x-collector"] === "abc")
    ).toBe(true)
    // Slow requests and faults are logged as well, also those before it.
    const traced = service
      .stderr()
      .match(/^\{.*"request_id":"r-01".*$/gm)
      ?.map((line) => JSON.parse(line))
    expect(traced).toEqual([expect.objectContaining({ request_id: "r-01", trace_id: traceId })])
  })

  const settingsFor = (url: string, timeout_ms: number): TracingSettings => ({
    url: `${url}/v1/traces`,
    headers: {},
    protocol: "http/protobuf",
    timeout_ms,
    resource: { "service.name": "test" },
    sampler: "always_on",
    ratio: 1
  })

  let isUnavailable = true
  it.each([
    ["that refuses", false, 5_000, (res: ServerResponse) => void res.writeHead(400).end()],
    ["that never answers", false, 50, () => {}],
    ["that is down for 5 s", true, 5_000, (res: ServerResponse) => void res.writeHead(isUnavailable ? 503 : 200).end()]
  ])("%s is reported once, and what is recorded for it is bounded", async (_, recovers, timeout_ms, answer) => {
    isUnavailable = true
    await using collector = await startCollector(answer)
    const logged: Array<string> = []
    const log = Logger.make<unknown, void>(({ message }) => void logged.push(String(message)))
    const work: Effect.Effect<void, never, Scope.Scope> = Effect.gen(function* () {
      const { sample, tracer } = yield* makeTracing(settingsFor(collector.url, timeout_ms))
      let recorded = 0
      for (let i = 0; i < 10_000; i++) {
        if (!sample(undefined)) continue
        recorded++
        yield* Effect.withTracer(Effect.withSpan(Effect.void, "a request", { root: true }), tracer)
      }
      expect(recorded).toBe(2_048)
      while (logged.length === 0) yield* Effect.sleep(10)
      isUnavailable = false
      while (recovers && !sample(undefined)) yield* Effect.sleep(10)
      expect(sample(undefined)).toBe(recovers)
    })
    await Effect.runPromise(Effect.provide(Effect.scoped(work), Logger.layer([log])))
    expect(logged).toEqual(["the collector of traces did not take them: some are lost until it does"])
    expect(collector.posted.length).toBeGreaterThan(0)
    expect(collector.posted[0]?.headers["content-type"]).toBe("application/x-protobuf")
  })

  it("that never answered is tried again after a minute, even if no spans are left", async () => {
    await using collector = await startCollector(() => {})
    const work = Effect.gen(function* () {
      const { sample } = yield* makeTracing(settingsFor(collector.url, 50))
      while (sample(undefined));
      const later_ms = performance.now() + 60_001
      vi.spyOn(performance, "now").mockReturnValue(later_ms)
      expect(sample(undefined)).toBe(true)
    })
    await Effect.runPromise(Effect.scoped(work))
  })
})
