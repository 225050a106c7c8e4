import { DistrictFromString, Lga, StateFromString } from "@postcode/core/PostcodeSchema"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access, FromDirectory } from "../access.ts"
import { Data } from "../answers.ts"
import { failures } from "../errors.ts"

const NamedCode = Schema.Struct({
  code: Schema.String,
  name: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "NamedCode", description: "The code of a place, and its name if it has one." })

const codes = Schema.Array(NamedCode)

const credits = (description: string) => Schema.Int.annotate({ description })

const Prices = Schema.Struct({
  lookup: Schema.Struct({
    "1": Schema.Int,
    "2": Schema.Int,
    "3": Schema.Int,
    "4": Schema.Int,
    "5": Schema.Int
  }).annotate({ description: "The most that one unit costs, by access level." }),
  widget_session: credits("Of a widget session, with all its searches and lookups."),
  address_search: credits("Of an address search whose answer has a postcode, or a part of one below the LGA.")
}).annotate({ identifier: "Prices", description: "What requests cost, in credits." })

/** The existing codes below a segment, for a key of any kind, and the prices, for anyone. Free. */
export const Reference = HttpApiGroup.make("reference")
  .add(
    HttpApiEndpoint.get("states", "/v1/reference/states", {
      success: Data(Schema.Struct({ states: codes })),
      error: failures.read
    }).annotate(OpenApi.Summary, "List states"),
    HttpApiEndpoint.get("lgas", "/v1/reference/lgas", {
      query: { state: StateFromString },
      success: Data(Schema.Struct({ lgas: codes })),
      error: failures.read
    }).annotate(OpenApi.Summary, "List the local government areas of a state"),
    HttpApiEndpoint.get("districts", "/v1/reference/districts", {
      query: { state: StateFromString, lga: Lga },
      success: Data(Schema.Struct({ districts: codes })),
      error: failures.read
    }).annotate(OpenApi.Summary, "List the districts of a local government area"),
    HttpApiEndpoint.get("areas", "/v1/reference/areas", {
      query: { state: StateFromString, lga: Lga, district: DistrictFromString },
      success: Data(Schema.Struct({ areas: codes })),
      error: failures.read
    }).annotate(OpenApi.Summary, "List the areas of a district")
  )
  .annotateEndpoints(Access, "key")
  .annotateEndpoints(FromDirectory, true)
  .add(
    HttpApiEndpoint.get("prices", "/v1/reference/prices", { success: Data(Prices), error: failures.read }).annotate(
      OpenApi.Summary,
      "Show the prices of this service, in credits. Needs no key"
    )
  )
  .annotate(OpenApi.Title, "Reference")
  .annotate(OpenApi.Description, "Lists of existing codes, with any API key, and the prices, without one. Free.")
