/** What whoever is signed in may do, by the one table of core. */
import { type ManagementCall, type ManagerKind, managementAccess } from "@postcode/core/ManagementAccess"
import { account } from "./session.ts"

/** Whether to show what makes a call. The service decides again when it is made. */
export const may = (call: ManagementCall): boolean => {
  const role = account.value?.role
  const allowed: ReadonlyArray<ManagerKind | "nobody"> = managementAccess[call]
  return role !== undefined && allowed.includes(role)
}

/** Whether it is an operator, who sees every organization. */
export const isOperator = (): boolean => account.value?.role === "operator"
