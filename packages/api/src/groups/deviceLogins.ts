/** Logins of devices: the steps of the device authorization grant, RFC 8628. */
import { accountLimits } from "@postcode/gateway/InputLimits"
import { memberRoles } from "@postcode/gateway/ManagementAccess"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { created, Data, Timestamp } from "../answers.ts"
import { documented, forManagers } from "../documented.ts"
import { failures } from "../errors.ts"
import { byIdWithBody } from "../oneResource.ts"
import { oneOf, Text } from "../parameters.ts"

const UserCode = Schema.String.check(
  Schema.isPattern(/^[A-Za-z]{4}-?[A-Za-z]{4}$/, { message: "expected a code of eight letters, such as WDJB-MJHT" })
)
const DeviceCode = Schema.String.check(
  Schema.isPattern(/^[0-9A-Za-z]{43}$/, { message: "expected the device_code of a login" })
)
const withCode = { payload: Schema.Struct({ user_code: UserCode }) }

const DeviceLogin = Data(Schema.Struct({ machine: Schema.String, created_at: Timestamp, expires_at: Timestamp }))
const Decided = Data(Schema.Struct({ machine: Schema.String }))
const sameAnswer = "Unknown, expired and used codes get the same answer. Attempts count under the limits of signing in."

/** The endpoints of `OwnAccount` for logins of devices. */
export const deviceLoginEndpoints = [
  HttpApiEndpoint.post("startDeviceLogin", "/v1/admin/device-logins", {
    payload: Schema.Struct({ machine: Text(accountLimits.machine) }),
    success: Data(
      Schema.Struct({
        device_code: Schema.String,
        user_code: Schema.String,
        verification_uri: Schema.String.annotate({ description: "Relative to the address of the service." }),
        verification_uri_complete: Schema.String.annotate({ description: "The same with the code." }),
        expires_in: Schema.Int.annotate({ description: "In seconds." }),
        interval: Schema.Int.annotate({ description: "How long to wait between two requests, in seconds." })
      })
    ).pipe(created),
    error: failures.write
  }).annotateMerge(
    documented(
      "Start the login of a device",
      "Show `user_code` and `verification_uri` to a person, who agrees in the console, and ask with `device_code` meanwhile."
    )
  ),
  HttpApiEndpoint.post("pollDeviceLogin", "/v1/admin/device-logins/token", {
    payload: Schema.Struct({ device_code: DeviceCode }),
    success: Data(
      Schema.Struct({
        status: Schema.Literals([
          "authorization_pending",
          "slow_down",
          "access_denied",
          "expired_token",
          "approved"
        ]).annotate({ description: "In the words of RFC 8628. After `slow_down`, wait 5 s longer between requests." }),
        management_key: Schema.optionalKey(
          Schema.Struct({
            id: Schema.String,
            organization_id: Schema.String,
            name: Schema.String,
            role: oneOf(memberRoles),
            expires_at: Timestamp,
            secret: Schema.String
          }).annotate({ description: "Once, after an account agreed." })
        )
      })
    ),
    error: failures.managementWrite
  }).annotateMerge(documented("Ask for the management key of a login", "Once an account agreed, one response has it.")),
  HttpApiEndpoint.post("findDeviceLogin", "/v1/admin/device-logins/find", {
    ...withCode,
    success: DeviceLogin,
    error: failures.managementFind
  }).annotateMerge(forManagers("Show which device a code is for", sameAnswer)),
  HttpApiEndpoint.post("denyDeviceLogin", "/v1/admin/device-logins/deny", {
    ...withCode,
    success: Decided,
    error: failures.managementFind
  }).annotateMerge(forManagers("Refuse the login of a device", sameAnswer)),
  HttpApiEndpoint.post("approveDeviceLogin", "/v1/admin/organizations/:id/device-logins", {
    ...byIdWithBody,
    ...withCode,
    success: Decided
  }).annotateMerge(
    forManagers(
      "Agree to the login of a device",
      `The device gets a management key of this organization, with the role of the account, for 90 days. ${sameAnswer}`
    )
  )
] as const
