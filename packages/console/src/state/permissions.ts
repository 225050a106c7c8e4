/** The permissions of the signed-in account, from core's table. */
import { type ManagementCall, type ManagerKind, managementAccess } from "@postcode/gateway/ManagementAccess"
import { account } from "./session.ts"

/** Whether to show controls for a call. The service checks the permission again. */
export const may = (call: ManagementCall): boolean => {
  const role = account.value?.role
  const allowed: ReadonlyArray<ManagerKind | "nobody"> = managementAccess[call]
  return role !== undefined && allowed.includes(role)
}

/** Whether the account is an operator, who sees every organization. */
export const isOperator = (): boolean => account.value?.role === "operator"
