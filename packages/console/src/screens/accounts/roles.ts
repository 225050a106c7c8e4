/** The roles of people, in words. */
import type { MemberRole, Role } from "@postcode/core/ManagementAccess"

/** The roles in words. */
export const roleNames: Readonly<Record<Role, string>> = {
  operator: "Operator",
  owner: "Owner",
  developer: "Developer",
  billing: "Billing"
}

/** What a member may do, for whoever chooses a role. */
export const memberRoleOptions: ReadonlyArray<readonly [MemberRole, string, string]> = [
  ["owner", "Owner", "Everything of the organization, its people included."],
  ["developer", "Developer", "Keys, usage, and requests for higher levels."],
  ["billing", "Billing", "Credits and usage. No keys."]
]
