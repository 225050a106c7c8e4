import { accountLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { send } from "../../client/send.ts"
import { useWork } from "../../hooks/useLoad.ts"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { SentNotice } from "./SentNotice.tsx"

/** Sends a link that resets the password. */
export const ForgottenScreen = () => {
  const email = useSignal("")
  const sentTo = useSignal<string | undefined>(undefined)
  const state = useWork("sign-up", (signal) => send("GET /v1/admin/account/sign-up", {}, { signal }))
  const request = async () => {
    await send("POST /v1/admin/account/forgotten-password", { body: { email: email.value } })
    sentTo.value = email.value.trim()
  }
  return (
    <>
      <PageHeader title="Reset your password" />
      {sentTo.value === undefined ? (
        <>
          <p>You get a link by mail. Your passkeys keep working.</p>
          <Form onSubmit={request} submit="Send the link">
            <TextField
              label="Email"
              type="email"
              autocomplete="username"
              name="email"
              value={email}
              maxLength={accountLimits.email}
              hasFocus
            />
          </Form>
          <p class="muted">
            <a href="#/">Back to sign-in</a>
          </p>
        </>
      ) : (
        <SentNotice
          email={sentTo.value}
          lifetime="30 minutes"
          isPrinted={state.data?.is_mail_printed === true}
          needsAccount
          onAgain={() => {
            sentTo.value = undefined
          }}
        />
      )}
    </>
  )
}
