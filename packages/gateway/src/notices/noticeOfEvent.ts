/** The notices of the events that webhooks get: one decision, told to programs and to people. */
import type { EventContent, WebhookEndpoint } from "../webhooks/Webhook.ts"
import type { OrganizationNotice } from "./Notice.ts"

/** The notice of an event; undefined if nobody gets mail about it. Stores add it together with the event. */
export const noticeOfEvent = ({ data, type }: EventContent): OrganizationNotice | undefined => {
  switch (type) {
    case "credits.low": {
      const { balance, environment, organization_id, threshold } = data
      return { kind: "balance_low", facts: { organization_id, environment, balance, threshold } }
    }
    case "credits.used_up":
      return { kind: "balance_used_up", facts: data }
    case "key.daily_limit_reached": {
      const { daily_credit_limit, environment, key_id, organization_id } = data
      return { kind: "daily_limit_reached", facts: { organization_id, environment, key_id, daily_credit_limit } }
    }
    case "key.expiring": {
      const { environment, expires_at, key_id, organization_id } = data
      return { kind: "key_expires", facts: { organization_id, environment, key_id, expires_at } }
    }
    case "organization.verification_decided":
      return { kind: "verification_decided", facts: data }
    case "access_request.decided": {
      const { level, organization_id, status } = data
      return { kind: "access_decided", facts: { organization_id, level, status } }
    }
    default:
      return undefined
  }
}

/** The notice of a disabled endpoint. Stores add it together with the settlement that disables it. */
export const disabledNotice = ({ id, organization_id }: WebhookEndpoint): OrganizationNotice => ({
  kind: "webhook_disabled",
  facts: { organization_id, webhook_id: id }
})
