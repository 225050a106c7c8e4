import type { DataOf } from "../../client/Contract.ts"

/** An endpoint, as the list of them has it. */
export type Webhook = DataOf<"GET /v1/admin/organizations/:id/webhooks">["webhooks"][number]
