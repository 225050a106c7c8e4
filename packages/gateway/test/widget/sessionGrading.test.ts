/** What a widget session sees of a unit, as the vectors have it. */
import { assert, describe, it } from "@effect/vitest"
import { type AccessLevel, shows } from "@postcode/core/AccessLevel"
import { Result } from "effect"
import { vectorRows } from "../../../core/test/Vectors.ts"
import { authorizeSessionLookup, type Principal, type Scope, searchLevel } from "../../src/keys/ApiKey.ts"
import { visibleInSession } from "../../src/search/searchInSession.ts"

describe("vectors/session-grading.csv", () => {
  it.each(vectorRows("session-grading.csv").slice(1))(
    "scopes %j, maximum %s, grant %s: lookup %s, use %s; addresses %s, point %s",
    (scopes = "", max_level, granted_level, lookup, use, addresses, point) => {
      const principal: Principal = {
        key_id: "key_1",
        organization_id: "org_1",
        kind: "publishable",
        environment: "live",
        scopes: scopes.split(" ").filter((scope) => scope !== "") as ReadonlyArray<Scope>,
        max_level: Number(max_level) as AccessLevel,
        granted_level: Number(granted_level) as AccessLevel,
        organization_verified: true,
        organization_suspended: false,
        origins: [],
        allowed_ips: [],
        rate_limit_per_minute: undefined,
        organization_rate_limit_per_minute: undefined
      }
      const authorized = authorizeSessionLookup(principal)
      if (Result.isFailure(authorized)) {
        assert.strictEqual(lookup, "insufficient_scope")
      } else {
        const level = authorized.success
        assert.strictEqual(String(level), lookup)
        assert.strictEqual(String(shows(level, "building_use_status")), use)
        assert.isFalse(shows(level, "other_building_info") || shows(level, "point_geometry"))
      }
      const visible = visibleInSession(principal)
      assert.deepStrictEqual(visible, {
        places: true,
        addresses: addresses === "true",
        point: point === "true",
        ...(point !== "true" && { limited_to: searchLevel(principal) })
      })
    }
  )
})
