/** Logins of devices: the steps of the device authorization grant, RFC 8628. */
import { deviceGrant } from "@postcode/gateway/accounts/deviceLogins/DeviceLogin"
import { accountLimits } from "@postcode/gateway/InputLimits"
import { Context, Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { OAuth } from "../access.ts"
import { Data, Timestamp } from "../answers.ts"
import { documented, forManagers } from "../documented.ts"
import { failures } from "../errors.ts"
import { byIdWithBody } from "../oneResource.ts"
import { Text } from "../parameters.ts"

const UserCode = Schema.String.check(
  Schema.isPattern(/^[A-Za-z]{4}-?[A-Za-z]{4}$/, { message: "expected a code of eight letters, such as WDJB-MJHT" })
)
const ClientId = Schema.String.check(
  Schema.isPattern(/^[\x21-\x7e]{1,80}$/, { message: "expected 1 to 80 printable ASCII characters without spaces" })
).annotate({ description: "The name of your program. Programs need no registration." })
const withCode = { payload: Schema.Struct({ user_code: UserCode }) }

const DeviceLogin = Data(Schema.Struct({ machine: Schema.String, created_at: Timestamp, expires_at: Timestamp }))
const Decided = Data(Schema.Struct({ machine: Schema.String }))
const sameAnswer = "Unknown, expired and used codes get the same answer. Attempts count under the limits of signing in."

/** Where libraries for OAuth look for the other two calls: RFC 8414, 3. */
const metadataPath = "/.well-known/oauth-authorization-server"

const forOAuth = (summary: string, description: string) => Context.add(documented(summary, description), OAuth, true)

/** The endpoints of `OwnAccount` for logins of devices. */
export const deviceLoginEndpoints = [
  HttpApiEndpoint.get("describeOAuth", metadataPath, {
    success: Schema.Struct({
      issuer: Schema.String.annotate({ description: "The address of the service." }),
      device_authorization_endpoint: Schema.String,
      token_endpoint: Schema.String,
      grant_types_supported: Schema.Tuple([Schema.Literal(deviceGrant)]),
      response_types_supported: Schema.Tuple([]),
      token_endpoint_auth_methods_supported: Schema.Tuple([Schema.Literal("none")])
    }),
    error: failures.oauthRead
  }).annotateMerge(
    forOAuth(
      "Describe the login to libraries for OAuth",
      "The metadata of OAuth 2.0 (RFC 8414). A library that knows the address of the service finds the two other calls here."
    )
  ),
  HttpApiEndpoint.post("startDeviceLogin", "/v1/oauth/device_authorization", {
    payload: Schema.Struct({
      client_id: ClientId,
      machine: Schema.optionalKey(Text(accountLimits.machine)).annotate({
        description: "The name of the computer, which the account sees. Default: `client_id`."
      })
    }).pipe(HttpApiSchema.asFormUrlEncoded()),
    success: Schema.Struct({
      device_code: Schema.String,
      user_code: Schema.String,
      verification_uri: Schema.String.annotate({ description: "The page where a person enters `user_code`." }),
      verification_uri_complete: Schema.String.annotate({ description: "The same with the code." }),
      expires_in: Schema.Int.annotate({ description: "In seconds." }),
      interval: Schema.Int.annotate({ description: "How long to wait between two requests, in seconds." })
    }),
    error: failures.oauth
  }).annotateMerge(
    forOAuth(
      "Start the login of a device",
      "The device authorization request of OAuth 2.0 (RFC 8628, 3.1). Show `user_code` and `verification_uri` to a person, who agrees in the console. Meanwhile, request the token."
    )
  ),
  HttpApiEndpoint.post("pollDeviceLogin", "/v1/oauth/token", {
    payload: Schema.Struct({
      client_id: ClientId,
      grant_type: Schema.String.annotate({ description: `\`${deviceGrant}\`` }),
      device_code: Schema.String
    }).pipe(HttpApiSchema.asFormUrlEncoded()),
    success: Schema.Struct({
      access_token: Schema.String.annotate({ description: "A management key." }),
      token_type: Schema.Literal("Bearer"),
      expires_in: Schema.Int.annotate({ description: "In seconds." }),
      scope: Schema.String.annotate({ description: "The role of the key." })
    }),
    error: failures.oauth
  }).annotateMerge(
    forOAuth(
      "Request the management key of a login",
      "The device access token request of OAuth 2.0 (RFC 8628, 3.4). Once an account agreed, one response has the key. After `slow_down`, wait 5 s longer between requests."
    )
  ),
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
