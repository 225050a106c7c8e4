/** Who sees how much in search, and what an answer costs, as the vectors have it. */
import { assert, describe, it } from "@effect/vitest"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { AddressAnswer, AddressPrecision } from "@postcode/core/AddressSearch"
import type { Environment } from "@postcode/core/Credits"
import { defaultPriceList } from "@postcode/core/Prices"
import { Result } from "effect"
import { vectorRows } from "../../core/test/Vectors.ts"
import { authorizeVerified, type KeyKind, type Principal, type Scope, seesNames } from "../src/keys/ApiKey.ts"
import { addressPrice, authorizeAddressSearch, finestFor } from "../src/search/findAddress.ts"

const errors: Readonly<Record<string, string>> = {
  KybRequired: "kyb_required",
  KeyTypeNotAllowed: "key_type_not_allowed"
}

describe("vectors/search-grading.csv", () => {
  it.each(vectorRows("search-grading.csv").slice(1))(
    "%s key, %s, verified %s, scopes %j, maximum %s, grant %s: names %s, address search %s",
    (key = "", environment, verified, scopes = "", max_level, granted_level, names, address, session) => {
      const principal: Principal | undefined =
        key === "none"
          ? undefined
          : {
              key_id: "key_1",
              organization_id: "org_1",
              kind: key as KeyKind,
              environment: environment as Environment,
              scopes: scopes.split(" ").filter((scope) => scope !== "") as ReadonlyArray<Scope>,
              max_level: Number(max_level) as AccessLevel,
              granted_level: Number(granted_level) as AccessLevel,
              organization_verified: verified === "true",
              organization_suspended: false,
              origins: [],
              allowed_ips: [],
              rate_limit_per_minute: undefined,
              organization_rate_limit_per_minute: undefined
            }
      assert.strictEqual(String(seesNames(principal)), names)
      const authorized = authorizeAddressSearch(principal)
      const depth = Result.isSuccess(authorized) ? authorized.success : errors[authorized.failure._tag]
      assert.strictEqual(depth, address)
      if (session !== "" && principal !== undefined) {
        // A session of an unverified organization's live key is refused before it searches.
        const refused = authorizeVerified(principal)
        assert.strictEqual(Result.isFailure(refused) ? errors[refused.failure._tag] : finestFor(principal), session)
      }
    }
  )
})

describe("vectors/address-prices.csv", () => {
  it.each(vectorRows("address-prices.csv").slice(1))(
    "%j with the candidates %j costs %s",
    (precision, codes, credits) => {
      const candidates = (codes ?? "").split("|").filter((candidate) => candidate !== "")
      const answer: AddressAnswer = {
        code: precision === "" ? null : "LA",
        precision: precision === "" ? null : (precision as AddressPrecision),
        confidence: "low",
        action: "ask",
        label: null,
        understood: {
          name: null,
          locality: null,
          lga: null,
          state: null,
          relation: null,
          subpremise: null,
          ignored: [],
          unmatched: []
        },
        candidates: candidates.map((of) => ({
          code: "LA",
          precision: of as AddressPrecision,
          label: "",
          probability: 0
        })),
        message: ""
      }
      assert.strictEqual(String(addressPrice(defaultPriceList, answer)), credits)
      assert.strictEqual(addressPrice({ ...defaultPriceList, address_search: 0 }, answer), 0)
    }
  )
})
