import type { DataOf } from "../../../client/Contract.ts"

/** A level request and its decision. */
export type AccessRequest = DataOf<"GET /v1/admin/access-requests">["access_requests"][number]
