/** What a caller says of the trace that its request belongs to: the header `traceparent` of W3C Trace Context. */

/** The span of whoever calls: its trace in 32 hexadecimal digits, and itself in 16. */
export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  /** Whether the caller records it. */
  readonly sampled: boolean
}

/** Undefined if it is not well formed: then it is as if it had not been sent. Later versions may say more behind it. */
export const parseTraceparent = (header: string): TraceParent | undefined => {
  const [, version, traceId = "", spanId = "", flags = "", more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header) ?? []
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
