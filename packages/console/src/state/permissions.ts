/** The permissions of the signed-in account, from gateway's table. */
import { type ManagementCall, type ManagerKind, managementAccess, type Role } from "@postcode/gateway/ManagementAccess"
import { organizationId } from "./organization.ts"
import { account } from "./session.ts"

/** The role in which the account acts: an operator everywhere, a member in the selected organization. */
const actingRole = (): Role | undefined => {
  const own = account.value
  if (own === undefined || own.is_operator) return own && "operator"
  return own.memberships.find(({ organization_id }) => organization_id === organizationId.value)?.role
}

/** Whether to show controls for a call. The service checks the permission again. */
export const may = (call: ManagementCall): boolean => {
  const role = actingRole()
  const allowed: ReadonlyArray<ManagerKind | "nobody"> = managementAccess[call]
  return role !== undefined && allowed.includes(role)
}

/** Whether the account is an operator, who sees every organization. */
export const isOperator = (): boolean => account.value?.is_operator === true
