import { accountLimits, organizationLimits } from "@postcode/gateway/InputLimits"
import { isOptional, noticeKindNames } from "@postcode/gateway/notices/Notice"
import { organizationStatuses } from "@postcode/gateway/organizations/Organization"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { accepted, created, Data, Timestamp } from "../answers.ts"
import { documented, forManagers, forVisitors } from "../documented.ts"
import { failures } from "../errors.ts"
import { byIdOrConflict } from "../oneResource.ts"
import { oneOf, Text } from "../parameters.ts"
import { Email, MemberRole, Role } from "./accounts.ts"
import { deviceLoginEndpoints } from "./deviceLogins.ts"
import { Account, Password, Sent, SignedIn, signUpEndpoints } from "./signUp.ts"

const InvitationToken = Schema.String.check(
  Schema.isPattern(/^[0-9A-Za-z]{43}$/u, { message: "expected the token from the link of an invitation" })
)
const ShownInvitation = Schema.Struct({
  role: Role,
  email: Schema.optionalKey(Schema.String).annotate({
    description: "The email address of the account. Absent only for the first operator's link."
  }),
  organization_name: Schema.optionalKey(Schema.String),
  expires_at: Timestamp
}).annotate({ identifier: "ShownInvitation", description: "An invitation, for the person who opens its link." })
const OptionalNoticeKind = oneOf(noticeKindNames.filter(isOptional))
const MailPreferences = Data(
  Schema.Struct({
    notices: Schema.Array(Schema.Struct({ kind: OptionalNoticeKind, is_on: Schema.Boolean })).annotate({
      description: "The kinds that your roles get."
    })
  })
)
const MailToken = Schema.String.check(
  Schema.isPattern(/^[0-9]{1,6}\.[0-9A-Za-z_-]{40,400}$/u, { message: "expected the token from the link of a mail" })
)
const OwnOrganization = Schema.Struct({
  organization_id: Schema.String,
  organization_name: Schema.String,
  status: Schema.Literals(organizationStatuses),
  role: MemberRole,
  joined_at: Timestamp
}).annotate({ identifier: "OwnOrganization", description: "A membership of your account." })
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
        "The response sets the session's cookie. It is the same for a wrong password and an unknown email. Limits per " +
          "minute: 10 attempts of an address at one account, 20 at all accounts, and 60 at one account from all addresses."
      )
    ),
    HttpApiEndpoint.post("acceptInvitation", "/v1/admin/account/accept", {
      payload: Schema.Struct({
        token: InvitationToken,
        email: Schema.optionalKey(Email),
        name: Text(accountLimits.name),
        password: Password
      }),
      success: SignedIn.pipe(created),
      error: failures.save
    }).annotateMerge(
      forVisitors(
        "Accept an invitation: create the account and sign in to it",
        "Works once per invitation. The account gets the invitation's address; `email` may be absent or repeat it. " +
          "The first operator's link has no address: then `email` is required, and an address with an account gets 409. " +
          "An invitation whose address has an account gets 401, as a used one does."
      )
    ),
    HttpApiEndpoint.post("showInvitation", "/v1/admin/account/invitation", {
      payload: Schema.Struct({ token: InvitationToken }),
      success: Data(ShownInvitation),
      error: failures.write
    }).annotateMerge(
      forVisitors(
        "Show an invitation by its token",
        "This does not use up the invitation. It counts as an attempt of the address, as accepting does."
      )
    ),
    HttpApiEndpoint.post("joinByInvitation", "/v1/admin/account/join", {
      payload: Schema.Struct({ token: InvitationToken }),
      success: Data(Account),
      error: failures.save
    }).annotateMerge(
      forManagers(
        "Accept an invitation with your account",
        "Your account gets the invitation's role, beside those that it has. An invitation for another address, or to an " +
          "organization that you belong to, gets 409 and stays valid."
      )
    ),
    HttpApiEndpoint.get("listOwnOrganizations", "/v1/admin/account/organizations", {
      success: Data(Schema.Struct({ organizations: Schema.Array(OwnOrganization) })),
      error: failures.read
    }).annotateMerge(
      forManagers(
        "List your organizations",
        "A session of an account of several organizations names one in each request: in the path, or in the header " +
          "`X-Organization`."
      )
    ),
    HttpApiEndpoint.post("openOrganization", "/v1/admin/account/organizations", {
      payload: Schema.Struct({ name: Text(organizationLimits.name) }),
      success: Data(Account).pipe(created),
      error: failures.save
    }).annotateMerge(
      forManagers(
        "Open another organization, and become its owner",
        "Where the service takes sign-ups. An account can own 5 organizations that it opened by itself or was given."
      )
    ),
    HttpApiEndpoint.post("changeAddress", "/v1/admin/account/address", {
      payload: Schema.Struct({ email: Email, present_password: Password }),
      success: Sent.pipe(accepted),
      error: failures.write
    }).annotateMerge(
      forManagers(
        "Change your email address",
        "Sends a link to the new address, which changes nothing until it is opened. The answer does not depend on whether " +
          "the address has an account."
      )
    ),
    HttpApiEndpoint.delete("leaveOrganization", "/v1/admin/account/organizations/:id", {
      ...byIdOrConflict,
      success: Data(Schema.Struct({ id: Schema.String }))
    }).annotateMerge(
      forManagers(
        "Leave an organization",
        "Its last owner gets 409. An account that then belongs to nothing is removed, with its sessions."
      )
    ),
    ...signUpEndpoints,
    HttpApiEndpoint.get("getOwnAccount", "/v1/admin/account", {
      success: Data(Account),
      error: failures.read
    }).annotateMerge(forManagers("Show your account")),
    HttpApiEndpoint.patch("renameOwnAccount", "/v1/admin/account", {
      payload: Schema.Struct({ name: Text(accountLimits.name) }),
      success: Data(Account),
      error: failures.write
    }).annotateMerge(forManagers("Change your name")),
    HttpApiEndpoint.post("changePassword", "/v1/admin/account/password", {
      payload: Schema.Struct({ present_password: Password, password: Password }),
      success: SignedIn,
      error: failures.write
    }).annotateMerge(forManagers("Change your password, end all sessions, and start a new one")),
    HttpApiEndpoint.post("signOut", "/v1/admin/account/sign-out", {
      success: SignedOut,
      error: failures.read
    }).annotateMerge(forManagers("End this session")),
    HttpApiEndpoint.post("signOutEverywhere", "/v1/admin/account/sign-out-everywhere", {
      success: SignedOut,
      error: failures.read
    }).annotateMerge(forManagers("End all sessions of your account")),
    HttpApiEndpoint.get("getMailPreferences", "/v1/admin/account/mail", {
      success: MailPreferences,
      error: failures.read
    }).annotateMerge(forManagers("Show which mail you get, of the kinds that you can switch off")),
    HttpApiEndpoint.put("setMailPreferences", "/v1/admin/account/mail", {
      payload: Schema.Struct({
        off: Schema.Array(OptionalNoticeKind).check(Schema.isUnique({ message: "expected each kind once" }))
      }),
      success: MailPreferences,
      error: failures.write
    }).annotateMerge(forManagers("Set which kinds of mail are off; all others are on")),
    ...deviceLoginEndpoints,
    HttpApiEndpoint.post("unsubscribe", "/v1/mail/unsubscribe", {
      query: { token: MailToken },
      success: Data(Schema.Struct({ kind: OptionalNoticeKind })),
      error: failures.read
    }).annotateMerge(
      documented(
        "Switch off one kind of mail with the link of a mail",
        "Mail programs send this when a person unsubscribes (RFC 8058). It needs no credential, and ignores the body."
      )
    )
  )
  .annotate(OpenApi.Title, "Account")
  .annotate(
    OpenApi.Description,
    "Your account in the console. Its session is a cookie, which is valid only for the management API and only for " +
      "requests from the service's own pages."
  )
