import { accountLimits } from "@postcode/gateway/InputLimits"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { created, Data, Timestamp } from "../answers.ts"
import { forManagers, forVisitors } from "../documented.ts"
import { failures } from "../errors.ts"
import { byId } from "../oneResource.ts"
import { Text } from "../parameters.ts"
import { Password, SignedIn } from "./signUp.ts"

const Passkey = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  created_at: Timestamp,
  last_used_at: Schema.optionalKey(Timestamp)
}).annotate({ identifier: "Passkey", description: "A passkey of an account." })

/** A credential id: up to 1,023 bytes. */
const CredentialId = Schema.String.check(
  Schema.isPattern(/^[0-9A-Za-z_-]{1,1364}$/u, { message: "expected up to 1,364 characters of base64url" })
)
const credentialFields = { id: CredentialId, rawId: CredentialId, type: Schema.Literal("public-key") }
const clientExtensionResults = Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))

/** Browsers write credentials, and may write more fields than these, which are not looked at. */
const open = <const Fields extends Schema.Struct.Fields>(fields: Fields): Schema.Struct<Fields> =>
  Schema.StructWithRest(Schema.Struct(fields), [
    Schema.Record(Schema.String, Schema.Unknown)
  ]) as unknown as Schema.Struct<Fields>

const NewCredential = open({
  ...credentialFields,
  response: open({ clientDataJSON: Schema.String, attestationObject: Schema.String }),
  clientExtensionResults
}).annotate({
  description: "The PublicKeyCredential that navigator.credentials.create returned, as its toJSON writes it."
})
const UsedCredential = open({
  ...credentialFields,
  response: open({
    clientDataJSON: Schema.String,
    authenticatorData: Schema.String,
    signature: Schema.String,
    userHandle: Schema.optionalKey(Schema.NullOr(Schema.String))
  }),
  clientExtensionResults
}).annotate({
  description: "The PublicKeyCredential that navigator.credentials.get returned, as its toJSON writes it."
})

const Options = Data(Schema.Struct({ options: Schema.Record(Schema.String, Schema.Unknown) }))

/** Sign-in with a passkey. */
export const Passkeys = HttpApiGroup.make("passkeys")
  .add(
    HttpApiEndpoint.post("passkeyChallenge", "/v1/admin/account/passkey-challenge", {
      success: Options,
      error: failures.read
    }).annotateMerge(
      forVisitors(
        "Get a challenge to sign in with a passkey",
        "`options` is for PublicKeyCredential.parseRequestOptionsFromJSON. It is valid once, for 5 minutes."
      )
    ),
    HttpApiEndpoint.post("signInWithPasskey", "/v1/admin/account/passkey-sign-in", {
      payload: Schema.Struct({ credential: UsedCredential }),
      success: SignedIn,
      error: failures.write
    }).annotateMerge(forVisitors("Sign in with a passkey. The response sets the session's cookie")),
    HttpApiEndpoint.get("listPasskeys", "/v1/admin/account/passkeys", {
      success: Data(Schema.Struct({ passkeys: Schema.Array(Passkey) })),
      error: failures.read
    }).annotateMerge(forManagers("List your passkeys, newest first")),
    HttpApiEndpoint.post("startPasskey", "/v1/admin/account/passkey-start", {
      payload: Schema.Struct({ present_password: Password }),
      success: Options,
      error: failures.write
    }).annotateMerge(
      forManagers(
        "Get a challenge to create a passkey",
        "`options` is for PublicKeyCredential.parseCreationOptionsFromJSON. It is valid once, for 5 minutes."
      )
    ),
    HttpApiEndpoint.post("addPasskey", "/v1/admin/account/passkeys", {
      payload: Schema.Struct({ name: Text(accountLimits.passkey_name), credential: NewCredential }),
      success: Data(Passkey).pipe(created),
      error: failures.save
    }).annotateMerge(forManagers("Add a passkey to your account")),
    HttpApiEndpoint.delete("removePasskey", "/v1/admin/account/passkeys/:id", {
      ...byId,
      success: SignedIn
    }).annotateMerge(forManagers("Remove a passkey, end all sessions, and start a new one"))
  )
  .annotate(OpenApi.Title, "Passkeys")
  .annotate(
    OpenApi.Description,
    "Passkeys are bound to the host of the service's public address, and require the device to verify its user."
  )
