import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Host, Unlimited } from "../access.ts"
import { Data } from "../answers.ts"
import { failures } from "../errors.ts"

const Live = Schema.Struct({ status: Schema.Literal("live") })

const Ready = Schema.Struct({
  status: Schema.Literal("ready"),
  directory: Schema.Struct({
    version: Schema.optionalKey(Schema.String.annotate({ description: "The edition, as its publisher calls it." })),
    date: Schema.optionalKey(Schema.String.annotate({ description: "The day of the edition, YYYY-MM-DD." })),
    changes: Schema.Int.annotate({ description: "How many changes were applied since the edition." }),
    units: Schema.Int,
    active_units: Schema.Int,
    addresses: Schema.Boolean.annotate({ description: "Whether address search finds more than states and LGAs." })
  }),
  database: Schema.optionalKey(
    Schema.Literals(["connected", "away"]).annotate({
      description:
        "Where there is a database. While it is away, what costs credits and management answer 503; all else goes on."
    })
  )
}).annotate({ identifier: "Readiness" })

/** Liveness and readiness. */
export const Health = HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("live", "/v1/health/live", { success: Data(Live), error: failures.read }).annotate(
      OpenApi.Summary,
      "Whether the process lives"
    ),
    HttpApiEndpoint.get("ready", "/v1/health/ready", { success: Data(Ready), error: failures.read }).annotate(
      OpenApi.Summary,
      "Whether it answers requests, and from which directory"
    )
  )
  .annotateEndpoints(Unlimited, true)
  .annotateEndpoints(Host, "both")
  .annotate(OpenApi.Title, "Health")
  .annotate(OpenApi.Description, "Liveness and readiness, for those who run the service.")
