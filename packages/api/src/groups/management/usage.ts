/** Usage of keys: by day, and of one key in the last hour. */
import { accessLevels } from "@postcode/core/AccessLevel"
import { environments } from "@postcode/core/Credits"
import { usageGroupings } from "@postcode/gateway/usage/UsageLog"
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Data } from "../../answers.ts"
import { documented } from "../../documented.ts"
import { failures } from "../../errors.ts"
import { ApiKey } from "../../keys/apiKey.ts"
import { byId } from "../../oneResource.ts"
import { Day, oneOf } from "../../parameters.ts"

const used = { requests: Schema.Int, credits: Schema.Int }

const UsageRow = Schema.Struct({ date: Day, operation: Schema.String, ...used }).annotate({
  identifier: "UsageRow",
  description: "The requests and credits of an operation on one day."
})

const LevelUsageRow = Schema.Struct({
  date: Day,
  level: Schema.NullOr(Schema.Literals(accessLevels as readonly [1, 2, 3, 4, 5])).annotate({
    description: "The level that was served; null if there was none or it is unknown."
  }),
  ...used
}).annotate({ identifier: "LevelUsageRow", description: "The requests and credits of a level on one day." })

const KeyUsageRow = Schema.Struct({
  date: Day,
  key_id: Schema.NullOr(Schema.String).annotate({
    description: "Null if it is unknown: older usage was counted by operation only."
  }),
  ...used
}).annotate({ identifier: "KeyUsageRow", description: "The requests and credits of a key on one day." })

const StatusUsageRow = Schema.Struct({
  date: Day,
  status: Schema.NullOr(Schema.Int).annotate({
    description: "The HTTP status of the responses; null if it is unknown."
  }),
  ...used
}).annotate({ identifier: "StatusUsageRow", description: "The requests and credits of a response status on one day." })

const KeyTraffic = Schema.Struct({
  since: Schema.String.annotate({ description: "The start of the counted period, ISO 8601, UTC." }),
  ...used,
  refused: Schema.Int.annotate({ description: "Responses with a status of 400 or more." })
}).annotate({ identifier: "KeyTraffic", description: "The requests and credits of a key in the last hour." })

/** The usage endpoints of an organization in `Management`. */
export const usageEndpoint = HttpApiEndpoint.get("usage", "/v1/admin/organizations/:id/usage", {
  ...byId,
  query: {
    environment: oneOf(environments),
    from: Schema.optionalKey(Day),
    to: Schema.optionalKey(Day),
    by: Schema.optionalKey(oneOf(usageGroupings).annotate({ description: "Default: by operation." })),
    key_id: Schema.optionalKey(
      Schema.String.annotate({ description: "Only the usage of this key of the organization." })
    )
  },
  success: Data(
    Schema.Struct({ usage: Schema.Array(Schema.Union([UsageRow, LevelUsageRow, KeyUsageRow, StatusUsageRow])) })
  )
}).annotate(OpenApi.Summary, "Show requests and credits by day, and by operation, level, key or status")

const CreditDay = Schema.Struct({
  date: Day,
  opening: Schema.Int.annotate({ description: "What new organizations started with." }),
  granted: Schema.Int,
  refunded: Schema.Int.annotate({
    description: "Corrections of the kind refund: what was added minus what was taken."
  }),
  adjusted: Schema.Int.annotate({
    description: "Corrections of the kind adjustment: what was added minus what was taken."
  }),
  charged: Schema.Int.annotate({ description: "What requests cost." })
}).annotate({ identifier: "CreditDay", description: "The ledger of all organizations on one day, as sums." })

/** The report on the whole instance in `Management`. */
export const creditDaysEndpoint = HttpApiEndpoint.get("creditDays", "/v1/admin/credits/days", {
  query: {
    environment: oneOf(environments),
    from: Schema.optionalKey(Day),
    to: Schema.optionalKey(Day)
  },
  success: Data(Schema.Struct({ days: Schema.Array(CreditDay) })),
  error: failures.managementRead
}).annotateMerge(
  documented(
    "Show the credits of all organizations by day, to compare them with payments",
    "Oldest day first. Days without entries are omitted. By default the last 30 days in UTC, at most 366."
  )
)

/** The usage endpoints of a key in `Management`. */
export const keyDetailEndpoints = [
  HttpApiEndpoint.get("getKey", "/v1/admin/keys/:id", { ...byId, success: Data(ApiKey) }).annotate(
    OpenApi.Summary,
    "Show a key"
  ),
  HttpApiEndpoint.get("keyTraffic", "/v1/admin/keys/:id/traffic", { ...byId, success: Data(KeyTraffic) }).annotate(
    OpenApi.Summary,
    "Show a key's requests of about the last hour. Check it before you revoke the key"
  )
] as const
