import { deviceGrant, deviceKey_ms } from "@postcode/gateway/accounts/deviceLogins/DeviceLogin"
import { logInDevice } from "@postcode/gateway/accounts/deviceLogins/logInDevice"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import { Effect, Redacted } from "effect"
import { OAuthRefused } from "../../pipeline/ErrorTable.ts"
import type { GroupHandlers } from "../../pipeline/Handler.ts"

/** The console's page, which reads the code from the fragment: no server or log sees it. */
const page = "/console/#/device"

export const deviceLoginHandlers = Effect.gen(function* () {
  const login = yield* logInDevice

  const handlers: Pick<
    GroupHandlers<"account">,
    | "approveDeviceLogin"
    | "denyDeviceLogin"
    | "describeOAuth"
    | "findDeviceLogin"
    | "pollDeviceLogin"
    | "startDeviceLogin"
  > = {
    describeOAuth: ({ ownOrigin }) => {
      const issuer = ownOrigin()
      return Effect.succeed({
        data: {
          issuer,
          device_authorization_endpoint: `${issuer}/v1/oauth/device_authorization`,
          token_endpoint: `${issuer}/v1/oauth/token`,
          grant_types_supported: [deviceGrant],
          response_types_supported: [],
          token_endpoint_auth_methods_supported: ["none"]
        }
      })
    },
    startDeviceLogin: ({ address, ownOrigin, payload }) =>
      Effect.map(login.start(payload, address()), ({ device_code, user_code, ...times }) => ({
        data: {
          device_code: Redacted.value(device_code),
          user_code,
          verification_uri: ownOrigin() + page,
          verification_uri_complete: `${ownOrigin()}${page}?code=${user_code}`,
          ...times
        }
      })),
    pollDeviceLogin: ({ payload: { client_id, device_code, grant_type } }) =>
      Effect.gen(function* () {
        if (grant_type !== deviceGrant) return yield* unsupportedGrant
        const state = yield* login.poll(client_id, Redacted.make(device_code))
        if (state.status !== "approved") {
          return yield* new OAuthRefused({ error: state.status, message: reasons[state.status] })
        }
        return {
          data: {
            access_token: Redacted.value(state.secret),
            token_type: "Bearer" as const,
            expires_in: deviceKey_ms / 1_000,
            scope: state.record.role
          }
        }
      }).pipe(
        // The account has too many keys, or its organization was closed or removed.
        Effect.catchTags({ Conflict: noKey, NotFound: noKey })
      ),
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

const noKey = ({ message }: { readonly message: string }) => new OAuthRefused({ error: "access_denied", message })

const unsupportedGrant = new OAuthRefused({
  error: "unsupported_grant_type",
  message: `grant_type: expected ${deviceGrant}`
})

const reasons = {
  access_denied: "the account refused, or may no longer give access",
  authorization_pending: "no account has decided yet: repeat the request after the interval",
  expired_token: "no account agreed within 10 minutes: start again",
  invalid_grant: "the device_code is unknown, was used, or belongs to another client_id: start again",
  slow_down: "the requests come too often: wait 5 seconds longer between them"
} as const
