/** The suite's own checker must see each breach, or no test that goes through it proves anything. */
import { describe, expect, it } from "vitest"
import { assertConventions, canary, canaryNin, faultsOf } from "../src/wire/Conventions.ts"
import type { Received, Sent } from "../src/wire/Received.ts"

const sent: Sent = { method: "GET", target: "/v1/search/autocomplete?q=LA", headers: {} }
const exposed =
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Retry-After, X-Credits-Charged, X-Credits-Remaining, X-Lookup-Level, X-Data-Version, X-Data-Date"

const common = {
  "content-type": "application/json; charset=utf-8",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposed,
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  vary: "X-API-Key",
  "x-request-id": "0f8fad5b",
  "x-ratelimit-limit": "600",
  "x-ratelimit-remaining": "599",
  "x-ratelimit-reset": "60"
}

const received = (
  status: number,
  body: unknown,
  changes: Readonly<Record<string, string | undefined>> = {}
): Received => {
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body)
  const all = { ...common, "content-length": String(Buffer.byteLength(text)), ...changes }
  const headers = Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  )
  return { status, headers, headerNames: Object.keys(headers), body: Buffer.from(text), text }
}

const suggestions = { data: { segment: "state", suggestions: [{ code: "LA", label: "Lagos", prefix: "LA" }] } }
const failure = (code: string, message = "code: expected something else") => ({ error: { code, message } })

