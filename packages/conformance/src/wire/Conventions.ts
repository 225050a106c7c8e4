/**
 * The conventions of every response. The clients of the suite check each response with this file, so every endpoint and
 * every failure is covered.
 */
import { errorCodes, oauthErrorCodes } from "@postcode/api"
import { dataPolicy } from "@postcode/http"
import { Exit } from "effect"
import { operatorToken } from "../world/OperatorToken.ts"
import { documentAt, type Endpoint, findEndpoint } from "./Contract.ts"
import type { Received, Sent } from "./Received.ts"

/** A canary that tests put into invalid input. No response may contain it, in any case. */
export const canary = "cAnArY"

const canaryPattern = new RegExp(canary, "i")

/** A canary for identifiers of end users, which must be well formed. */
export const canaryNin = "84213579604"

/** @throws Error that lists all conventions that the response breaks */
export const assertConventions = (sent: Sent, received: Received): void => {
  const faults = faultsOf(sent, received)
  if (faults.length === 0) return
  const lines = faults.map((fault) => `\n  - ${fault}`).join("")
  throw new Error(`${sent.method} ${sent.target.slice(0, 200)} → ${received.status} ${received.text}${lines}`)
}

/** Descriptions of all conventions that a response breaks. */
export const faultsOf = (sent: Sent, received: Received): ReadonlyArray<string> => {
  const path = sent.target.split("?")[0] as string
  const endpoint = findEndpoint(sent.method, path)
  return [
    ...faultsOfHeaders(sent, received, endpoint),
    ...faultsOfStatus(sent, received, path),
    ...faultsOfCaching(sent, received, path, endpoint),
    ...faultsOfPolicy(received, path),
    ...faultsOfMetering(sent, received, endpoint),
    ...faultsOfDataVersion(received, endpoint),
    ...faultsOfDescription(received, endpoint),
    ...faultsOfSecrecy(sent, received, endpoint),
    ...faultsOfBody(sent, received, path, endpoint)
  ]
}

type Faults = ReadonlyArray<string>

const faultUnless = (holds: boolean, fault: string): Faults => (holds ? [] : [fault])

const faultsOfHeaders = (sent: Sent, { headerNames, headers }: Received, endpoint: Endpoint | undefined): Faults => {
  const sentId = sent.headers["x-request-id"]
  const exposed = (headers["access-control-expose-headers"] ?? "").toLowerCase().split(/\s*,\s*/)
  const limit = Number(headers["x-ratelimit-limit"])
  const remaining = Number(headers["x-ratelimit-remaining"])
  return [
    ...headerNames
      .filter((name, i) => headerNames.indexOf(name) !== i)
      .map((name) => `the header ${name} stands there twice`),
    ...rateLimitHeaders
      .filter((name) => !isWhole(headers[name]))
      .map((name) => `${name}: expected a whole number, found ${headers[name]}`),
    ...faultUnless(remaining <= limit, "more requests remain than the limit allows"),
    ...faultUnless(requestIdPattern.test(headers["x-request-id"] ?? ""), "x-request-id is missing or malformed"),
    ...faultUnless(
      sentId === undefined || !isKept(sentId) || headers["x-request-id"] === sentId,
      "a valid x-request-id was not kept"
    ),
    ...faultUnless(headers["access-control-allow-origin"] === "*", "another origin may not read this"),
    ...exposedHeaders.filter((name) => !exposed.includes(name)).map((name) => `${name} is not exposed`),
    ...faultUnless(!("access-control-allow-credentials" in headers), "credentials are allowed across origins"),
    ...faultUnless(headers["x-content-type-options"] === "nosniff", "nosniff is missing"),
    ...faultsOfCookie(sent, headers["set-cookie"], endpoint),
    ...unwantedHeaders.filter((name) => name in headers).map((name) => `the header ${name} does not belong here`)
  ]
}

