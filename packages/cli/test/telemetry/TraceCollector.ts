/** A collector of traces: a server that takes what OpenTelemetry's protocol posts as JSON, and keeps the spans. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { listen } from "../../../widget/test/Listening.ts"

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: unknown }>
}

export interface TraceCollector extends AsyncDisposable {
  readonly url: string
  readonly spans: ReadonlyArray<CollectedSpan>
  /** Each request, as it came. */
  readonly posted: ReadonlyArray<{
    readonly path: string
    readonly headers: IncomingHttpHeaders
    readonly body: Buffer
  }>
}

/** @param answer in place of taking what comes */
export const startCollector = async (answer?: (res: ServerResponse) => void): Promise<TraceCollector> => {
  const spans: Array<CollectedSpan> = []
  const posted: Array<TraceCollector["posted"][number]> = []
  const { close, url } = await listen(async (req, res) => {
    const body = await buffer(req)
    posted.push({ path: req.url as string, headers: req.headers, body })
    if (answer !== undefined) return answer(res)
    if (req.headers["content-type"]?.includes("json")) spans.push(...spansOf(JSON.parse(body.toString())))
    res.setHeader("content-type", "application/json").end("{}")
  })
  return { url, spans, posted, [Symbol.asyncDispose]: close }
}

interface Posted {
  readonly resourceSpans: ReadonlyArray<{
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<CollectedSpan> }>
  }>
}

const spansOf = ({ resourceSpans }: Posted): ReadonlyArray<CollectedSpan> =>
  resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
