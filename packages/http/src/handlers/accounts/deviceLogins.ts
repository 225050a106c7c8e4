import { type LoginState, logInDevice } from "@postcode/gateway/accounts/deviceLogins/logInDevice"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import { Effect, Redacted } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"

/** The console's page, which reads the code from the fragment: no server or log sees it. */
const page = "/console/#/device"

export const deviceLoginHandlers = Effect.gen(function* () {
  const login = yield* logInDevice

  const handlers: Pick<
    GroupHandlers<"account">,
    "approveDeviceLogin" | "denyDeviceLogin" | "findDeviceLogin" | "pollDeviceLogin" | "startDeviceLogin"
  > = {
    startDeviceLogin: ({ address, payload }) =>
      Effect.map(login.start(payload.machine, address()), ({ device_code, user_code, ...times }) => ({
        data: {
          device_code: Redacted.value(device_code),
          user_code,
          verification_uri: page,
          verification_uri_complete: `${page}?code=${user_code}`,
          ...times
        }
      })),
    pollDeviceLogin: ({ payload }) =>
      Effect.map(login.poll(Redacted.make(payload.device_code)), (state) => ({ data: shown(state) })),
    findDeviceLogin: ({ address, manager, payload }) =>
      Effect.map(
        login.find(payload.user_code, manager as Manager, address()),
        ({ created_at, expires_at, machine }) => ({ data: { machine, created_at, expires_at } })
      ),
    denyDeviceLogin: ({ address, manager, payload }) =>
      Effect.map(login.deny(payload.user_code, manager as Manager, address()), ofMachine),
    approveDeviceLogin: ({ address, manager, params, payload }) =>
      Effect.map(login.approve(params.id, payload.user_code, manager as Manager, address()), ofMachine)
  }
  return handlers
})

const ofMachine = ({ machine }: { readonly machine: string }) => ({ data: { machine } })

const shown = (state: LoginState) => {
  if (state.status !== "approved") return { status: state.status }
  const { expires_at = "", id, name, organization_id, role } = state.record
  const management_key = { id, organization_id, name, role, expires_at, secret: Redacted.value(state.secret) }
  return { status: state.status, management_key }
}
