/** Port: organizations, each with a balance per environment. */

import type { Environment } from "@postcode/core/Credits"
import { Context, type Effect } from "effect"
import type { Conflict, InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { ClosingRule, KybSubmission, Organization, OrganizationFilter, StatusChange } from "./Organization.ts"

/** Fields to change; absent fields stay. */
export type OrganizationPatch = Partial<Pick<Organization, "name" | "granted_level" | "kyb_status" | "review_note">> & {
  /** Null removes the limit, so that the service's default applies. */
  readonly rate_limit_per_minute?: number | null
}

/** Applies a patch, for stores that keep an organization as one record. */
export const changedBy = (before: Organization, patch: OrganizationPatch): Organization => {
  const { rate_limit_per_minute: limit, verified_name: _, ...organization } = before
  const { rate_limit_per_minute = limit, ...changes } = patch
  const verified_name = nameAtVerification(before, patch)
  const name = changes.name ?? organization.name
  return {
    ...organization,
    ...changes,
    ...(verified_name !== undefined && verified_name !== name && { verified_name }),
    ...(typeof rate_limit_per_minute === "number" && { rate_limit_per_minute })
  }
}

/** Each verification is of the current name, also that of a verified organization. */
const nameAtVerification = (before: Organization, { kyb_status }: OrganizationPatch): string | undefined =>
  kyb_status === undefined && before.kyb_status === "verified" ? (before.verified_name ?? before.name) : undefined

/** The result of changing the status. */
export interface StatusChanged {
  readonly organization: Organization
  /** Whether it had this status already, so that nothing changed. */
  readonly repeated: boolean
  /** The number of keys that were revoked. */
  readonly revoked_keys: number
}

/** An organization whose owners are told that it will be closed. */
export interface ClosingOrganization {
  readonly id: string
  /** ISO 8601, UTC. */
  readonly closes_at: string
}

/** Maximum number of organizations that `takeUnused` and `listClosing` return. */
export const maxTakenOrganizations = 100

export class Organizations extends Context.Service<
  Organizations,
  {
    /**
     * Stores a new organization and its balances in one transaction. An opening amount above 0 is the first ledger
     * entry, with the reason `opening` and the organization's id as reference.
     */
    readonly create: (
      organization: Organization,
      opening: Readonly<Record<Environment, number>>
    ) => Effect.Effect<void, Unavailable>
    readonly get: (id: string) => Effect.Effect<Organization, NotFound | Unavailable>
    /** In either order. */
    readonly list: (
      filter: OrganizationFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Organization>, InvalidParameter | Unavailable>
    /**
     * Applies a patch and returns the changed organization. A patch to `verified` also stores the name, see
     * `verified_name`; one to another status removes it.
     */
    readonly update: (id: string, patch: OrganizationPatch) => Effect.Effect<Organization, NotFound | Unavailable>
    /**
     * Changes the status, for the charges of all replicas at once. Closing revokes the keys that are not revoked, in the
     * same transaction, and no key can be created after it. Repeating a change changes nothing: the reason stays the
     * first one. Fails with `Conflict` for a change that is not possible, see `statusConflict`.
     */
    readonly changeStatus: (
      id: string,
      change: StatusChange
    ) => Effect.Effect<StatusChanged, Conflict | NotFound | Unavailable>
    /**
     * Replaces the submission and sets the status to `pending`, in one transaction. Fails with `Conflict` for a
     * verified or pending organization.
     */
    readonly submitKyb: (
      id: string,
      submission: KybSubmission
    ) => Effect.Effect<Organization, Conflict | NotFound | Unavailable>
    /**
     * Marks unused organizations of the age `closingAge` to be closed at `closingTime`, and returns them: each once, also to
     * concurrent callers. Part of the current transaction.
     *
     * An organization is unused if it is active and has an owner, and nothing else has happened: none of its keys was
     * ever used, its balances have no entries except the opening ones, it submitted nothing for verification, requested
     * no level, and its grant is that of a new organization.
     */
    readonly takeUnused: (
      now: string,
      rule: ClosingRule
    ) => Effect.Effect<ReadonlyArray<ClosingOrganization>, Unavailable>
    /** The ids of marked organizations whose time has come, and that are still unused. */
    readonly listClosing: (now: string) => Effect.Effect<ReadonlyArray<string>, Unavailable>
  }
>()("@postcode/gateway/Organizations") {}
