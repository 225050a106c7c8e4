import { type ManagementCall, type ManagerKind, managementAccess } from "@postcode/gateway/ManagementAccess"
import { useCall } from "./useCall.ts"

/** Whether the signed-in account may make a call, from core's table. */
export const useMay = (): ((call: ManagementCall) => boolean) => {
  const role = useCall("GET /v1/admin/account", {}).data?.role
  return (call) => {
    const allowed: ReadonlyArray<ManagerKind | "nobody"> = managementAccess[call]
    return role !== undefined && allowed.includes(role)
  }
}
