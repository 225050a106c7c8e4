/** Selections of an organization's widget, counted. */
import { environments } from "@postcode/core/Credits"
import { type SelectionSource, selectionSources } from "@postcode/core/Selection"
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Data } from "../../answers.ts"
import { byId } from "../../oneResource.ts"
import { Day, oneOf } from "../../parameters.ts"

const SelectionsRow = Schema.Struct({
  date: Day,
  lga: Schema.String.annotate({ description: "The state and LGA of the selected postcodes: LA-11." }),
  lga_name: Schema.optionalKey(Schema.String),
  source: Schema.NullOr(Schema.Literals(selectionSources as readonly [SelectionSource])).annotate({
    description: "How the end users found them; null if the client did not send it."
  }),
  selections: Schema.Int
}).annotate({ identifier: "SelectionsRow", description: "The selections in an LGA on one day, by their source." })

/** The selections endpoint of an organization in `Management`. */
export const selectionsEndpoint = HttpApiEndpoint.get("selections", "/v1/admin/organizations/:id/selections", {
  ...byId,
  query: {
    environment: oneOf(environments),
    from: Schema.optionalKey(Day),
    to: Schema.optionalKey(Day)
  },
  success: Data(Schema.Struct({ selections: Schema.Array(SelectionsRow) }))
}).annotate(OpenApi.Summary, "Count selections by day, LGA and source. Rows below five are omitted")
