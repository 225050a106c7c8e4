import { errorCodes } from "@postcode/api"
import { readMetrics } from "@postcode/conformance/wire"
import { describe, expect, it } from "vitest"
import type { AnswerRecord } from "../../src/pipeline/GatewayOptions.ts"
import { makeGatewayMetrics } from "../../src/telemetry/GatewayMetrics.ts"
import { Metrics, metricsText } from "../../src/telemetry/Metrics.ts"

const answer: AnswerRecord = {
  request_id: "one",
  method: "GET",
  operation: "lookup.single",
  status: 200,
  duration_ms: 0.07,
  key_id: undefined,
  trace_id: undefined,
  error: undefined,
  limited: undefined,
  unchecked: false,
  charge: undefined
}

const counted = (...records: ReadonlyArray<Partial<AnswerRecord>>) => {
  const metrics = makeGatewayMetrics()
  for (const record of records) metrics.onAnswer({ ...answer, ...record })
  return readMetrics(metrics.text())
}

describe("answers are counted", () => {
  it("by operation and status, errors also by their code", () => {
    const metrics = counted({}, {}, { operation: "search.reverse" }, { status: 403, error: "level_not_granted" })
    expect(metrics.get("postcode_http_requests_total")?.samples).toEqual(
      new Map([
        ['postcode_http_requests_total{operation="search.reverse",status="200"}', 1],
        ['postcode_http_requests_total{operation="lookup.single",status="200"}', 2],
        ['postcode_http_requests_total{operation="lookup.single",status="403",error="level_not_granted"}', 1]
      ])
    )
  })

  it("each error of the contract under its status", () => {
    const codes = Object.entries(errorCodes).flatMap(([status, errors]) => errors.map((error) => ({ status, error })))
    const metrics = counted(...codes.map(({ error, status }) => ({ status: Number(status), error })))
    expect([...metrics.get("postcode_http_requests_total")!.samples.keys()]).toEqual(
      codes.map(
        ({ error, status }) =>
          `postcode_http_requests_total{operation="lookup.single",status="${status}",error="${error}"}`
      )
    )
  })

  it("each success under its status, and an unexpected status under a known one", () => {
    const metrics = counted(...[200, 201, 204, 304, 299, 700].map((status) => ({ status })))
    const samples = metrics.get("postcode_http_requests_total")!.samples
    expect([...samples].map(([key, value]) => [/status="(\d+)"/.exec(key)?.[1], value])).toEqual([
      ["200", 3],
      ["201", 1],
      ["204", 1],
      ["304", 1]
    ])
    const counts = [...metrics.get("postcode_http_request_duration_seconds")!.samples].filter(([key]) =>
      key.includes("_count")
    )
    expect(counts.map(([key, value]) => [/status_class="(\w+)"/.exec(key)?.[1], value])).toEqual([
      ["2xx", 4],
      ["3xx", 1],
      ["5xx", 1]
    ])
  })

  it("an unknown operation under a dash, so that no label contains text of a request", () => {
    const metrics = counted({ operation: 'x"}\n' }, { operation: "__proto__" })
    expect(metrics.get("postcode_http_requests_total")?.samples).toEqual(
      new Map([['postcode_http_requests_total{operation="-",status="200"}', 2]])
    )
  })

  it("with their durations in seconds, each in the first bucket that is not too small", () => {
    const { samples } = counted({ duration_ms: 0.1 }, { duration_ms: 0.11 }, { duration_ms: 60_000 }).get(
      "postcode_http_request_duration_seconds"
    )!
    const labels = 'operation="lookup.single",status_class="2xx"'
    const at = (bound: string) => samples.get(`postcode_http_request_duration_seconds_bucket{${labels},le="${bound}"}`)
    expect([at("0.0001"), at("0.00025"), at("10"), at("+Inf")]).toEqual([1, 2, 2, 3])
    expect(samples.get(`postcode_http_request_duration_seconds_sum{${labels}}`)).toBeCloseTo(60.00021, 8)
  })

  it("with their credits by level and environment, if any were charged", () => {
    const metrics = counted(
      { charge: { credits: 3, environment: "live", level: 4 } },
      { charge: { credits: 2, environment: "live", level: 4 } },
      { charge: { credits: 1, environment: "test", level: undefined }, operation: "widget.session" },
      { charge: { credits: 0, environment: "test", level: 1 } }
    )
    expect(metrics.get("postcode_credits_charged_total")?.samples).toEqual(
      new Map([
        ['postcode_credits_charged_total{operation="lookup.single",level="4",environment="live"}', 5],
        ['postcode_credits_charged_total{operation="widget.session",environment="test"}', 1]
      ])
    )
  })

  it("with the limit that refused them, and whether their key could not be checked", () => {
    const refused = { status: 429, error: "rate_limit_exceeded" } as const
    const metrics = counted(
      { ...refused, limited: "key" },
      { ...refused, limited: "address" },
      { ...refused, limited: "address", unchecked: true },
      { ...refused, limited: "organization" },
      refused,
      { unchecked: true },
      { status: 503, error: "service_unavailable", unchecked: true }
    )
    expect(metrics.get("postcode_rate_limit_refusals_total")?.samples).toEqual(
      new Map([
        ['postcode_rate_limit_refusals_total{subject="address"}', 2],
        ['postcode_rate_limit_refusals_total{subject="key"}', 1],
        ['postcode_rate_limit_refusals_total{subject="organization"}', 1]
      ])
    )
    expect(metrics.get("postcode_unchecked_key_responses_total")?.samples).toEqual(
      new Map([["postcode_unchecked_key_responses_total", 1]])
    )
  })
})

describe("the text", () => {
  it("escapes labels and help texts", () => {
    const metrics = new Metrics({ x: "One\\\nline." })
    metrics.gauge("x", { a: 'q"\\\n' }).value = -1.5
    expect(metricsText(metrics.snapshots())).toBe('# HELP x One\\\\\\nline.\n# TYPE x gauge\nx{a="q\\"\\\\\\n"} -1.5\n')
  })
})
