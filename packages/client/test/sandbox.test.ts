/** The errors of the service as the client reports them: each reserved key and postcode of the sandbox. */
import { type SandboxKeyName, sandboxKeys, sandboxUnits } from "@postcode/demo/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { PostcodeClient } from "../src/index.ts"
import { failureOf } from "./failureOf.ts"
import { openTestGateway, type TestGateway } from "./TestGateway.ts"

let gateway: TestGateway

beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

const clientOf = (name: SandboxKeyName): PostcodeClient => gateway.client({ apiKey: sandboxKeys[name].key, retries: 0 })

const { bare, complete, replaced, retired, unknown } = sandboxUnits
const lookup = (name: SandboxKeyName, level: 1 | 2 | 3 | 4 | 5 = 2, code: string = complete.postcode) =>
  clientOf(name).lookup({ code, level })

const startSession = (name: SandboxKeyName) => clientOf(name).request("POST /v1/widget/session", { body: {} })

/** A call that a reserved key makes fail, and the failure. */
type Failing = readonly [call: () => Promise<unknown>, status: number, code: string]

const failures: Record<Exclude<SandboxKeyName, "browser" | "level5">, Failing> = {
  level1: [() => lookup("level1", 2), 403, "level_not_granted"],
  level2: [() => lookup("level2", 3), 403, "level_not_granted"],
  level3: [() => lookup("level3", 4), 403, "level_not_granted"],
  level4: [() => lookup("level4", 5), 403, "level_not_granted"],
  revoked: [() => lookup("revoked"), 401, "invalid_api_key"],
  expired: [() => lookup("expired"), 401, "invalid_api_key"],
  noCredits: [() => lookup("noCredits"), 402, "insufficient_credits"],
  noScope: [() => lookup("noScope"), 403, "insufficient_scope"],
  otherAddress: [() => lookup("otherAddress"), 403, "address_not_allowed"],
  otherOrigin: [() => inPage("otherOrigin"), 403, "origin_not_allowed"],
  notVerified: [() => lookup("notVerified"), 403, "kyb_required"],
  suspended: [() => lookup("suspended"), 403, "organization_suspended"],
  limited: [() => lookup("limited"), 429, "rate_limit_exceeded"],
  unavailable: [() => lookup("unavailable"), 503, "service_unavailable"],
  expiredSessions: [() => bookmarks("expiredSessions"), 401, "invalid_token"],
  browserRevoked: [() => startSession("browserRevoked"), 401, "invalid_api_key"],
  browserNoCredits: [() => startSession("browserNoCredits"), 402, "insufficient_credits"],
  browserSuspended: [() => startSession("browserSuspended"), 403, "organization_suspended"],
  browserLimited: [() => startSession("browserLimited"), 429, "rate_limit_exceeded"],
  browserUnavailable: [() => startSession("browserUnavailable"), 503, "service_unavailable"]
}

/** A request as a browser sends it from a page of another origin than those of the key. */
const inPage = (name: SandboxKeyName) =>
  gateway
    .client({
      apiKey: sandboxKeys[name].key,
      fetch: (request) => {
        request.headers.set("origin", "https://shop.example")
        return gateway.fetch(request)
      }
    })
    .autocomplete({ q: "la" })

const bookmarks = async (name: SandboxKeyName) => {
  const { data } = await startSession(name)
  return gateway.client({ token: data.token }).request("GET /v1/widget/bookmarks")
}

describe("with the sandbox", () => {
  it.each(Object.entries(failures))(
    "the key %s fails as it should, again and again",
    async (_, [call, status, code]) => {
      for (let i = 0; i < 2; i++) expect(await failureOf(call())).toMatchObject({ status, code })
    }
  )

  it("429 and 503 have the time of the retry", async () => {
    const limited = await failureOf(lookup("limited"))
    const unavailable = await failureOf(lookup("unavailable"))
    expect([limited.retry_after_s, unavailable.retry_after_s]).toEqual([30, 5])
  })

  it("each level is served to its key", async () => {
    for (const level of [1, 2, 3, 4, 5] as const) {
      const { data, meta } = await lookup(`level${level}`, level)
      expect([data.valid, meta.level]).toEqual([true, level])
    }
  })

  it("a publishable key works except for batches", async () => {
    expect((await bookmarks("browser")).data).toEqual({ bookmarks: [] })
    const batch = clientOf("browser").lookupBatch({ codes: [complete.postcode], level: 1 })
    expect(await failureOf(batch)).toMatchObject({ status: 403, code: "key_type_not_allowed" })
  })

  it("the responses distinguish valid, retired and unknown postcodes, and have successors", async () => {
    const answers = await Promise.all(
      [complete, bare, retired, replaced, unknown].map(({ postcode }) => lookup("level2", 1, postcode))
    )
    expect(answers.map(({ data }) => data)).toEqual([
      { postcode: complete.postcode, valid: true, status: "valid" },
      { postcode: bare.postcode, valid: true, status: "valid" },
      { postcode: retired.postcode, valid: false, status: "retired" },
      { postcode: replaced.postcode, valid: false, status: "retired", replaced_by: complete.postcode },
      { postcode: unknown.postcode, valid: false, status: "not_found" }
    ])
  })
})
