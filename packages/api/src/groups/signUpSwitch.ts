/** The operators' switch of sign-ups. */
import { signUpModes } from "@postcode/gateway/accounts/signUp/SignUpSettings"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { Data } from "../answers.ts"
import { documented } from "../documented.ts"
import { failures } from "../errors.ts"

const SignUpSwitch = Schema.Struct({
  mode: Schema.Literals(signUpModes),
  domains: Schema.Array(Schema.String),
  sends_mail: Schema.Boolean,
  is_stopped: Schema.Boolean.annotate({ description: "Whether an operator has stopped sign-ups." })
}).annotate({ identifier: "SignUpSwitch", description: "The settings of sign-ups, and the operators' switch." })

/** The endpoints of `Accounts` for operators. */
export const signUpSwitchEndpoints = [
  HttpApiEndpoint.get("getSignUp", "/v1/admin/sign-up", {
    success: Data(SignUpSwitch),
    error: failures.managementRead
  }).annotateMerge(documented("Show the settings of sign-ups")),
  HttpApiEndpoint.put("stopSignUp", "/v1/admin/sign-up", {
    payload: Schema.Struct({ is_stopped: Schema.Boolean }),
    success: Data(SignUpSwitch),
    error: failures.write
  }).annotateMerge(
    documented(
      "Stop sign-ups at once, or take them again",
      "Counts on all replicas. Links that were sent before stay valid. It opens nothing that the settings close."
    )
  )
] as const
