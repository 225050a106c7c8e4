/** Organizations: customers with keys, credits and a granted level, and their requests for a higher level. */

import { Conflict } from "../Errors.ts"
import type { AccessLevel } from "../lookup/AccessLevel.ts"

/** Know-your-business status; live keys need `verified`. */
export type KybStatus = "unverified" | "pending" | "verified" | "rejected"

/** All values of `KybStatus`. */
export const kybStatuses: ReadonlyArray<KybStatus> = ["unverified", "pending", "verified", "rejected"]

/** What an organization submits for verification. */
export interface KybSubmission {
  readonly business_name: string
  readonly registration_number: string
  readonly note?: string
  /** ISO 8601, UTC. */
  readonly submitted_at: string
}

/** A customer. Its keys share one grant, and one balance per environment. */
export interface Organization {
  readonly id: string
  readonly name: string
  /** The highest level that is served to any key of the organization. */
  readonly granted_level: AccessLevel
  readonly kyb_status: KybStatus
  /** Requests per minute of all its keys together; absent for the service's default. */
  readonly rate_limit_per_minute?: number
  /** The last submission; absent before the first. */
  readonly kyb_submission?: KybSubmission
  /** The note of the last review; absent before the first. */
  readonly review_note?: string
  /** ISO 8601, UTC. */
  readonly created_at: string
}

/** Filter of a list; absent fields match all. */
export interface OrganizationFilter {
  readonly kyb_status?: KybStatus
  /** A part of the name, compared after `searchableName`. */
  readonly name?: string
}

/** Whether an organization matches a filter. */
export const passesFilter = ({ kyb_status, name }: Organization, filter: OrganizationFilter): boolean =>
  (filter.kyb_status === undefined || filter.kyb_status === kyb_status) &&
  (filter.name === undefined || searchableName(name).includes(searchableName(filter.name)))

/**
 * Normalizes a name for search: without diacritics, and with A to Z in lower case, which every store can do
 * identically: `Ẹ̀kọ́ Parcels` → `eko parcels`.
 */
export const searchableName = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The state of a request for a level. */
export type AccessRequestStatus = "pending" | "approved" | "rejected"

/** All values of `AccessRequestStatus`. */
export const accessRequestStatuses: ReadonlyArray<AccessRequestStatus> = ["pending", "approved", "rejected"]

/** A request of an organization for a higher level, which an operator decides. */
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

/** The error for another submission while one is under review or approved. */
export const kybSubmitted = (kyb_status: KybStatus): Conflict =>
  new Conflict({ message: `the verification of this organization is ${kyb_status} already` })

/** The error for a second pending request for the same level. */
export const accessRequestPending = new Conflict({
  message: "a request of this organization for this level is pending already"
})

/** The error for a second decision. */
export const accessRequestDecided = (status: AccessRequestStatus): Conflict =>
  new Conflict({ message: `this access request is ${status} already` })
