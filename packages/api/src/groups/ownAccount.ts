import { maxPasswordLength, minPasswordLength } from "@postcode/core/Account"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { created, Data, Timestamp } from "../answers.ts"
import { forManagers, forVisitors } from "../documented.ts"
import { failures } from "../errors.ts"
import { Text } from "../parameters.ts"
import { Account, Email, Role } from "./accounts.ts"

export const Password = Schema.String.check(
  Schema.isMaxLength(maxPasswordLength, { message: `expected at most ${maxPasswordLength} characters` })
).annotate({ description: `A new one has ${minPasswordLength} to ${maxPasswordLength} characters.` })
const InvitationToken = Schema.String.check(
  Schema.isPattern(/^[0-9A-Za-z]{43}$/u, { message: "expected the token of an invitation, as its link has it" })
)
const ShownInvitation = Schema.Struct({
  role: Role,
  email: Schema.optionalKey(Schema.String).annotate({
    description: "The address that the account gets; absent only for the link that opens the first operator's account."
  }),
  organization_name: Schema.optionalKey(Schema.String),
  expires_at: Timestamp
}).annotate({ identifier: "ShownInvitation" })
/** The response that starts a console session; the token is in the cookie. */
export const SignedIn = Data(Schema.Struct({ account: Account }))
const SignedOut = Data(Schema.Struct({ signed_out: Schema.Literal(true) }))

/** The caller's own account, from sign-in to sign-out. */
export const OwnAccount = HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.post("signIn", "/v1/admin/account/sign-in", {
      payload: Schema.Struct({ email: Email, password: Password }),
      success: SignedIn,
      error: failures.write
    }).annotateMerge(
      forVisitors(
        "Sign in with email and password",
        "The answer sets the session's cookie. A wrong password and an email that nobody has are answered alike. " +
          "An address may try one account 10 times a minute, and all accounts 20 times; an account may be tried 60 times."
      )
    ),
    HttpApiEndpoint.post("acceptInvitation", "/v1/admin/account/accept", {
      payload: Schema.Struct({
        token: InvitationToken,
        email: Schema.optionalKey(Email),
        name: Text(100),
        password: Password
      }),
      success: SignedIn.pipe(created),
      error: failures.save
    }).annotateMerge(
      forVisitors(
        "Make the account that an invitation is for, and sign in to it",
        "Once for each invitation. The account gets the invitation's address, and `email` may be left out or repeat it. " +
          "Only the link that opens the first operator's account names none: then `email` is needed, and 409 if it has an " +
          "account. An invitation whose address has an account is 401, like one that was used."
      )
    ),
    HttpApiEndpoint.post("showInvitation", "/v1/admin/account/invitation", {
      payload: Schema.Struct({ token: InvitationToken }),
      success: Data(ShownInvitation),
      error: failures.write
    }).annotateMerge(
      forVisitors(
        "Show what an invitation is for, to whoever has its token",
        "Looking does not use it up. It counts as an attempt of the address, as accepting does."
      )
    ),
    HttpApiEndpoint.get("getOwnAccount", "/v1/admin/account", {
      success: Data(Account),
      error: failures.read
    }).annotateMerge(forManagers("Show one's own account")),
    HttpApiEndpoint.patch("renameOwnAccount", "/v1/admin/account", {
      payload: Schema.Struct({ name: Text(100) }),
      success: Data(Account),
      error: failures.write
    }).annotateMerge(forManagers("Change one's own name")),
    HttpApiEndpoint.post("changePassword", "/v1/admin/account/password", {
      payload: Schema.Struct({ present_password: Password, password: Password }),
      success: SignedIn,
      error: failures.write
    }).annotateMerge(forManagers("Change one's own password; ends all sessions and starts a new one")),
    HttpApiEndpoint.post("signOut", "/v1/admin/account/sign-out", {
      success: SignedOut,
      error: failures.read
    }).annotateMerge(forManagers("End this session")),
    HttpApiEndpoint.post("signOutEverywhere", "/v1/admin/account/sign-out-everywhere", {
      success: SignedOut,
      error: failures.read
    }).annotateMerge(forManagers("End all sessions of one's own account"))
  )
  .annotate(OpenApi.Title, "Account")
  .annotate(
    OpenApi.Description,
    "One's own account in the console. Its session is a cookie, which counts for the management API alone, and only on " +
      "requests of the service's own pages."
  )
