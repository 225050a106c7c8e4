/** Organizations: who holds keys and credits, how deep they may look, and requests for more. */
import type { AccessLevel } from "./AccessLevel.ts"

/** Know-your-business status; live keys need `verified`. */
export type KybStatus = "unverified" | "pending" | "verified" | "rejected"

export const kybStatuses: ReadonlyArray<KybStatus> = ["unverified", "pending", "verified", "rejected"]

export interface Organization {
  readonly id: string
  readonly name: string
  /** The deepest level that any key of the organization is served. */
  readonly granted_level: AccessLevel
  readonly kyb_status: KybStatus
  /** What the last review said; absent before the first. */
  readonly review_note?: string
  /** ISO 8601, UTC. */
  readonly created_at: string
}

export type AccessRequestStatus = "pending" | "approved" | "rejected"

/** An organization asks for a higher level; an operator decides. */
export interface AccessRequest {
  readonly id: string
  readonly organization_id: string
  readonly level: AccessLevel
  readonly reason: string
  readonly status: AccessRequestStatus
  readonly note?: string
  readonly created_at: string
  readonly decided_at?: string
}
