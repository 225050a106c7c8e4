import { accountLimits, organizationLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { send } from "../../client/send.ts"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { linkToken, redirectTo } from "../../router/address.ts"
import { enter } from "../../state/session.ts"
import { LinkLost } from "./LinkLost.tsx"

/** The page of the link of a sign-up: opens the account and the organization. */
export const ConfirmSignUpScreen = () => {
  const token = linkToken.value
  return token === undefined ? <LinkLost /> : <ConfirmForm token={token} />
}

const ConfirmForm = ({ token }: { readonly token: string }) => {
  const password = useSignal("")
  const name = useSignal("")
  const organization = useSignal("")
  const confirm = async () => {
    const body = { token, password: password.value, name: name.value, organization_name: organization.value }
    const { account } = await send("POST /v1/admin/account/sign-up/confirm", { body })
    linkToken.value = undefined
    redirectTo(`/organizations/${account.memberships[0]?.organization_id}`)
    enter(account)
  }
  return (
    <>
      <PageHeader title="Open your organization" />
      <p>This confirms your address. Enter two names and your password.</p>
      <Form onSubmit={confirm} submit="Open the organization">
        <TextField
          label="Your name"
          autocomplete="name"
          name="name"
          value={name}
          maxLength={accountLimits.name}
          hasFocus
        />
        <TextField
          label="Name of the organization"
          hint="Your company or project. You can change it later."
          autocomplete="organization"
          name="organization_name"
          value={organization}
          maxLength={organizationLimits.name}
        />
        <TextField
          label="Password"
          hint="The one that you chose when you signed up: so nobody else can open an account with your address."
          type="password"
          autocomplete="current-password"
          name="password"
          value={password}
          maxLength={accountLimits.password}
        />
      </Form>
      <p class="muted">
        The link no longer works? <a href="#/">Sign in</a> if you have used it, or <a href="#/sign-up">sign up again</a>
      </p>
    </>
  )
}
