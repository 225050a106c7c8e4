/** The bodies that webhooks receive, by type of event. They are in the API description, under `webhooks`. */
import { accessLevels } from "@postcode/core/AccessLevel"
import { environments } from "@postcode/core/Credits"
import { type WebhookEventData, type WebhookEventType, webhookEventTypes } from "@postcode/gateway/webhooks/Webhook"
import { Schema } from "effect"
import { Timestamp } from "./answers.ts"

const Level = Schema.Literals(accessLevels as readonly [1, 2, 3, 4, 5])
const ofOrganization = { organization_id: Schema.String }
const ofKey = { ...ofOrganization, environment: Schema.Literals(environments), key_id: Schema.String }

const dataSchemas = {
  "credits.low": Schema.Struct({
    ...ofOrganization,
    environment: Schema.Literals(environments),
    balance: Schema.Int,
    threshold: Schema.Int
  }),
  "credits.used_up": Schema.Struct({
    ...ofOrganization,
    environment: Schema.Literals(environments),
    balance: Schema.Int
  }),
  "organization.verification_decided": Schema.Struct({
    ...ofOrganization,
    kyb_status: Schema.Literals(["rejected", "verified"])
  }),
  "organization.level_changed": Schema.Struct({ ...ofOrganization, granted_level: Level }),
  "organization.suspended": Schema.Struct(ofOrganization),
  "organization.resumed": Schema.Struct(ofOrganization),
  "organization.closed": Schema.Struct(ofOrganization),
  "access_request.decided": Schema.Struct({
    ...ofOrganization,
    access_request_id: Schema.String,
    level: Level,
    status: Schema.Literals(["approved", "rejected"])
  }),
  "key.expiring": Schema.Struct({ ...ofKey, expires_at: Timestamp }),
  "key.revoked": Schema.Struct(ofKey),
  "key.daily_limit_reached": Schema.Struct({
    ...ofKey,
    daily_credit_limit: Schema.Int,
    credits_today: Schema.Int
  }),
  "directory.changed": Schema.Struct({ ...ofOrganization, version: Schema.String, changes: Schema.Int }),
  "directory.edition": Schema.Struct({ ...ofOrganization, version: Schema.String }),
  "webhook.test": Schema.Struct(ofOrganization)
} satisfies { readonly [Type in WebhookEventType]: Schema.Codec<WebhookEventData[Type]> }

const summaries: Readonly<Record<WebhookEventType, string>> = {
  "credits.low": "A balance fell below its threshold",
  "credits.used_up": "A balance reached 0, or a request was refused because it costs more than the rest",
  "organization.verification_decided": "The verification of the business was approved or rejected",
  "organization.level_changed": "The granted level was changed without a request",
  "organization.suspended": "The organization was suspended",
  "organization.resumed": "The organization was resumed",
  "organization.closed": "The organization was closed",
  "access_request.decided": "A request for a level was approved or rejected",
  "key.expiring": "A key that was not rotated expires in 7 days",
  "key.revoked": "A key was revoked, or rotated without an overlap",
  "key.daily_limit_reached": "A key reached its daily limit: a charge used it up or was refused",
  "directory.changed": "The directory changed. Sent at most once a minute",
  "directory.edition": "A new edition of the directory is current",
  "webhook.test": "A test was requested"
}

/** An event as webhooks receive it. */
export interface DescribedEvent {
  readonly type: WebhookEventType
  /** When it is sent, in a few words. */
  readonly summary: string
  /** The schema of the body. */
  readonly body: Schema.Codec<{ readonly type: string; readonly timestamp: string; readonly data: object }>
}

/** All events, in the order of `webhookEventTypes`. */
export const webhookEvents: ReadonlyArray<DescribedEvent> = webhookEventTypes.map((type) => ({
  type,
  summary: summaries[type],
  body: Schema.Struct({ type: Schema.Literal(type), timestamp: Timestamp, data: dataSchemas[type] })
}))
