import type { DataOf } from "../../../client/Contract.ts"

/** What an organization asked for, and what came of it. */
export type AccessRequest = DataOf<"GET /v1/admin/access-requests">["access_requests"][number]
