/** An API key in responses, without its secret. */

import { environments } from "@postcode/core/Credits"
import { keyKinds, keyStatuses, scopes } from "@postcode/gateway/keys/ApiKey"
import { Schema } from "effect"
import { Timestamp } from "../answers.ts"
import { Level, oneOf } from "../parameters.ts"

/** The fields of a key, for schemas that extend them. */
export const keyFields = {
  id: Schema.String,
  organization_id: Schema.String,
  name: Schema.String,
  kind: oneOf(keyKinds),
  environment: oneOf(environments),
  scopes: Schema.Array(oneOf(scopes)),
  max_level: Level,
  origins: Schema.Array(Schema.String),
  allowed_ips: Schema.Array(Schema.String).annotate({
    description: "IP addresses and ranges that may use a secret key; empty for any address."
  }),
  rate_limit_per_minute: Schema.optionalKey(Schema.Int),
  daily_credit_limit: Schema.optionalKey(Schema.Int),
  credits_today: Schema.optionalKey(
    Schema.Int.annotate({
      description: "Credits charged since 00:00 UTC. Only for keys with a daily limit, in lists of keys and of a key."
    })
  ),
  prefix: Schema.String,
  status: oneOf(keyStatuses),
  warning: Schema.optionalKey(
    Schema.String.annotate({ description: "Why an active key is of no use as it is, such as a key without origins." })
  ),
  created_at: Timestamp,
  last_used_at: Schema.optionalKey(Timestamp),
  expires_at: Schema.optionalKey(Timestamp),
  revoked_at: Schema.optionalKey(Timestamp),
  replaces: Schema.optionalKey(Schema.String),
  replaced_by: Schema.optionalKey(Schema.String)
}

export const ApiKey = Schema.Struct(keyFields).annotate({
  identifier: "ApiKey",
  description: "An API key without its secret."
})
