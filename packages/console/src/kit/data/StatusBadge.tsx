import type { Organization } from "../../state/organization.ts"
import { badgeOf, type States } from "./Badge.tsx"

/** The states of an organization. */
export const organizationStates: States<Organization["status"]> = {
  active: ["Active", "good"],
  suspended: ["Suspended", "warning"],
  closed: ["Closed", "bad"]
}

export const StatusBadge = badgeOf(organizationStates)
