/** Signing up, a forgotten password, and the links that are sent by mail. */
import { accountLimits, organizationLimits } from "@postcode/gateway/InputLimits"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { accepted, created, Data, Timestamp } from "../answers.ts"
import { forVisitors } from "../documented.ts"
import { failures } from "../errors.ts"
import { Text } from "../parameters.ts"
import { Email, MemberRole } from "./accounts.ts"

export const Password = Schema.String.check(
  Schema.isMaxLength(accountLimits.password, { message: `expected at most ${accountLimits.password} characters` })
).annotate({ description: `A new password has ${accountLimits.minPassword} to ${accountLimits.password} characters.` })
export const Account = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  name: Schema.String,
  is_operator: Schema.Boolean.annotate({ description: "Whether the account runs the instance." }),
  memberships: Schema.Array(
    Schema.Struct({ organization_id: Schema.String, role: MemberRole, joined_at: Timestamp })
  ).annotate({ description: "In the order of joining. Only an operator may have none." }),
  created_at: Timestamp
}).annotate({ identifier: "Account", description: "A person who signs in to the console." })
/** The response that starts a console session; the token is in the cookie. */
export const SignedIn = Data(Schema.Struct({ account: Account }))
/** The answer of a call that sends mail, or does not: nothing shows which. */
export const Sent = Data(Schema.Struct({ sent: Schema.Literal(true) }))

const LinkToken = Schema.String.check(
  Schema.isPattern(/^[0-9A-Za-z]{43}$/u, { message: "expected the token from the link in the mail" })
)
const Document = Schema.Struct({ url: Schema.String, version: Schema.String })
const SignUpState = Schema.Struct({
  is_open: Schema.Boolean,
  closed: Schema.optionalKey(Schema.Literals(["no_mail", "off", "stopped"])).annotate({
    description: "Why nobody can sign up: by the settings, without mail, or because an operator stopped it."
  }),
  domains: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description: "The only domains whose addresses may sign up; absent for any."
  }),
  sends_mail: Schema.Boolean.annotate({ description: "Whether the service sends mail, such as to reset a password." }),
  is_mail_printed: Schema.Boolean.annotate({
    description: "Whether the service prints mail in place of sending it, as the demonstration does."
  }),
  terms: Schema.optionalKey(Document),
  privacy: Schema.optionalKey(Document),
  accepted: Schema.String.annotate({ description: "What a sign-up sends as `accepted`; empty without documents." })
}).annotate({ identifier: "SignUpState", description: "Whether and how a person can sign up." })

const sameForAll = "The answer, and the time that it takes, do not depend on whether the address has an account."

/** The endpoints of `OwnAccount` for people without a session. */
export const signUpEndpoints = [
  HttpApiEndpoint.get("signUpState", "/v1/admin/account/sign-up", {
    success: Data(SignUpState),
    error: failures.read
  }).annotateMerge(forVisitors("Show whether and how a person can sign up")),
  HttpApiEndpoint.post("requestSignUp", "/v1/admin/account/sign-up", {
    payload: Schema.Struct({ email: Email, password: Password, accepted: Schema.optionalKey(Schema.String) }),
    success: Sent.pipe(accepted),
    error: failures.write
  }).annotateMerge(
    forVisitors(
      "Sign up: send a link to an address",
      `The link opens the account, once, within 24 hours. An address that has one gets a mail that says so. ${sameForAll}`
    )
  ),
  HttpApiEndpoint.post("confirmSignUp", "/v1/admin/account/sign-up/confirm", {
    payload: Schema.Struct({
      token: LinkToken,
      password: Password,
      name: Text(accountLimits.name),
      organization_name: Text(organizationLimits.name)
    }),
    success: SignedIn.pipe(created),
    error: failures.write
  }).annotateMerge(
    forVisitors(
      "Open the account and the organization of a sign-up, and sign in",
      "Works once. `password` is the password that was set at the sign-up: another one gets 400, and the link stays valid."
    )
  ),
  HttpApiEndpoint.post("requestPassword", "/v1/admin/account/forgotten-password", {
    payload: Schema.Struct({ email: Email }),
    success: Sent.pipe(accepted),
    error: failures.write
  }).annotateMerge(
    forVisitors("Send a link that resets the password", `The link works once, within 30 minutes. ${sameForAll}`)
  ),
  HttpApiEndpoint.post("resetPassword", "/v1/admin/account/reset-password", {
    payload: Schema.Struct({ token: LinkToken, password: Password }),
    success: SignedIn,
    error: failures.write
  }).annotateMerge(
    forVisitors("Reset the password with a link, and sign in", "Ends all sessions of the account. Passkeys stay.")
  ),
  HttpApiEndpoint.post("confirmAddress", "/v1/admin/account/address/confirm", {
    payload: Schema.Struct({ token: LinkToken }),
    success: Data(Schema.Struct({ email: Schema.String })),
    error: failures.write
  }).annotateMerge(
    forVisitors("Set a new email address with a link", "The former address gets a link that undoes it for 7 days.")
  ),
  HttpApiEndpoint.post("undoAddress", "/v1/admin/account/address/undo", {
    payload: Schema.Struct({ token: LinkToken, password: Password }),
    success: SignedIn,
    error: failures.save
  }).annotateMerge(
    forVisitors(
      "Set the former email address again, with a new password, and sign in",
      "Ends all sessions of the account. Passkeys stay: remove those that are not yours."
    )
  )
] as const
