import { errorCodes } from "@postcode/api"
import * as Errors from "@postcode/gateway/Errors"
import { describe, expect, it } from "vitest"
import type { GatewayError } from "../../src/pipeline/ErrorTable.ts"
import * as Table from "../../src/pipeline/ErrorTable.ts"

const message = "what was wrong and what would be right"

/** One of each, with the status and code that the contract gives it. */
const errors: { readonly [Tag in GatewayError["_tag"]]: readonly [GatewayError & { readonly _tag: Tag }, string] } = {
  InvalidParameter: [new Errors.InvalidParameter({ parameter: "code", message }), "400 invalid_parameter"],
  InvalidBody: [new Table.InvalidBody({ message }), "400 invalid_body"],
  InvalidRequest: [new Table.InvalidRequest({ message }), "400 invalid_parameter"],
  OAuthRefused: [new Table.OAuthRefused({ error: "slow_down", message }), "400 invalid_parameter"],
  AuthRequired: [new Errors.AuthRequired({ message }), "401 auth_required"],
  InvalidApiKey: [new Errors.InvalidApiKey({ message }), "401 invalid_api_key"],
  InvalidToken: [new Errors.InvalidToken({ message }), "401 invalid_token"],
  InsufficientCredits: [new Errors.InsufficientCredits({ required: 3, balance: 2 }), "402 insufficient_credits"],
  DailyLimitReached: [
    new Errors.DailyLimitReached({ required: 3, limit: 10, balance: 50, retry_after_s: 3_600 }),
    "429 rate_limit_exceeded"
  ],
  PriceAboveDailyLimit: [new Errors.PriceAboveDailyLimit({ required: 11, limit: 10 }), "400 invalid_parameter"],
  InsufficientScope: [new Errors.InsufficientScope({ message }), "403 insufficient_scope"],
  LevelNotGranted: [new Errors.LevelNotGranted({ message }), "403 level_not_granted"],
  OriginNotAllowed: [new Errors.OriginNotAllowed({ message }), "403 origin_not_allowed"],
  AddressNotAllowed: [new Errors.AddressNotAllowed({ message }), "403 address_not_allowed"],
  KeyTypeNotAllowed: [new Errors.KeyTypeNotAllowed({ message }), "403 key_type_not_allowed"],
  KybRequired: [new Errors.KybRequired({ message }), "403 kyb_required"],
  OrganizationSuspended: [new Errors.OrganizationSuspended({ message }), "403 organization_suspended"],
  NotFound: [new Errors.NotFound({ message }), "404 not_found"],
  MethodNotAllowed: [new Table.MethodNotAllowed({ allow: "GET, HEAD", message }), "405 method_not_allowed"],
  Conflict: [new Errors.Conflict({ message }), "409 conflict"],
  VersionExpired: [new Errors.VersionExpired({ message }), "410 version_expired"],
  PayloadTooLarge: [new Table.PayloadTooLarge({ message }), "413 payload_too_large"],
  UnsupportedMediaType: [new Table.UnsupportedMediaType({ message }), "415 unsupported_media_type"],
  IdempotencyKeyReused: [new Errors.IdempotencyKeyReused(), "422 idempotency_key_reused"],
  RateLimitExceeded: [new Errors.RateLimitExceeded({ retry_after_s: 9 }), "429 rate_limit_exceeded"],
  SessionLimitReached: [
    new Errors.SessionLimitReached({ limit: 60, calls: "address queries", retry_after_s: 900 }),
    "429 rate_limit_exceeded"
  ],
  Unavailable: [new Errors.Unavailable({ retry_after_s: 7 }), "503 service_unavailable"]
}

describe("the error table", () => {
  for (const [tag, [error, expected]] of Object.entries(errors)) {
    it(`${tag} is ${expected}, in the envelope and with nothing beside it`, () => {
      const { body, status } = Table.toFailure(error)
      expect(`${status} ${body.error.code}`).toBe(expected)
      expect(body).toEqual({ error: { code: body.error.code, message: error.message } })
      expect(body.error.message).toMatch(/\w{3,} .*\w/)
    })
  }

  it("has every tagged error of core and of its file", () => {
    const tags = Object.entries({ ...Errors, ...Table })
      .filter(([, value]) => typeof value === "function" && value.prototype instanceof Error)
      .map(([name]) => name)
    expect(tags.toSorted()).toEqual(Object.keys(Table.errorTable).toSorted())
    expect(Object.keys(errors).toSorted()).toEqual(Object.keys(Table.errorTable).toSorted())
  })

  it("has only codes that the contract lists for their status", () => {
    for (const [status, code] of Object.values(Table.errorTable)) {
      expect(errorCodes[status] as ReadonlyArray<string>).toContain(code)
    }
  })

  it("reaches every code of the contract", () => {
    const reached = new Set([...Object.values(Table.errorTable).map(([, code]) => code), "internal_error"])
    const all = Object.values(errorCodes).flat() as ReadonlyArray<string>
    expect(all.filter((code) => !reached.has(code as never))).toEqual([])
    expect(new Set(all).size).toBe(all.length)
  })

  it("adds headers only to the errors that have them", () => {
    const headersOf = (tag: keyof typeof errors) => Table.toFailure(errors[tag][0]).headers
    const own = {
      MethodNotAllowed: { allow: "GET, HEAD" },
      RateLimitExceeded: { "retry-after": "9" },
      SessionLimitReached: { "retry-after": "900" },
      Unavailable: { "retry-after": "7" },
      DailyLimitReached: { "retry-after": "3600", "x-credits-charged": "0", "x-credits-remaining": "50" },
      InsufficientCredits: { "x-credits-charged": "0", "x-credits-remaining": "2" }
    }
    for (const tag of Object.keys(errors) as ReadonlyArray<keyof typeof errors>) {
      expect(headersOf(tag)).toEqual(own[tag as keyof typeof own] ?? {})
    }
  })

  it("hides credits from callers that may not see the balance", () => {
    const hidden = { required: 3, balance: undefined }
    const insufficient = Table.toFailure(new Errors.InsufficientCredits(hidden))
    const limited = Table.toFailure(new Errors.DailyLimitReached({ ...hidden, limit: 10, retry_after_s: 3_600 }))
    expect([insufficient.headers, limited.headers]).toEqual([{}, { "retry-after": "3600" }])
  })

  it("answers a defect with a message that says nothing of the cause", () => {
    expect(Table.internalError).toMatchObject({ status: 500, body: { error: { code: "internal_error" } } })
  })
})
