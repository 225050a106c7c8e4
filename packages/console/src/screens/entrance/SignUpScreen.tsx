import { accountLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import type { DataOf } from "../../client/Contract.ts"
import { send } from "../../client/send.ts"
import { useWork } from "../../hooks/useLoad.ts"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { ButtonLink } from "../../kit/forms/Button.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { NewPasswordField } from "../accounts/NewPasswordField.tsx"
import { SentNotice } from "./SentNotice.tsx"

type SignUpState = DataOf<"GET /v1/admin/account/sign-up">

/** A stranger opens an account: the address is confirmed by mail. */
export const SignUpScreen = () => {
  const loaded = useWork("sign-up", (signal) => send("GET /v1/admin/account/sign-up", {}, { signal }))
  return (
    <>
      <PageHeader title="Create an account" />
      <WhenLoaded loaded={loaded}>
        {(state) => (state.is_open ? <SignUpForm state={state} /> : <Closed reason={state.closed} />)}
      </WhenLoaded>
    </>
  )
}

const Closed = ({ reason }: { readonly reason: SignUpState["closed"] }) => (
  <>
    <Notice tone="warning" title="Nobody can sign up here now">
      <p>
        {reason === "no_mail"
          ? "This service sends no mail, which sign-up needs. Ask its operator for an invitation."
          : reason === "stopped"
            ? "The operator of this service has stopped sign-ups. Try again later, or ask for an invitation."
            : "This service takes no sign-ups. Ask its operator for an invitation."}
      </p>
    </Notice>
    <div class="actions">
      <ButtonLink to="/">Sign in</ButtonLink>
    </div>
  </>
)

const SignUpForm = ({ state }: { readonly state: SignUpState }) => {
  const email = useSignal("")
  const password = useSignal("")
  const sentTo = useSignal<string | undefined>(undefined)
  const signUp = async () => {
    const body = { email: email.value, password: password.value, accepted: state.accepted }
    await send("POST /v1/admin/account/sign-up", { body })
    sentTo.value = email.value.trim()
  }
  if (sentTo.value !== undefined) {
    return (
      <SentNotice
        email={sentTo.value}
        lifetime="24 hours"
        isPrinted={state.is_mail_printed}
        onAgain={() => {
          sentTo.value = undefined
        }}
      />
    )
  }
  return (
    <>
      <p>An organization with test credits of its own: your first answer is two minutes away.</p>
      <Form onSubmit={signUp} submit="Continue">
        <TextField
          label="Email"
          hint={state.domains ? `Only addresses of ${state.domains.join(", ")}.` : "You confirm it with a link."}
          type="email"
          autocomplete="username"
          name="email"
          value={email}
          maxLength={accountLimits.email}
          hasFocus
        />
        <NewPasswordField label="Password" value={password} />
        <Documents state={state} />
      </Form>
      <p class="muted">
        You have an account? <a href="#/">Sign in</a>
      </p>
    </>
  )
}

const Documents = ({ state: { privacy, terms } }: { readonly state: SignUpState }) => {
  if (terms === undefined && privacy === undefined) return null
  return (
    <p class="muted">
      By continuing, you accept{" "}
      {terms && (
        <a href={terms.url} target="_blank" rel="noreferrer">
          the terms of {terms.version}
        </a>
      )}
      {terms && privacy && " and "}
      {privacy && (
        <a href={privacy.url} target="_blank" rel="noreferrer">
          the privacy policy of {privacy.version}
        </a>
      )}
      .
    </p>
  )
}