/** Only signing in and out sets a cookie, and never the one that was sent, which would allow session fixation. */
const faultsOfCookie = (sent: Sent, cookie: string | undefined, endpoint: Endpoint | undefined): Faults => {
  if (cookie === undefined) return []
  const value = cookiePattern.exec(cookie)?.[1]
  return [
    ...faultUnless(
      /^(account|passkeys)\./.test(endpoint?.operation ?? ""),
      "the header set-cookie does not belong here"
    ),
    ...faultUnless(value !== undefined, `set-cookie: ${cookie}`),
    ...faultUnless(!value || !sent.headers.cookie?.includes(value), "a cookie that was sent is set again")
  ]
}

const cookiePattern =
  /^__Host-postcode_session=([0-9A-Za-z]{43}|); Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Strict$/

const rateLimitHeaders = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]
const creditHeaders = ["x-credits-charged", "x-credits-remaining"]
const dataHeaders = ["x-data-version", "x-data-date"]
const exposedHeaders = [
  ...rateLimitHeaders,
  ...creditHeaders,
  ...dataHeaders,
  "x-request-id",
  "retry-after",
  "x-lookup-level"
]
const unwantedHeaders = ["server", "x-powered-by"]
const requestIdPattern = /^[A-Za-z0-9._:-]{1,64}$/

/** A key, a possible identification number and the operator token are never kept as an id. */
const isKept = (id: string): boolean =>
  requestIdPattern.test(id) &&
  !id.includes("svc_") &&
  !id.split(/[._:-]/).some((part) => /^\d{11}$/.test(part)) &&
  id !== operatorToken

const isWhole = (value: string | undefined): boolean => value !== undefined && /^\d{1,10}$/.test(value)

const faultsOfStatus = (sent: Sent, { headers, status }: Received, path: string): Faults => {
  const waits = status === 429 || status === 503
  const allow = headers.allow?.split(", ")
  return [
    ...faultUnless(
      waits ? isWhole(headers["retry-after"]) && headers["retry-after"] !== "0" : !("retry-after" in headers),
      `retry-after: ${headers["retry-after"]} under this status`
    ),
    ...faultUnless(
      (allow !== undefined) === (status === 405 || status === 204),
      `allow: ${headers.allow} under this status`
    ),
    ...faultUnless(status !== 405 || allow?.includes(sent.method) === false, "allow names the method refused"),
    ...faultUnless(
      status >= 200 &&
        status < 600 &&
        (status < 300 || status >= 400 || (status === 304 && documentAt(path) !== undefined)),
      "this status is none that the service answers"
    ),
    ...faultUnless(status !== 204 || sent.method === "OPTIONS", "204 is for preflights alone")
  ]
}

const faultsOfCaching = (
  sent: Sent,
  { headers, status }: Received,
  path: string,
  endpoint: Endpoint | undefined
): Faults => {
  const control = headers["cache-control"]
  const isPrivate = endpoint !== undefined && (endpoint.metered || endpoint.isOAuth || endpoint.access !== "public")
  if ("x-api-key" in sent.headers || isPrivate) {
    return faultUnless(control === "no-store", `cache-control: expected no-store, found ${control}`)
  }
  const document = documentAt(path)
  if (document === undefined || status !== 200) return []
  const { cacheControl } = document
  return faultUnless(control === cacheControl, `cache-control: expected ${cacheControl}, found ${control}`)
}

/** The security policy of an answer: data may do nothing, and a document has its own policy. */
const faultsOfPolicy = ({ headers, status }: Received, path: string): Faults => {
  const document = documentAt(path)
  const isData = document === undefined || status >= 400 || status === 204 || path === "/v1/openapi.json"
  const policy = headers["content-security-policy"]
  const varies = headers["cache-control"] === "no-store" || headers.vary === "X-API-Key"
  return [
    ...faultUnless(!isData || policy === dataPolicy, `content-security-policy: ${policy} on data`),
    ...faultUnless(
      isData || document?.contentType.startsWith("text/html") === (policy !== undefined),
      `content-security-policy: ${policy} on a document`
    ),
    ...faultUnless(document !== undefined || varies, `vary: ${headers.vary} on what a cache may keep`)
  ]
}

