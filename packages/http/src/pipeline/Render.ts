/** Renders a reply or a failure: status, body, and the headers that the conventions require on every response. */
import type { RateDecision } from "@postcode/gateway/limits/RateLimiter"
import { type Cause, Exit } from "effect"
import type { Document } from "../documents/Documents.ts"
import { isOnHost } from "../documents/HostedFile.ts"
import type { HttpResponse } from "../server/HttpMessage.ts"
import { rateLimitsOf } from "./Admission.ts"
import { dataHeaders } from "./DataVersion.ts"
import type { Reply } from "./Dispatch.ts"
import { type Failure, type GatewayError, internalError, toFailure } from "./ErrorTable.ts"
import { type Exchange, isRoute } from "./Exchange.ts"
import type { GatewayOptions } from "./GatewayOptions.ts"
import { dataPolicy, strictTransport } from "./SecurityHeaders.ts"

/** The response of an exchange that ended in `exit`. */
export type Render = (exchange: Exchange, decision: RateDecision, exit: Exit.Exit<Reply, GatewayError>) => HttpResponse

/**
 * @param options a `publicOrigin` with HTTPS adds Strict-Transport-Security to every response; a guide to an error among
 *   the `files` is linked by the responses with its code
 * @param support_contact see `toFailure`
 */
export const makeRender = (
  options: Pick<GatewayOptions, "files" | "host" | "publicOrigin">,
  support_contact: string | undefined
): Render => {
  const headersOf = makeCommonHeaders(options)
  const guides = errorGuidesIn(options)
  return (exchange, decision, exit) => {
    const headers = conventionHeaders(headersOf, exchange, decision)
    if (Exit.isSuccess(exit)) return renderReply(headers, exchange, exit.value)
    const failure = failureOf(exit.cause, support_contact)
    if (failure.status === 400 && isRoute(exchange.target) && exchange.target.oauthForm !== undefined) {
      return renderFailure(exchange, headers, { ...failure, body: oauthBody(exit.cause, failure) })
    }
    const guide = guides.get(failure.body.error.code)
    if (guide !== undefined) headers.link = guide
    return renderFailure(exchange, headers, failure)
  }
}

/** The `Link` headers of errors, by code. */
type ErrorGuides = ReadonlyMap<string, string>

const errorGuidesIn = ({ files = [], host = "both" }: Pick<GatewayOptions, "files" | "host">): ErrorGuides =>
  new Map(
    files.flatMap((file) => {
      const [path, code] = /^\/docs\/reference\/errors\/(\w+)\/$/.exec(file.path) ?? []
      return code !== undefined && isOnHost(file, host) ? [[code, `<${path}>; rel="help"`]] : []
    })
  )

/** Renders the answer to bytes that are not a request. It counts under no rate limit. */
export const makeRenderUnparsable = (
  options: Pick<GatewayOptions, "addressRateLimit_per_minute" | "publicOrigin">
): ((failure: Failure, request_id: string) => HttpResponse) => {
  const headersOf = makeCommonHeaders(options)
  const { address: limit } = rateLimitsOf(options)
  return (failure, request_id) => {
    const body = JSON.stringify(failure.body)
    const headers = Object.assign(headersOf(request_id, { limit, remaining: limit, reset_s: 0 }), failure.headers, {
      "cache-control": "no-store",
      "content-length": String(Buffer.byteLength(body))
    })
    return { status: failure.status, headers, body }
  }
}

const renderReply = (headers: Headers, exchange: Exchange, reply: Reply): HttpResponse => {
  switch (reply._tag) {
    case "Preflight":
      delete headers["content-type"]
      return { status: 204, headers: Object.assign(headers, preflightHeaders, { allow: reply.allow }), body: undefined }
    case "Document":
      return renderDocument(exchange, headers, reply.document)
    case "Answer": {
      const { cookie, data, level, receipt } = reply.answer
      if (cookie !== undefined) headers["set-cookie"] = cookie
      if (level !== undefined) headers["x-lookup-level"] = String(level)
      if (receipt?.balance !== undefined) {
        headers["x-credits-charged"] = String(receipt.charged)
        headers["x-credits-remaining"] = String(receipt.balance)
      }
      if (reply.route.fromDirectory) Object.assign(headers, dataHeaders(reply.directory))
      const body = reply.route.oauthForm === undefined ? { data } : data
      return renderJson(exchange, reply.route.status, headers, JSON.stringify(body))
    }
  }
}

type Headers = Record<string, string>

const exposed = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  "Retry-After",
  "X-Credits-Charged",
  "X-Credits-Remaining",
  "X-Lookup-Level",
  "X-Data-Version",
  "X-Data-Date"
].join(", ")

const preflightHeaders = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  // Tracing libraries add headers to every request of a page. The asterisk does not include `Authorization`.
  "access-control-allow-headers": "*, Authorization",
  "access-control-max-age": "7200"
}

type Quota = Pick<RateDecision, "limit" | "remaining" | "reset_s">
type CommonHeaders = (request_id: string, quota: Quota) => Headers

/** The headers of every response. */
const makeCommonHeaders = ({ publicOrigin }: Pick<GatewayOptions, "publicOrigin">): CommonHeaders =>
  publicOrigin?.startsWith("https://")
    ? (request_id, quota) => {
        const headers = commonHeaders(request_id, quota)
        headers["strict-transport-security"] = strictTransport
        return headers
      }
    : commonHeaders

