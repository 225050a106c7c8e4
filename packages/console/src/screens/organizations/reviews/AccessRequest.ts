import type { DataOf } from "../../../client/Contract.ts"

/** An access request: the level that an organization requests, and the decision. */
export type AccessRequest = DataOf<"GET /v1/admin/access-requests">["access_requests"][number]
