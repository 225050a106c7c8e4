import { acceptInvitation } from "@postcode/gateway/accounts/invitations/acceptInvitation"
import { joinByInvitation } from "@postcode/gateway/accounts/invitations/joinByInvitation"
import { showInvitation } from "@postcode/gateway/accounts/invitations/showInvitation"
import { mailPreferences } from "@postcode/gateway/accounts/mailPreferences"
import { manageAccounts } from "@postcode/gateway/accounts/manageAccounts"
import { ownAccount } from "@postcode/gateway/accounts/ownAccount"
import { ownAddress } from "@postcode/gateway/accounts/ownAddress"
import { ownOrganizations } from "@postcode/gateway/accounts/ownOrganizations"
import { signIn } from "@postcode/gateway/accounts/sessions/signIn"
import { openOrganization } from "@postcode/gateway/accounts/signUp/confirmSignUp"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import { Effect, Redacted } from "effect"
import { setSessionCookie } from "../../input/ManagerCredential.ts"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { asData } from "../asData.ts"
import { deviceLoginHandlers } from "./deviceLogins.ts"
import { signedIn } from "./signedIn.ts"
import { sent, signUpHandlers } from "./signUp.ts"

/** The contract makes each of them for visitors or for managers; see `Dispatch`. */
export const ownAccountHandlers = Effect.gen(function* () {
  const accept = yield* acceptInvitation
  const show = yield* showInvitation
  const enter = yield* signIn
  const own = yield* ownAccount
  const mail = yield* mailPreferences
  const join = yield* joinByInvitation
  const organizations = yield* ownOrganizations
  const { leave } = yield* manageAccounts
  const address_ = yield* ownAddress
  const { another } = yield* openOrganization

  const handlers: GroupHandlers<"account"> = {
    signIn: ({ address, payload: { email, password } }) =>
      Effect.map(enter({ email, password: Redacted.make(password), address: address() }), signedIn),
    acceptInvitation: ({ address, payload: { email, name, password, token } }) =>
      Effect.map(
        accept({ token: Redacted.make(token), email, name, password: Redacted.make(password), address: address() }),
        signedIn
      ),
    showInvitation: ({ address, payload: { token } }) =>
      Effect.map(show({ token: Redacted.make(token), address: address() }), asData),
    joinByInvitation: ({ address, manager, payload: { token } }) =>
      Effect.map(join({ token: Redacted.make(token), address: address() }, manager as Manager), asData),
    listOwnOrganizations: ({ manager }) =>
      Effect.map(organizations(manager as Manager), (list) => ({ data: { organizations: list } })),
    leaveOrganization: ({ manager, params: { id } }) => Effect.as(leave(id, manager as Manager), { data: { id } }),
    openOrganization: ({ manager, payload: { name } }) => Effect.map(another(name, manager as Manager), asData),
    changeAddress: ({ address, manager, payload: { email, present_password } }) =>
      Effect.as(
        address_.request({ email, present: Redacted.make(present_password), address: address() }, manager as Manager),
        sent
      ),
    ...(yield* signUpHandlers),
    ...(yield* deviceLoginHandlers),
    getOwnAccount: ({ manager }) => Effect.map(own.get(manager as Manager), asData),
    renameOwnAccount: ({ manager, payload }) => Effect.map(own.rename(payload.name, manager as Manager), asData),
    changePassword: ({ address, manager, payload: { password, present_password } }) =>
      Effect.map(
        own.changePassword(
          { present: Redacted.make(present_password), next: Redacted.make(password), address: address() },
          manager as Manager
        ),
        signedIn
      ),
    signOut: ({ manager }) => Effect.as(own.signOut(manager as Manager), signedOut),
    signOutEverywhere: ({ manager }) => Effect.as(own.signOutEverywhere(manager as Manager), signedOut),
    getMailPreferences: ({ manager }) => Effect.map(mail.get(manager as Manager), (notices) => ({ data: { notices } })),
    setMailPreferences: ({ manager, payload: { off } }) =>
      Effect.map(mail.set(off, manager as Manager), (notices) => ({ data: { notices } })),
    unsubscribe: ({ query: { token } }) => Effect.map(mail.unsubscribe(Redacted.make(token)), asData)
  }
  return handlers
})

const signedOut = { data: { signed_out: true as const }, cookie: setSessionCookie(undefined) }
