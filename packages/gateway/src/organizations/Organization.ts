/** Organizations: customers with keys, credits and a granted level, and their requests for a higher level. */

import type { AccessLevel } from "@postcode/core/AccessLevel"
import { Conflict } from "../Errors.ts"

/** Know-your-business status; live keys need `verified`. */
export type KybStatus = "unverified" | "pending" | "verified" | "rejected"

/** All values of `KybStatus`. */
export const kybStatuses: ReadonlyArray<KybStatus> = ["unverified", "pending", "verified", "rejected"]

/**
 * Whether an organization may use the service. `suspended`: its keys and widget sessions are refused, and its members
 * may only read, until it is resumed. `closed`: the same permanently, with its keys revoked.
 */
export type OrganizationStatus = "active" | "suspended" | "closed"

/** All values of `OrganizationStatus`. */
export const organizationStatuses: ReadonlyArray<OrganizationStatus> = ["active", "suspended", "closed"]

/** An organization's data for verification. */
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
  /** Its name when it was verified; present only if it is verified and was renamed since. */
  readonly verified_name?: string
  readonly status: OrganizationStatus
  /** Why the status was changed last; absent before the first change. */
  readonly status_reason?: string
  /** When the status was changed last, ISO 8601, UTC; absent before the first change. */
  readonly status_changed_at?: string
  /** Requests per minute of all its keys together; absent for the service's default. */
  readonly rate_limit_per_minute?: number
  /** The last submission; absent before the first. */
  readonly kyb_submission?: KybSubmission
  /** The note of the last review; absent before the first. */
  readonly review_note?: string
  /** ISO 8601, UTC. */
  readonly created_at: string
}

/** Removes the note of the last review, which only operators and owners see. */
export const withoutReview = ({ review_note: _, ...organization }: Organization): Organization => organization

/** Filter of a list; absent fields match all. */
export interface OrganizationFilter {
  readonly kyb_status?: KybStatus
  readonly status?: OrganizationStatus
  /** A part of the name, compared after `searchableName`. */
  readonly name?: string
}

/** A new organization: it may use test keys, and level 1. */
export const newOrganization = (id: string, name: string, created_at: string): Organization => ({
  id,
  name,
  granted_level: 1,
  kyb_status: "unverified",
  status: "active",
  created_at
})

/** Whether an organization matches a filter. */
export const passesFilter = ({ kyb_status, name, status }: Organization, filter: OrganizationFilter): boolean =>
  (filter.kyb_status === undefined || filter.kyb_status === kyb_status) &&
  (filter.status === undefined || filter.status === status) &&
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

/** How long before an unused organization is closed its owners are told, in days. */
export const closingNotice_days = 14

/** When unused organizations are closed. */
export interface ClosingRule {
  /** The age at which they are closed, in days: more than `closingNotice_days`. */
  readonly after_days: number
}

/** When an organization that was never used is to be closed, if its owners are told now. Both times are ISO 8601, UTC. */
export const closingTime = (created_at: string, now: string, { after_days }: ClosingRule): string => {
  const [regular_ms, earliest_ms] = [Date.parse(created_at) + after_days * day_ms, noticeUntil_ms(now)]
  return new Date(Math.max(regular_ms, earliest_ms)).toISOString()
}

/** Organizations that were created up to this time are told now. */
export const closingAge = (now: string, { after_days }: ClosingRule): string =>
  new Date(noticeUntil_ms(now) - after_days * day_ms).toISOString()

const noticeUntil_ms = (now: string): number => Date.parse(now) + closingNotice_days * day_ms

const day_ms = 86_400_000

/** A change of the status, and why. */
export interface StatusChange {
  readonly status: OrganizationStatus
  readonly status_reason: string
  /** ISO 8601, UTC. */
  readonly status_changed_at: string
}

/**
 * Why a status cannot follow another one; undefined if it can, or is the same. An organization is suspended before it is
 * closed, so that no request depends on it any more. Closing is final.
 */
export const statusConflict = (from: OrganizationStatus, to: OrganizationStatus): Conflict | undefined => {
  if (from === to) return undefined
  if (from === "closed") return organizationClosed
  return to === "closed" && from === "active" ? suspendFirst : undefined
}

/** The error for a change that a closed organization does not take. */
export const organizationClosed = new Conflict({ message: "this organization is closed, which is final" })

const suspendFirst = new Conflict({ message: "this organization is active: suspend it before you close it" })

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
