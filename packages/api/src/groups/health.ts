import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Host, Unlimited } from "../access.ts"
import { Data } from "../answers.ts"
import { failures } from "../errors.ts"

const Live = Schema.Struct({ status: Schema.Literal("live") })

const Ready = Schema.Struct({
  status: Schema.Literal("ready"),
  directory: Schema.Struct({
    version: Schema.optionalKey(
      Schema.String.annotate({ description: "The name that the publisher gave the edition." })
    ),
    date: Schema.optionalKey(Schema.String.annotate({ description: "The date of the edition, YYYY-MM-DD." })),
    changes: Schema.Int.annotate({ description: "The number of changes applied to the edition." }),
    units: Schema.Int,
    active_units: Schema.Int,
    addresses: Schema.Boolean.annotate({ description: "Whether address search finds more than states and LGAs." })
  }),
  database: Schema.optionalKey(
    Schema.Literals(["connected", "unavailable"]).annotate({
      description:
        "Only on PostgreSQL. While the database is unavailable, paid requests and management get 503; searches continue."
    })
  )
}).annotate({ identifier: "Readiness", description: "The state of the service and of its directory." })

/** Liveness and readiness. */
export const Health = HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("live", "/v1/health/live", { success: Data(Live), error: failures.read }).annotate(
      OpenApi.Summary,
      "Check whether the process runs"
    ),
    HttpApiEndpoint.get("ready", "/v1/health/ready", { success: Data(Ready), error: failures.read }).annotate(
      OpenApi.Summary,
      "Check whether the service is ready, and which directory it serves"
    )
  )
  .annotateEndpoints(Unlimited, true)
  .annotateEndpoints(Host, "both")
  .annotate(OpenApi.Title, "Health")
  .annotate(OpenApi.Description, "Liveness and readiness, for operators.")