describe("faultsOf", () => {
  it("finds no fault in a valid success, failure, preflight and HEAD response", () => {
    expect(faultsOf(sent, received(200, suggestions))).toEqual([])
    expect(faultsOf(sent, received(400, failure("invalid_parameter")))).toEqual([])
    expect(faultsOf(sent, received(429, failure("rate_limit_exceeded"), { "retry-after": "3" }))).toEqual([])
    const preflight = received(204, undefined, { allow: "GET", "content-length": undefined })
    expect(faultsOf({ ...sent, method: "OPTIONS" }, preflight)).toEqual([])
    expect(faultsOf({ ...sent, method: "HEAD" }, received(200, undefined, { "content-length": "52" }))).toEqual([])
    const lookup = { ...sent, target: "/v1/lookup?code=LA12A03BG07" }
    const result = { data: { postcode: "LA-12-A03-BG-07", valid: true, status: "valid" } }
    expect(faultsOf(lookup, received(200, result, { "x-lookup-level": "1", "cache-control": "no-store" }))).toEqual([])
  })

  const headers: ReadonlyArray<readonly [string, string | undefined]> = [
    ["content-security-policy", undefined],
    ["content-security-policy", "default-src *"],
    ["vary", undefined],
    ["vary", "Accept-Encoding"],
    ["x-request-id", undefined],
    ["x-request-id", "a b"],
    ["x-ratelimit-limit", undefined],
    ["x-ratelimit-limit", "many"],
    ["x-ratelimit-remaining", "1.5"],
    ["x-ratelimit-remaining", "601"],
    ["x-ratelimit-reset", "-1"],
    ["access-control-allow-origin", "https://a.example"],
    ["access-control-allow-credentials", "true"],
    ["access-control-expose-headers", exposed.replace("Retry-After, ", "")],
    ["x-content-type-options", undefined],
    ["content-type", "application/json"],
    ["content-type", "text/html"],
    ["content-length", "1"],
    ["set-cookie", "a=b"],
    ["server", "x"],
    ["retry-after", "1"],
    ["allow", "GET"],
    ["x-lookup-level", "1"],
    ["x-credits-charged", "1"],
    ["x-data-version", ""],
    ["x-data-version", "2026 1"],
    ["x-data-version", "2026\r\nserver: x"],
    ["x-data-date", "\u1ecc"]
  ]
  it.each(headers)("finds a success with the header %s: %s", (name, value) => {
    expect(faultsOf(sent, received(200, suggestions, { [name]: value }))).not.toEqual([])
  })

  it("finds a repeated header", () => {
    const response = received(200, suggestions)
    expect(faultsOf(sent, { ...response, headerNames: [...response.headerNames, "x-request-id"] })).not.toEqual([])
  })

  const bodies: ReadonlyArray<readonly [number, unknown]> = [
    [200, ""],
    [200, "no json"],
    [200, {}],
    [200, []],
    [200, { ...suggestions, meta: 1 }],
    [200, { data: { ...suggestions.data, more: 1 } }],
    [200, { data: { segment: "state", suggestions: [{ code: "LA", label: "Lagos", prefix: "LA", more: 1 }] } }],
    [200, { data: { segment: "street", suggestions: [] } }],
    [200, { data: { segment: "state" } }],
    [200, failure("invalid_parameter")],
    [201, suggestions],
    [204, undefined],
    [302, suggestions],
    [400, ""],
    [400, suggestions],
    [400, failure("not_found")],
    [400, failure("made_up")],
    [400, failure("invalid_parameter", "")],
    [400, failure("invalid_parameter", "two\nlines of text")],
    [400, { ...failure("invalid_parameter"), data: 1 }],
    [400, { error: { ...failure("invalid_parameter").error, parameter: "q" } }],
    [400, failure("invalid_parameter", `q: ${canary} is no code`)],
    [400, failure("invalid_parameter", `q: ${canary.toUpperCase()} is no code`)],
    [400, failure("invalid_parameter", `identifier: ${canaryNin} is not known`)],
    [400, failure("invalid_parameter", `svc_test_${"a".repeat(38)} is no active key`)],
    [402, failure("insufficient_credits")],
    [404, failure("not_found")],
    [405, failure("method_not_allowed")],
    [418, failure("invalid_parameter")],
    [429, failure("rate_limit_exceeded")],
    [503, failure("service_unavailable")]
  ]
  it.each(bodies)("finds %i %j", (status, body) => {
    expect(faultsOf(sent, received(status, body))).not.toEqual([])
  })

  it("finds a body that is not UTF-8", () => {
    expect(faultsOf(sent, { ...received(200, suggestions), body: Uint8Array.of(0xff) })).not.toEqual([])
  })

  it("finds a 405 whose Allow lists the refused method", () => {
    const put = { ...sent, method: "PUT" }
    const answer = (allow: string) => received(405, failure("method_not_allowed"), { allow })
    expect(faultsOf(put, answer("GET, HEAD, OPTIONS"))).toEqual([])
    expect(faultsOf(put, answer("GET, PUT"))).not.toEqual([])
  })

  it("finds a valid request id that was replaced", () => {
    expect(faultsOf({ ...sent, headers: { "x-request-id": "mine" } }, received(200, suggestions))).not.toEqual([])
    expect(faultsOf({ ...sent, headers: { "x-request-id": "not mine" } }, received(200, suggestions))).toEqual([])
  })

  it("finds a cacheable answer to a key, to a metered call and to an operator", () => {
    const keyed = { ...sent, headers: { "x-api-key": "svc_test_x" } }
    expect(faultsOf(keyed, received(200, suggestions))).not.toEqual([])
    expect(faultsOf(keyed, received(200, suggestions, { "cache-control": "no-store" }))).toEqual([])
    for (const target of ["/v1/lookup", "/v1/admin/audit", "/v1/reference/states"]) {
      expect(faultsOf({ ...sent, target }, received(400, failure("invalid_parameter")))).not.toEqual([])
    }
  })

  it("finds a body of a HEAD response", () => {
    expect(faultsOf({ ...sent, method: "HEAD" }, received(200, suggestions))).not.toEqual([])
  })

  it("finds a lookup without its level, and credits in only one header", () => {
    const lookup = { ...sent, target: "/v1/lookup?code=LA12A03BG07", headers: { "x-api-key": "k" } }
    const result = { data: { postcode: "LA-12-A03-BG-07", valid: true, status: "valid" } }
    const answer = (more: object) => received(200, result, { "cache-control": "no-store", ...more })
    expect(faultsOf(lookup, answer({}))).not.toEqual([])
    expect(faultsOf(lookup, answer({ "x-lookup-level": "6" }))).not.toEqual([])
    expect(faultsOf(lookup, answer({ "x-lookup-level": "1", "x-credits-charged": "0" }))).not.toEqual([])
    const whole = { "x-lookup-level": "1", "x-credits-charged": "0", "x-credits-remaining": "9" }
    expect(faultsOf(lookup, answer(whole))).toEqual([])
  })

  it("finds a version of the data on a failure, and on answers that are not from the directory", () => {
    const version = { "x-data-version": "2026-1+17", "x-data-date": "2026-01-31" }
    expect(faultsOf(sent, received(200, suggestions, version))).toEqual([])
    expect(faultsOf(sent, received(400, failure("invalid_parameter"), version))).not.toEqual([])
    const live = { ...sent, target: "/v1/health/live" }
    expect(faultsOf(live, received(200, { data: { status: "live" } }))).toEqual([])
    expect(faultsOf(live, received(200, { data: { status: "live" } }, version))).not.toEqual([])
  })

  it("finds a repeated bearer token", () => {
    const bearer = { ...sent, headers: { authorization: "Bearer 0123456789" } }
    expect(faultsOf(bearer, received(400, failure("invalid_parameter", "0123456789 is wrong")))).not.toEqual([])
  })
})

describe("assertConventions", () => {
  it("throws with the fault and the answer", () => {
    expect(() => assertConventions(sent, received(404, failure("not_found")))).toThrow(
      /GET \/v1\/search\/autocomplete\?q=LA → 404 [\s\S]*does not declare 404 for search\.autocomplete/
    )
    expect(() => assertConventions(sent, received(200, suggestions))).not.toThrow()
  })
})
