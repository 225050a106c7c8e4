import { isPriced } from "@postcode/core/Prices"
import { maxBatch, maxCodeLength } from "@postcode/gateway/InputLimits"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FreeQuery, FromDirectory, Leveled, Metered } from "../access.ts"
import { Data } from "../answers.ts"
import { documented } from "../documented.ts"
import { errorCodes, failures } from "../errors.ts"
import { Code, Level, LevelParameter } from "../parameters.ts"
import { addressAttributes, shownAttributes } from "../unitAttributes.ts"
import { LimitedTo, Point } from "./search.ts"

export const LookupResult = Schema.Struct({
  postcode: Schema.String,
  valid: Schema.Boolean,
  status: Schema.Literals(["valid", "retired", "not_found"]),
  replaced_by: Schema.optionalKey(Schema.String),
  ...shownAttributes,
  // With the names of the unit's places.
  administrative_address: Schema.optionalKey(
    Schema.Struct({
      state_name: Schema.optionalKey(Schema.String),
      lga_name: Schema.optionalKey(Schema.String),
      ...addressAttributes,
      zone: Schema.optionalKey(Schema.String)
    })
  ),
  point_geometry: Schema.optionalKey(Point),
  limited_to: Schema.optionalKey(LimitedTo)
}).annotate({ identifier: "LookupResult", description: "A unit as the level of the request shows it." })

const BatchItem = Schema.Union([
  Schema.Struct({ code: Schema.String, result: LookupResult }),
  Schema.Struct({
    code: Schema.String,
    error: Schema.Struct({ code: Schema.Literals(errorCodes[400]), message: Schema.String })
  })
]).annotate({ identifier: "BatchItem", description: "A code of a batch with its result or its error." })

const BatchBody = Schema.Struct({
  level: Schema.optionalKey(Level),
  codes: Schema.Array(
    Schema.String.check(Schema.isMaxLength(maxCodeLength, { message: `expected at most ${maxCodeLength} characters` }))
  ).check(
    Schema.isMinLength(1, { message: "expected at least one code" }),
    Schema.isMaxLength(maxBatch, { message: `expected at most ${maxBatch} codes` })
  )
})

/** Lookup of a unit, by level. Level 1 is free and public; higher levels need a key and cost credits. */
export const Lookup = HttpApiGroup.make("lookup")
  .add(
    HttpApiEndpoint.get("single", "/v1/lookup", {
      query: { code: Code, level: Schema.optionalKey(LevelParameter) },
      success: Data(LookupResult),
      error: failures.pricedRead
    })
      .annotate(FreeQuery, ({ level = 1 }) => !isPriced(level))
      .annotateMerge(
        documented(
          "Look up one postcode",
          "Level 1 returns whether the unit exists, free and without a key: status is valid, retired or not_found, and valid " +
            "is true only for status valid. replaced_by is the successor of a retired unit, if it is known. Levels 2 to 4 add " +
            "addresses, use and building, and level 5 adds the coordinates, which are granted after a review. These levels cost " +
            "credits. The level is capped at the organization's grant, and at level 2 for a publishable key. The lookup costs " +
            "the price of the highest level that the response has an attribute of, and nothing if it has none; an empty object " +
            "is not an attribute. The message of a malformed code names the wrong segment, and the unit that was probably meant " +
            "if there is one."
        )
      ),
    HttpApiEndpoint.post("batch", "/v1/lookup/batch", {
      payload: BatchBody,
      success: Data(Schema.Struct({ results: Schema.Array(BatchItem) })),
      error: failures.pricedWrite
    }).annotateMerge(
      documented(
        "Look up to 100 postcodes, charged all or nothing",
        "Returns one item for each code, in the order given. The item of a malformed code has an error, with the message " +
          "of a single lookup. The charge is the sum of the lookups; a repeated postcode is charged once. If the balance " +
          "does not cover the sum, nothing is returned or charged. A publishable key gets 403 " +
          "key_type_not_allowed."
      )
    )
  )
  .annotateEndpoints(Metered, true)
  .annotateEndpoints(Leveled, true)
  .annotateEndpoints(FromDirectory, true)
  .annotate(OpenApi.Title, "Lookup")
  .annotate(OpenApi.Description, "The data of a unit, by level.")
