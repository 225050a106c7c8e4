/** Port: organizations, and the two credit accounts that each begins with. */
import { Context, type Effect } from "effect"
import type { Environment } from "../credits/Credits.ts"
import type { Conflict, InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { KybSubmission, Organization, OrganizationFilter } from "./Organization.ts"

/** What may change; an absent field stays as it is. */
export type OrganizationPatch = Partial<Pick<Organization, "name" | "granted_level" | "kyb_status" | "review_note">> & {
  /** Null takes the limit away, so that the service's default applies. */
  readonly rate_limit_per_minute?: number | null
}

/** An organization after a change, for stores that keep it as one record. */
export const changedBy = (
  { rate_limit_per_minute: limit, ...organization }: Organization,
  { rate_limit_per_minute = limit, ...patch }: OrganizationPatch
): Organization => ({
  ...organization,
  ...patch,
  ...(typeof rate_limit_per_minute === "number" && { rate_limit_per_minute })
})

export class Organizations extends Context.Service<
  Organizations,
  {
    /**
     * Stores a new organization and opens its accounts in the same step; an opening amount above 0 is the first entry
     * of its ledger, with the reason `opening` and the organization's id as reference.
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
    /** Changes what the patch holds and answers the organization after the change. */
    readonly update: (id: string, patch: OrganizationPatch) => Effect.Effect<Organization, NotFound | Unavailable>
    /**
     * Stores a submission in place of the one before and makes the status `pending`, in one step. Fails with `Conflict`
     * for an organization that is verified, or pending.
     */
    readonly submitKyb: (
      id: string,
      submission: KybSubmission
    ) => Effect.Effect<Organization, Conflict | NotFound | Unavailable>
  }
>()("@postcode/core/Organizations") {}
