/**
 * Exports spans to a collector. An unavailable collector does no harm: responses never wait, the buffer is bounded, and
 * the failure is not reported each time.
 */
import { type TracingOptions, withoutErrorTexts } from "@postcode/http"
import { Effect, Layer, type Scope } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { OtlpExporter, OtlpSerialization, OtlpTracer } from "effect/observability"
import { makeSampler } from "./Sampler.ts"
import type { TracingSettings } from "./TracingSettings.ts"

/** Maximum requests recorded until the collector accepts some. Others are not traced. */
const maxRecorded = 2_048
/** Spans are sent at this number, or after a delay. */
const maxSpans = 512
const exportInterval_ms = 2_000
/** The exporter's pause after a failure, in which it drops its spans. */
const exporterPause_ms = 60_000
/** The time to flush at the service's end. */
const flushTimeout_ms = 3_000
/** How often a persistent failure is reported. */
const failureReportInterval_ms = 300_000

/** A tracer and a sampler for a gateway until the scope closes; then the rest is flushed. */
export const makeTracing = (
  settings: TracingSettings
): Effect.Effect<Pick<TracingOptions, "sample" | "tracer">, never, Scope.Scope> =>
  Effect.gen(function* () {
    const budget = new Budget()
    const { protocol, url } = settings
    const { "service.name": serviceName, ...attributes } = settings.resource
    const tracer = yield* Effect.provide(
      OtlpTracer.make({
        url,
        headers: settings.headers,
        resource: { serviceName, attributes },
        exportInterval: exportInterval_ms,
        maxBatchSize: maxSpans,
        shutdownTimeout: flushTimeout_ms
      }),
      yield* Layer.build(
        Layer.mergeAll(
          OtlpExporter.layerFlusher,
          protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf,
          Layer.provide(layerWatched(budget, settings.timeout_ms), FetchHttpClient.layer)
        )
      )
    )
    const picks = makeSampler(settings)
    return {
      tracer: withoutErrorTexts(tracer, (attribute) => !unknownToStatements.has(attribute)),
      sample: (parent) => picks(parent) && budget.take()
    }
  })

/** The driver's attributes of a database that was given as a URL are wrong. */
const unknownToStatements = new Set(["db.namespace", "server.address", "server.port"])

/**
 * The number of requests that may still be recorded. Replenished when the collector accepts spans, and every minute:
 * the exporter drops what it could not send, and would never retry without new spans.
 */
class Budget {
  private left = maxRecorded
  private renewed_ms = performance.now()

  take(): boolean {
    if (this.left === 0 && performance.now() >= this.renewed_ms + exporterPause_ms) this.renew()
    if (this.left === 0) return false
    this.left--
    return true
  }

  renew(): void {
    this.left = maxRecorded
    this.renewed_ms = performance.now()
  }
}

/** Sets a timeout on each export, and reports failures at intervals. */
const layerWatched = (
  budget: Budget,
  timeout_ms: number
): Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => {
      let reported_ms = Number.NEGATIVE_INFINITY
      const reportUnavailable = Effect.suspend(() => {
        const now_ms = performance.now()
        if (now_ms < reported_ms + failureReportInterval_ms) return Effect.void
        reported_ms = now_ms
        return Effect.logWarning("the collector of traces did not take them: some are lost until it does")
      })
      return HttpClient.transform(client, (attempt) =>
        Effect.timeoutOrElse(attempt, { duration: timeout_ms, orElse: () => Effect.die("no answer in time") }).pipe(
          Effect.tap((response) => (response.status < 300 ? Effect.sync(() => budget.renew()) : reportUnavailable)),
          Effect.tapCause(() => reportUnavailable)
        )
      )
    })
  )
