import { type ManagementCall, type ManagerKind, managementAccess } from "@postcode/core/ManagementAccess"
import { useCall } from "./useCall.ts"

/** Whether whoever is signed in may make a call, by the one table of core. */
export const useMay = (): ((call: ManagementCall) => boolean) => {
  const role = useCall("GET /v1/admin/account", {}).data?.role
  return (call) => {
    const allowed: ReadonlyArray<ManagerKind | "nobody"> = managementAccess[call]
    return role !== undefined && allowed.includes(role)
  }
}
