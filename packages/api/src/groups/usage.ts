/** Usage of keys: by day, and of one key in the last hour. */
import { accessLevels } from "@postcode/core/AccessLevel"
import { environments } from "@postcode/core/Credits"
import { usageGroupings } from "@postcode/core/usage/UsageLog"
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Data } from "../answers.ts"
import { ApiKey } from "../apiKey.ts"
import { byId } from "../oneResource.ts"
import { Day, oneOf } from "../parameters.ts"

const used = { requests: Schema.Int, credits: Schema.Int }

const UsageRow = Schema.Struct({ date: Day, operation: Schema.String, ...used }).annotate({ identifier: "UsageRow" })

const LevelUsageRow = Schema.Struct({
  date: Day,
  level: Schema.NullOr(Schema.Literals(accessLevels as readonly [1, 2, 3, 4, 5])).annotate({
    description: "The level that was served; null where none was, or where it is not known."
  }),
  ...used
}).annotate({ identifier: "LevelUsageRow" })

const KeyUsageRow = Schema.Struct({
  date: Day,
  key_id: Schema.NullOr(Schema.String).annotate({
    description: "Null where it is not known, as usage was once counted by operation alone."
  }),
  ...used
}).annotate({ identifier: "KeyUsageRow" })

const StatusUsageRow = Schema.Struct({
  date: Day,
  status: Schema.NullOr(Schema.Int).annotate({
    description: "The HTTP status of the answers; null where it is not known."
  }),
  ...used
}).annotate({ identifier: "StatusUsageRow" })

const KeyTraffic = Schema.Struct({
  since: Schema.String.annotate({ description: "From when on it was counted, ISO 8601, UTC." }),
  ...used,
  refused: Schema.Int.annotate({ description: "Answers with a status of 400 or more." })
}).annotate({ identifier: "KeyTraffic" })

/** The usage endpoints of an organization in `Management`. */
export const usageEndpoint = HttpApiEndpoint.get("usage", "/v1/admin/organizations/:id/usage", {
  ...byId,
  query: {
    environment: oneOf(environments),
    from: Schema.optionalKey(Day),
    to: Schema.optionalKey(Day),
    by: Schema.optionalKey(oneOf(usageGroupings).annotate({ description: "By operation by default." })),
    key_id: Schema.optionalKey(Schema.String.annotate({ description: "Of this key of the organization alone." }))
  },
  success: Data(
    Schema.Struct({ usage: Schema.Array(Schema.Union([UsageRow, LevelUsageRow, KeyUsageRow, StatusUsageRow])) })
  )
}).annotate(OpenApi.Summary, "Requests and credits by day, and by operation, level, key or status")

/** The usage endpoints of a key in `Management`. */
export const keyDetailEndpoints = [
  HttpApiEndpoint.get("getKey", "/v1/admin/keys/:id", { ...byId, success: Data(ApiKey) }).annotate(
    OpenApi.Summary,
    "Show a key, as the list of keys does"
  ),
  HttpApiEndpoint.get("keyTraffic", "/v1/admin/keys/:id/traffic", { ...byId, success: Data(KeyTraffic) }).annotate(
    OpenApi.Summary,
    "What a key was used for in about the last hour, to look at before it is revoked"
  )
] as const
