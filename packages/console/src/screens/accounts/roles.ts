/** Labels of the roles. */
import type { MemberRole, Role } from "@postcode/gateway/ManagementAccess"

/** The label of each role. */
export const roleNames: Readonly<Record<Role, string>> = {
  operator: "Operator",
  owner: "Owner",
  developer: "Developer",
  billing: "Billing"
}

/** The permissions of each role, for choosing one. */
export const memberRoleOptions: ReadonlyArray<readonly [MemberRole, string, string]> = [
  ["owner", "Owner", "Everything in the organization, including its members."],
  ["developer", "Developer", "Keys, usage, and access requests."],
  ["billing", "Billing", "Credits and usage. No keys."]
]
