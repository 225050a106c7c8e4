/** The errors of the service as the client reports them, each forced by a reserved key of the sandbox. */
import { type SandboxKeyName, sandboxKeys, sandboxUnits } from "@postcode/demo/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { failureOf } from "./failureOf.ts"
import { openTestGateway, type TestGateway } from "./TestGateway.ts"

let gateway: TestGateway

beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

const lookup = (name: SandboxKeyName, postcode: string = sandboxUnits.complete.postcode) =>
  gateway.client({ apiKey: sandboxKeys[name].key, retries: 0 }).lookup({ code: postcode, level: 2 })

describe("with the sandbox", () => {
  it.each([
    ["revoked", 401, "invalid_api_key"],
    ["expired", 401, "invalid_api_key"],
    ["noCredits", 402, "insufficient_credits"],
    ["level1", 403, "level_not_granted"],
    ["noScope", 403, "insufficient_scope"],
    ["otherAddress", 403, "address_not_allowed"],
    ["notVerified", 403, "kyb_required"],
    ["suspended", 403, "organization_suspended"],
    ["limited", 429, "rate_limit_exceeded"],
    ["unavailable", 503, "service_unavailable"]
  ] as const)("the key %s fails with %i %s", async (name, status, code) => {
    expect(await failureOf(lookup(name))).toMatchObject({ status, code })
  })

  it("the answers tell a valid, a retired and an unknown postcode", async () => {
    const statusOf = async (name: keyof typeof sandboxUnits) =>
      (await lookup("level2", sandboxUnits[name].postcode)).data
    expect(await statusOf("complete")).toMatchObject({ valid: true, status: "valid" })
    expect(await statusOf("replaced")).toMatchObject({ status: "retired", replaced_by: sandboxUnits.complete.postcode })
    expect(await statusOf("unknown")).toMatchObject({ valid: false, status: "not_found" })
  })
})
