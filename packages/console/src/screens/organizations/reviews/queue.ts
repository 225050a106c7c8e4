/** One queue of all pending reviews: KYB submissions and access requests. */
import type { Organization } from "../../../state/organization.ts"
import type { AccessRequest } from "./AccessRequest.ts"

interface Shared {
  /** The organization's or the request's id; in the address. */
  readonly id: string
  readonly organization_id: string
  /** ISO 8601, UTC. */
  readonly since: string
}

/** A pending review. */
export type Waiting =
  | (Shared & { readonly kind: "business"; readonly organization: Organization })
  | (Shared & { readonly kind: "level"; readonly request: AccessRequest })

/** Oldest first. */
export const queueOf = (
  businesses: ReadonlyArray<Organization>,
  requests: ReadonlyArray<AccessRequest>
): ReadonlyArray<Waiting> => {
  const all: ReadonlyArray<Waiting> = [
    ...businesses.map((organization) => ({
      kind: "business" as const,
      id: organization.id,
      organization_id: organization.id,
      since: organization.kyb_submission?.submitted_at ?? organization.created_at,
      organization
    })),
    ...requests.map((request) => ({
      kind: "level" as const,
      id: request.id,
      organization_id: request.organization_id,
      since: request.created_at,
      request
    }))
  ]
  return all.toSorted((a, b) => a.since.localeCompare(b.since) || a.id.localeCompare(b.id))
}

/** The next review after a decision: the following one, or else the first. */
export const nextAfter = (queue: ReadonlyArray<Waiting>, id: string): Waiting | undefined => {
  const others = queue.filter((item) => item.id !== id)
  return others[queue.findIndex((item) => item.id === id)] ?? others[0]
}

/** The subject of a review in words. */
export const subjectOf = (item: Waiting): string =>
  item.kind === "business" ? "Verification" : `Access level ${item.request.level}`
