import { Area, District, Lga, State, Unit } from "@postcode/core/PostcodeSchema"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Data } from "../answers.ts"
import { documented } from "../documented.ts"
import { failures } from "../errors.ts"
import { Code } from "../parameters.ts"

const Segments = Schema.Struct({ state: State, lga: Lga, district: District, area: Area, unit: Unit }).annotate({
  identifier: "Segments",
  description: "The five segments of a postcode."
})

/** Unvalidated segments: core reports which one is wrong, and why. */
const SegmentsBody = Schema.Struct({
  state: Schema.String,
  lga: Schema.String,
  district: Schema.String,
  area: Schema.String,
  unit: Schema.String
})

const Renderings = Schema.Struct({
  postcode: Schema.String,
  display: Schema.String,
  compact: Schema.String
}).annotate({ identifier: "Renderings", description: "A postcode in each format." })

/** Join and split postcodes. It checks the grammar only, not whether a postcode exists. */
export const Assembly = HttpApiGroup.make("assembly")
  .add(
    HttpApiEndpoint.post("assemble", "/v1/assembly/assemble", {
      payload: SegmentsBody,
      success: Data(Renderings),
      error: failures.write
    }).annotate(OpenApi.Summary, "Join five segments into a postcode"),
    HttpApiEndpoint.get("disassemble", "/v1/assembly/disassemble", {
      query: { code: Code },
      success: Data(Segments),
      error: failures.read
    }).annotateMerge(
      documented(
        "Split a postcode into its segments",
        "Accepts any format, and does not check whether the postcode exists. The message of a malformed code names the " +
          "wrong segment, and the unit that was probably meant if there is one."
      )
    )
  )
  .annotate(OpenApi.Title, "Assembly")
  .annotate(OpenApi.Description, "Join and split postcodes. Only the format is checked, not whether they exist.")
