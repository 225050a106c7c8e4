/** The header `traceparent` of W3C Trace Context, which names the trace that a request belongs to. */

/** The caller's span. `traceId` has 32 hexadecimal digits, `spanId` 16. */
export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  /** Whether the caller records it. */
  readonly sampled: boolean
}

/** Undefined if the header is malformed, which counts as missing. Later versions may append further fields. */
export const parseTraceparent = (header: string): TraceParent | undefined => {
  const [, version, traceId = "", spanId = "", flags = "", more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header) ?? []
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
