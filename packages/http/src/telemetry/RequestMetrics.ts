/**
 * Counts responses: rate, errors and duration by endpoint, credits, and rate limits. Labels are closed sets: never a
 * path, a key, an organization or an address.
 */
import { Api, errorCodes } from "@postcode/api"
import type { Environment } from "@postcode/core/Credits"
import { HttpApi } from "effect/http-api"
import type { AnswerCharge, AnswerRecord } from "../pipeline/GatewayOptions.ts"
import type { Metrics, MetricValue } from "./Metrics.ts"

/** Counts answers. */
export type RequestRecorder = (record: AnswerRecord) => void

/** The description of each metric, by name. */
export const requestMetrics = {
  postcode_http_requests_total: "Responses by operation, status, and the code of the error if there is one.",
  postcode_http_request_duration_seconds: "From a request's headers to its response, by operation and class of status.",
  postcode_credits_charged_total: "Credits charged, by operation, level served and environment of the key.",
  postcode_rate_limit_refusals_total:
    "Requests refused by the rate limit of their address, their key, or its organization.",
  postcode_unchecked_key_responses_total:
    "Successes whose key could not be checked because the database was unavailable. They contain only what is free."
}

type RequestMetrics = Metrics<keyof typeof requestMetrics>

/** Adds the series to a thread's metrics. A series with an operation is added when it first occurs. */
export const requestRecorder = (metrics: RequestMetrics): RequestRecorder => {
  const operations = new Map(operationNames().map((name) => [name, operationSeries(metrics, name)]))
  const other = operationSeries(metrics, "-")
  const refusals = (subject: string) => metrics.counter("postcode_rate_limit_refusals_total", { subject })
  const refused = { address: refusals("address"), key: refusals("key"), organization: refusals("organization") }
  const unchecked = metrics.counter("postcode_unchecked_key_responses_total")
  return (record) => {
    const { charge, duration_ms, error, limited, status } = record
    const { charged, failures, successes } = operations.get(record.operation) ?? other
    const { count, duration } = error === undefined ? successes.get(status) : failures.get(error)
    count.add(1)
    duration.observe(duration_ms / 1_000)
    if (charge !== undefined && charge.credits > 0) charged(charge).add(charge.credits)
    if (limited !== undefined) refused[limited].add(1)
    else if (record.unchecked && error === undefined) unchecked.add(1)
  }
}

/** Every endpoint of the contract. Documents and paths that do not exist count as `-`. */
const operationNames = (): ReadonlyArray<string> => {
  const names: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => names.push(`${group.identifier}.${endpoint.identifier}`)
  })
  return names
}

const operationSeries = (metrics: RequestMetrics, operation: string) => {
  const durations = new LazyMap((statusClass: number) => {
    const labels = { operation, status_class: `${statusClass}xx` }
    return metrics.histogram("postcode_http_request_duration_seconds", durationBounds_s, labels)
  })
  const counts = new LazyMap((outcome: Outcome) =>
    metrics.counter("postcode_http_requests_total", { operation, ...outcomes.get(outcome) })
  )
  const answers = (outcome: Outcome) => {
    const known = outcomes.get(outcome)
    const statusClass = Math.floor(Number(known?.status ?? outcome) / 100)
    // An unknown status counts as 200, so that labels stay a closed set.
    return {
      count: counts.get(known === undefined ? 200 : outcome),
      duration: durations.get(Math.min(Math.max(statusClass, 2), 5))
    }
  }
  const credits: Readonly<Record<Environment, Array<MetricValue>>> = { live: [], test: [] }
  const charged = ({ environment, level }: AnswerCharge): MetricValue => {
    const byLevel = credits[environment]
    byLevel[level ?? 0] ??= metrics.counter("postcode_credits_charged_total", {
      operation,
      ...(level !== undefined && { level: String(level) }),
      environment
    })
    return byLevel[level ?? 0] as MetricValue
  }
  // Two maps, because a map with keys of two types is slower.
  const successes = new LazyMap((status: number) => answers(status))
  const failures = new LazyMap((error: string) => answers(error))
  return { successes, failures, charged }
}

/** A status without an error, or the code of the error. */
type Outcome = number | string

/** The labels of each status of a success, and of each error code. */
const outcomes = new Map<Outcome, { readonly status: string; readonly error?: string }>([
  ...[200, 201, 204, 304].map((status) => [status, { status: String(status) }] as const),
  ...Object.entries(errorCodes).flatMap(([status, codes]) => codes.map((error) => [error, { status, error }] as const))
])

/** From answers out of memory to timeouts. */
const durationBounds_s = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
]

/** Creates each value at its first use. */
class LazyMap<Key, A> {
  private readonly made = new Map<Key, A>()
  private readonly make: (key: Key) => A

  constructor(make: (key: Key) => A) {
    this.make = make
  }

  get(key: Key): A {
    return this.made.get(key) ?? this.add(key)
  }

  private add(key: Key): A {
    const value = this.make(key)
    this.made.set(key, value)
    return value
  }
}
