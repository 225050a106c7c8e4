/** Members, and the labels of their roles. */

import type { MemberRole, Role } from "@postcode/gateway/ManagementAccess"
import type { DataOf } from "../../client/Contract.ts"

/** An account in an organization, or an operator. */
export type Member = DataOf<"GET /v1/admin/operators">["accounts"][number]

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