const faultsOfMetering = ({ headers: sent }: Sent, received: Received, endpoint: Endpoint | undefined): Faults => {
  const { headers, status } = received
  const succeeded = status === endpoint?.successStatus
  const served = endpoint?.metered === true && succeeded
  const level = headers["x-lookup-level"]
  const credits = creditHeaders.filter((name) => name in headers)
  const isSecret = "x-api-key" in sent && !sent["x-api-key"]?.startsWith("svc_pk_")
  const isLimited = status === 429 && endpoint?.metered === true
  const maySay = isSecret && (served || isLimited || status === 402)
  return [
    ...faultUnless(
      endpoint?.leveled && succeeded ? /^[1-5]$/.test(level ?? "") : level === undefined,
      `x-lookup-level: ${level}`
    ),
    ...faultUnless(
      credits.length === 0 || maySay,
      `${credits.join(", ")} under an answer that costs nothing, or to a publishable key`
    ),
    ...faultUnless(credits.length !== 1, `${credits[0]} stands alone`),
    ...credits.filter((name) => !isWhole(headers[name])).map((name) => `${name}: ${headers[name]}`),
    ...faultUnless(
      status !== 402 || !isSecret || headers["x-credits-charged"] === "0",
      "402 without x-credits-charged: 0"
    ),
    ...faultUnless(status !== 429 || (headers["x-credits-charged"] ?? "0") === "0", "429, and charged all the same")
  ]
}

/** Each header of the contract is in the interface description of this endpoint and status. */
const faultsOfDescription = ({ headers, status }: Received, endpoint: Endpoint | undefined): Faults => {
  if (endpoint === undefined || !(status === endpoint.successStatus || endpoint.errorStatuses.has(status))) return []
  const described = endpoint.describedHeaders(status)
  return exposedHeaders
    .filter((name) => name in headers && !described.includes(name))
    .map((name) => `${name}: the interface description does not name it under ${status}`)
}

/** The version may be unknown, so these headers may be missing. Other tests check their presence. */
const faultsOfDataVersion = ({ headers, status }: Received, endpoint: Endpoint | undefined): Faults => {
  const found = dataHeaders.filter((name) => name in headers)
  const maySay = endpoint?.fromDirectory === true && status === endpoint.successStatus
  return [
    ...faultUnless(found.length === 0 || maySay, `${found.join(", ")} on what does not come from the directory`),
    ...found
      .filter((name) => !dataHeaderPattern.test(headers[name] ?? ""))
      .map((name) => `${name}: expected printable ASCII without spaces, found ${headers[name]}`)
  ]
}

const dataHeaderPattern = /^[\x21-\x7e]{1,800}$/

/** Their response has the secret of a new key. */
const operationsWithSecret: ReadonlySet<string> = new Set([
  "management.createKey",
  "management.rotateKey",
  "accounts.createManagementKey"
])

/** A refused field of a body is named, see `explainUnknownField`. */
const withoutFieldName = (text: string): string => text.replace(`unknown field \\"${canary}\\"`, "")

const faultsOfSecrecy = (sent: Sent, received: Received, endpoint: Endpoint | undefined): Faults => {
  const everything = `${Object.values(received.headers).join("\n")}\n${received.text}`
  const token = /^Bearer (.{8,})$/.exec(sent.headers.authorization ?? "")?.[1]
  const session = /__Host-postcode_session=([0-9A-Za-z]{8,})/.exec(sent.headers.cookie ?? "")?.[1]
  const holdsSecret = /svc_(?:test|live|pk|mk)_[0-9A-Za-z]{38}/.test(everything)
  const makesKey = operationsWithSecret.has(endpoint?.operation ?? "")
  // Address search returns the words of the text that it did not understand.
  const mayRepeat = received.status === 200 && /\/address(\/batch)?$/.test(endpoint?.path ?? "")
  // One response to a program that asks has the key.
  const isLogin = endpoint?.operation === "account.pollDeviceLogin" && received.status === 200
  const mayHoldSecret = (makesKey && received.status === 201) || isLogin
  return [
    ...faultUnless(
      mayRepeat || !canaryPattern.test(withoutFieldName(everything)),
      "the response repeats what was sent"
    ),
    ...faultUnless(!everything.includes(canaryNin), "the response holds an identifier"),
    ...faultUnless(session === undefined || !everything.includes(session), "the response holds the session's token"),
    ...faultUnless(token === undefined || !everything.includes(token), "the response holds the bearer token"),
    ...faultUnless(holdsSecret === mayHoldSecret, holdsSecret ? "the response holds a key" : "the secret is missing")
  ]
}

