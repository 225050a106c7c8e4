/**
 * Sends the spans of requests to a collector. A collector that is away harms nothing: answers never wait for it, what is
 * kept for it is bounded, and it is reported once and not each time.
 */
import { type TracingOptions, withoutErrorTexts } from "@postcode/http"
import { Effect, Layer, type Scope } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { OtlpExporter, OtlpSerialization, OtlpTracer } from "effect/observability"
import { makeSampler } from "./Sampler.ts"
import type { TracingSettings } from "./TracingSettings.ts"

/** How many requests may be recorded until the collector has taken some. All others are answered unrecorded. */
const mostRecorded = 2_048
/** Spans are sent when there are so many of them, or after a while. */
const mostSpans = 512
const exportInterval_ms = 2_000
/** As long as the exporter pauses after a failure. What it had until then is dropped. */
const givenUpAfter_ms = 60_000
/** How long the end of the service waits for the collector. */
const patience_ms = 3_000
/** How often it is said that the collector does not answer, for as long as that lasts. */
const complaintPause_ms = 300_000

/** A tracer and a sampler for a gateway, until the scope closes; then what is left is sent. */
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
        maxBatchSize: mostSpans,
        shutdownTimeout: patience_ms
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

/** What the driver says of a database that it was given by its address alone is not so. */
const unknownToStatements = new Set(["db.namespace", "server.address", "server.port"])

/**
 * How many requests may still be recorded. It is renewed when the collector has taken spans, and otherwise every minute:
 * the exporter drops what it could not send, and without new spans it would never try again.
 */
class Budget {
  private left = mostRecorded
  private renewed_ms = performance.now()

  take(): boolean {
    if (this.left === 0 && performance.now() >= this.renewed_ms + givenUpAfter_ms) this.renew()
    if (this.left === 0) return false
    this.left--
    return true
  }

  renew(): void {
    this.left = mostRecorded
    this.renewed_ms = performance.now()
  }
}

/** Gives each attempt its time, and reports those that fail, once in a while. */
const layerWatched = (
  budget: Budget,
  timeout_ms: number
): Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => {
      let complained_ms = Number.NEGATIVE_INFINITY
      const complain = Effect.suspend(() => {
        const now_ms = performance.now()
        if (now_ms < complained_ms + complaintPause_ms) return Effect.void
        complained_ms = now_ms
        return Effect.logWarning("the collector of traces did not take them: some are lost until it does")
      })
      return HttpClient.transform(client, (attempt) =>
        Effect.timeoutOrElse(attempt, { duration: timeout_ms, orElse: () => Effect.die("no answer in time") }).pipe(
          Effect.tap((response) => (response.status < 300 ? Effect.sync(() => budget.renew()) : complain)),
          Effect.tapCause(() => complain)
        )
      )
    })
  )
