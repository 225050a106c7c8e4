import type { DataOf } from "../../client/Contract.ts"

/** An endpoint in the service's list. */
export type Webhook = DataOf<"GET /v1/admin/organizations/:id/webhooks">["webhooks"][number]