const faultsOfBody = (sent: Sent, received: Received, path: string, endpoint: Endpoint | undefined): Faults => {
  const { body, headers, status, text } = received
  if (sent.method === "HEAD" || status === 204 || status === 304) {
    return faultUnless(body.length === 0, "there is a body where there can be none")
  }
  const length = faultUnless(
    headers["content-length"] === String(body.length),
    `content-length: ${headers["content-length"]}, but the body has ${body.length} bytes`
  )
  const document = status === 200 ? documentAt(path) : undefined
  const type = faultUnless(
    headers["content-type"] === (document?.contentType ?? "application/json; charset=utf-8"),
    `content-type: ${headers["content-type"]}`
  )
  if (document !== undefined) return [...length, ...type]
  if (!isUtf8(body)) return [...length, ...type, "the body is not UTF-8"]
  return [...length, ...type, ...faultsOfEnvelope(status, parse(text), endpoint)]
}

const faultsOfEnvelope = (status: number, value: unknown, endpoint: Endpoint | undefined): Faults => {
  if (status >= 400) return [...faultsOfError(status, value, endpoint), ...faultsOfDeclaration(status, endpoint)]
  if (!endpoint?.isOAuth && keysOf(value) !== "data") return ["a success holds `data` and nothing beside it"]
  if (endpoint === undefined) return ["there is a success where the contract has no endpoint"]
  const decoded = endpoint.decodeSuccess(value)
  return [
    ...faultUnless(status === endpoint.successStatus, `the contract answers ${endpoint.successStatus} here`),
    ...faultUnless(Exit.isSuccess(decoded), `the contract's schema refuses the body: ${decoded}`)
  ]
}

const faultsOfError = (status: number, value: unknown, endpoint: Endpoint | undefined): Faults => {
  if (status === 400 && endpoint?.isOAuth) return faultsOfOAuthError(value)
  if (keysOf(value) !== "error") return ["a failure holds `error` and nothing beside it"]
  const { error } = value as { readonly error: { readonly code: unknown; readonly message: unknown } }
  if (keysOf(error) !== "code,message") return ["an error holds `code` and `message` and nothing beside them"]
  // It names up to 20 bad changes.
  const longest = endpoint?.operation === "management.changeDirectory" ? 4_000 : 300
  const codes: ReadonlyArray<unknown> = errorCodes[status as keyof typeof errorCodes] ?? []
  return [
    ...faultUnless(codes.includes(error.code), `the code ${error.code} does not belong to ${status}`),
    ...faultUnless(
      typeof error.message === "string" && /^[^\p{Cc}]{10,}$/u.test(error.message) && error.message.length <= longest,
      "the message is no sentence"
    )
  ]
}

const faultsOfOAuthError = (value: unknown): Faults => {
  if (keysOf(value) !== "error,error_description") return ["an error of OAuth holds `error` and `error_description`"]
  const { error, error_description } = value as { readonly error: unknown; readonly error_description: unknown }
  return [
    ...faultUnless(
      oauthErrorCodes.some((code) => code === error),
      `the code ${error} does not belong to OAuth`
    ),
    ...faultUnless(
      // The characters of RFC 6749, 5.2.
      typeof error_description === "string" && /^[\x20\x21\x23-\x5b\x5d-\x7e]{10,300}$/.test(error_description),
      "error_description has characters that OAuth does not allow"
    )
  ]
}

/** The interface description must list every failure of an endpoint. */
const faultsOfDeclaration = (status: number, endpoint: Endpoint | undefined): Faults =>
  faultUnless(
    endpoint === undefined || status === 405 || endpoint.errorStatuses.has(status),
    `the contract does not declare ${status} for ${endpoint?.operation}`
  )

const keysOf = (value: unknown): string =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value).sort().join() : ""

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
