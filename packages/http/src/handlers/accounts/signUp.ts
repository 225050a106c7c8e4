import { forgottenPassword } from "@postcode/gateway/accounts/forgottenPassword"
import { ownAddress } from "@postcode/gateway/accounts/ownAddress"
import { openOrganization } from "@postcode/gateway/accounts/signUp/confirmSignUp"
import { manageSignUp } from "@postcode/gateway/accounts/signUp/manageSignUp"
import { acceptedVersions, type SignUpState, signUp } from "@postcode/gateway/accounts/signUp/signUp"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import { Effect, Redacted } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { asData } from "../asData.ts"
import { signedIn } from "./signedIn.ts"

/** The answer of every call that may send mail. */
export const sent = { data: { sent: true as const } }

/** For people without a session. */
export const signUpHandlers = Effect.gen(function* () {
  const sign = yield* signUp
  const { confirm } = yield* openOrganization
  const password = yield* forgottenPassword
  const own = yield* ownAddress

  const handlers: Pick<
    GroupHandlers<"account">,
    | "confirmAddress"
    | "confirmSignUp"
    | "requestPassword"
    | "requestSignUp"
    | "resetPassword"
    | "signUpState"
    | "undoAddress"
  > = {
    signUpState: () => Effect.map(sign.state, (state) => ({ data: shown(state) })),
    requestSignUp: ({ address, payload: { accepted, email, password } }) =>
      Effect.as(sign.request({ accepted, email, password: Redacted.make(password), address: address() }), sent),
    confirmSignUp: ({ address, payload: { password, token, ...names } }) =>
      Effect.map(confirm({ ...names, ...secretsOf({ password, token }), address: address() }), signedIn),
    requestPassword: ({ address, payload: { email } }) => Effect.as(password.request(email, address()), sent),
    resetPassword: ({ address, payload }) =>
      Effect.map(password.reset({ ...secretsOf(payload), address: address() }), signedIn),
    confirmAddress: ({ address, payload: { token } }) =>
      Effect.map(own.confirm({ token: Redacted.make(token), address: address() }), asData),
    undoAddress: ({ address, payload }) => Effect.map(own.undo({ ...secretsOf(payload), address: address() }), signedIn)
  }
  return handlers
})

/** For operators. */
export const signUpSwitchHandlers = Effect.gen(function* () {
  const manage = yield* manageSignUp

  const handlers: Pick<GroupHandlers<"accounts">, "getSignUp" | "stopSignUp"> = {
    getSignUp: ({ manager }) => Effect.map(manage.get(manager as Manager), asData),
    stopSignUp: ({ manager, payload }) => Effect.map(manage.stop(payload.is_stopped, manager as Manager), asData)
  }
  return handlers
})

const secretsOf = ({ password, token }: { readonly password: string; readonly token: string }) => ({
  password: Redacted.make(password),
  token: Redacted.make(token)
})

const shown = ({ closed, domains, isMailPrinted, sendsMail, terms: documents }: SignUpState) => ({
  is_open: closed === undefined,
  ...(closed !== undefined && { closed }),
  ...(domains !== undefined && { domains }),
  sends_mail: sendsMail,
  is_mail_printed: isMailPrinted,
  ...(documents.terms !== undefined && { terms: documents.terms }),
  ...(documents.privacy !== undefined && { privacy: documents.privacy }),
  accepted: acceptedVersions(documents)
})
