import type { Organization } from "../../state/organization.ts"
import { badgeOf, type States } from "./Badge.tsx"

/** The states of a business verification. */
export const kybStates: States<Organization["kyb_status"]> = {
  unverified: ["Not verified", "plain"],
  pending: ["Pending", "warning"],
  verified: ["Verified", "good"],
  rejected: ["Rejected", "bad"]
}

export const KybBadge = badgeOf(kybStates)
