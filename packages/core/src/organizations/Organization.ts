/** Organizations: who holds keys and credits, how deep they may look, and requests for more. */

import { Conflict } from "../Errors.ts"
import type { AccessLevel } from "../lookup/AccessLevel.ts"

/** Know-your-business status; live keys need `verified`. */
export type KybStatus = "unverified" | "pending" | "verified" | "rejected"

/** All that `KybStatus` may be. */
export const kybStatuses: ReadonlyArray<KybStatus> = ["unverified", "pending", "verified", "rejected"]

/** What an organization says of itself to be verified. */
export interface KybSubmission {
  readonly business_name: string
  readonly registration_number: string
  readonly note?: string
  /** ISO 8601, UTC. */
  readonly submitted_at: string
}

/** A customer. Its keys share one grant, and an account of credits for each environment. */
export interface Organization {
  readonly id: string
  readonly name: string
  /** The deepest level that any key of the organization is served. */
  readonly granted_level: AccessLevel
  readonly kyb_status: KybStatus
  /** Requests a minute of all its keys together; absent where the service's default applies. */
  readonly rate_limit_per_minute?: number
  /** The last one; absent before the first. */
  readonly kyb_submission?: KybSubmission
  /** What the last review said; absent before the first. */
  readonly review_note?: string
  /** ISO 8601, UTC. */
  readonly created_at: string
}

/** Which organizations a list holds; an absent field narrows nothing. */
export interface OrganizationFilter {
  readonly kyb_status?: KybStatus
  /** A part of the name, compared as `searchableName` makes it. */
  readonly name?: string
}

/** Whether a list with this filter holds an organization. */
export const passesFilter = ({ kyb_status, name }: Organization, filter: OrganizationFilter): boolean =>
  (filter.kyb_status === undefined || filter.kyb_status === kyb_status) &&
  (filter.name === undefined || searchableName(name).includes(searchableName(filter.name)))

/**
 * A name as it is searched for: without diacritics, and with small letters for A to Z. That is all which every store can
 * do alike: `Ẹ̀kọ́ Parcels` → `eko parcels`.
 */
export const searchableName = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Where a request for a level stands. */
export type AccessRequestStatus = "pending" | "approved" | "rejected"

/** All that `AccessRequestStatus` may be. */
export const accessRequestStatuses: ReadonlyArray<AccessRequestStatus> = ["pending", "approved", "rejected"]

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

/** Why another submission is refused: one is under review, or was approved. */
export const kybSubmitted = (kyb_status: KybStatus): Conflict =>
  new Conflict({ message: `the verification of this organization is ${kyb_status} already` })

/** Why another request for the same level is refused. */
export const accessRequestPending = new Conflict({
  message: "a request of this organization for this level is pending already"
})

/** Why a request is not decided once more. */
export const accessRequestDecided = (status: AccessRequestStatus): Conflict =>
  new Conflict({ message: `this access request is ${status} already` })