/** Written out as one literal: this runs for every response, and a copy of one object costs the least. */
const commonHeaders: CommonHeaders = (request_id, quota) => ({
  "content-type": "application/json; charset=utf-8",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposed,
  "x-content-type-options": "nosniff",
  "content-security-policy": dataPolicy,
  "x-request-id": request_id,
  "x-ratelimit-limit": String(quota.limit),
  "x-ratelimit-remaining": String(quota.remaining),
  "x-ratelimit-reset": String(quota.reset_s)
})

/** A shared cache must not answer a request that has a key with a response to an anonymous request. */
const conventionHeaders = (
  headersOf: CommonHeaders,
  { request, request_id, target }: Exchange,
  decision: RateDecision
): Headers => {
  const headers = headersOf(request_id, decision)
  const keyed = request.header("x-api-key") !== undefined
  const isPrivate = isRoute(target) && (target.metered || target.access !== "public" || target.oauthForm !== undefined)
  if (keyed || isPrivate) {
    headers["cache-control"] = "no-store"
  } else headers.vary = "X-API-Key"
  return headers
}

const failureOf = (cause: Cause.Cause<GatewayError>, support_contact: string | undefined): Failure => {
  const failed = cause.reasons.find((reason) => reason._tag === "Fail")
  return failed === undefined || cause.reasons.some((reason) => reason._tag === "Die")
    ? internalError
    : toFailure(failed.error, support_contact)
}

/** RFC 6749, 5.2. */
const oauthBody = (cause: Cause.Cause<GatewayError>, { body }: Failure) => {
  const refused = cause.reasons.find((reason) => reason._tag === "Fail" && reason.error._tag === "OAuthRefused")
  const error =
    refused?._tag === "Fail" && refused.error._tag === "OAuthRefused" ? refused.error.error : "invalid_request"
  return { error, error_description: body.error.message }
}

const renderFailure = (
  exchange: Exchange,
  headers: Headers,
  failure: Omit<Failure, "body"> & { readonly body: object }
): HttpResponse =>
  renderJson(exchange, failure.status, Object.assign(headers, failure.headers), JSON.stringify(failure.body))

const renderJson = (exchange: Exchange, status: number, headers: Headers, body: string): HttpResponse => {
  headers["content-length"] = String(Buffer.byteLength(body))
  return { status, headers, body: exchange.request.method === "HEAD" ? undefined : body }
}

const renderDocument = (exchange: Exchange, headers: Headers, document: Document): HttpResponse => {
  const { request } = exchange
  // Each document has its own policy, or none.
  delete headers["content-security-policy"]
  for (const [name, value] of Object.entries(document.headers)) headers[name] ??= value
  // Both encodings of a document have the same tag, so it is weak. Browsers cache parts only with a strong one.
  headers.etag = `${document.gzipped ? "W/" : ""}"${document.digest}"`
  headers.vary = "Accept-Encoding"
  headers["cache-control"] ??= "no-cache"
  if (isKnown(document, request.header("if-none-match"))) {
    delete headers["content-type"]
    return { status: 304, headers, body: undefined }
  }
  headers["accept-ranges"] = "bytes"
  const range = rangeOf(exchange, document.plain.byteLength, headers.etag)
  if (range !== undefined) return renderRange(headers, document, range)
  const gzipped = takesGzip(request.header("accept-encoding")) ? document.gzipped : undefined
  const body = gzipped ?? document.plain
  headers["content-type"] = document.contentType
  headers["content-length"] = String(body.byteLength)
  if (gzipped !== undefined) headers["content-encoding"] = "gzip"
  return { status: 200, headers, body: request.method === "HEAD" ? undefined : body }
}

/** The first and the last byte; "none" if the document ends before the first. */
type ByteRange = readonly [first: number, last: number] | "none"

/**
 * The range that a request asks for. Undefined to send the whole document, which a server may always do: for several
 * ranges, for other units, and for a condition that is not this document's strong tag.
 */
const rangeOf = ({ request }: Exchange, length: number, tag: string): ByteRange | undefined => {
  const asked = request.header("range")
  const condition = request.header("if-range")
  const isOther = condition !== undefined && (condition !== tag || tag.startsWith("W/"))
  if (asked === undefined || request.method !== "GET" || isOther) return undefined
  const [, first = "", last = ""] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(asked) ?? []
  if (first === "" && last === "") return undefined
  // `-5` asks for the last five bytes.
  const start = first === "" ? Math.max(0, length - Number(last)) : Number(first)
  const end = first === "" || last === "" ? length - 1 : Math.min(Number(last), length - 1)
  if (first !== "" && last !== "" && Number(last) < start) return undefined
  return start < length ? [start, end] : "none"
}

/** A part of the plain content: a tile of an archive is a range of it. */
const renderRange = (headers: Headers, { contentType, plain }: Document, range: ByteRange): HttpResponse => {
  if (range === "none") {
    delete headers["content-type"]
    headers["content-range"] = `bytes */${plain.byteLength}`
    headers["content-length"] = "0"
    return { status: 416, headers, body: "" }
  }
  const [first, last] = range
  headers["content-type"] = contentType
  headers["content-range"] = `bytes ${first}-${last}/${plain.byteLength}`
  headers["content-length"] = String(last + 1 - first)
  return { status: 206, headers, body: plain.subarray(first, last + 1) }
}

/** Weak comparison, because both encodings of a document may have the same tag. */
const isKnown = (document: Document, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch.trim() === "*" || ifNoneMatch.includes(`"${document.digest}"`))

/** Whether the header names gzip with a weight above 0. */
const takesGzip = (acceptEncoding: string | undefined): boolean =>
  acceptEncoding !== undefined && /(?:^|,)\s*gzip\s*(?:,|;(?!\s*q\s*=\s*0(?:\.0*)?\s*(?:,|$))|$)/i.test(acceptEncoding)
