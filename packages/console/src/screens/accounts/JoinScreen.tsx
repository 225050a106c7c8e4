import { accountLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import type { DataOf } from "../../client/Contract.ts"
import { send } from "../../client/send.ts"
import { useWork } from "../../hooks/useLoad.ts"
import { Time } from "../../kit/data/Time.tsx"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { Button, ButtonLink } from "../../kit/forms/Button.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { linkToken, redirectTo } from "../../router/address.ts"
import { SignInForm } from "../../shell/SignInForm.tsx"
import { type Account, account, enter } from "../../state/session.ts"
import { LinkLost } from "../entrance/LinkLost.tsx"
import { NewPasswordField } from "./NewPasswordField.tsx"
import { roleNames } from "./roles.ts"

type Invitation = DataOf<"POST /v1/admin/account/invitation">

/** The page of an invitation link: creates an account, or joins with one. */
export const JoinScreen = () => {
  const token = linkToken.value
  const loaded = useWork(token, (signal) =>
    send("POST /v1/admin/account/invitation", { body: { token: token ?? "" } }, { signal })
  )
  if (token === undefined) return <LinkLost />
  return (
    <>
      <PageHeader title={loaded.data ? `Join as ${roleNames[loaded.data.role].toLowerCase()}` : "Join"} />
      <WhenLoaded loaded={loaded} waiting="Loading the invitation">
        {(invitation) => <Acceptance token={token} invitation={invitation} />}
      </WhenLoaded>
    </>
  )
}

interface AcceptanceProps {
  readonly token: string
  readonly invitation: Invitation
}

const Acceptance = ({ invitation, token }: AcceptanceProps) => {
  const own = account.value
  return (
    <>
      <p>
        {invitation.organization_name === undefined
          ? "You will run this instance: you see all organizations, review requests and grant credits."
          : `You will work with the keys and credits of ${invitation.organization_name}.`}{" "}
        The invitation expires <Time at={invitation.expires_at} />.
      </p>
      {own === undefined ? (
        <WithoutAccount token={token} invitation={invitation} />
      ) : (
        <WithAccount token={token} invitation={invitation} own={own} />
      )}
    </>
  )
}

/** For a signed-in account: it joins, if it is the invited one. */
const WithAccount = ({ invitation: { email }, own, token }: AcceptanceProps & { readonly own: Account }) => {
  const join = async () => {
    const joined = await send("POST /v1/admin/account/join", { body: { token } })
    account.value = joined
    linkToken.value = undefined
    const { organization_id } = joined.memberships.at(-1) ?? {}
    redirectTo(joined.is_operator || organization_id === undefined ? "/" : `/organizations/${organization_id}`)
  }
  if (email !== undefined && email !== own.email) {
    return (
      <Notice tone="warning" title={`You are signed in as ${own.email}`}>
        <p>The invitation is for {email}. Sign out, and open the link again.</p>
        <ButtonLink to="/account">Your account</ButtonLink>
      </Notice>
    )
  }
  return (
    <Form onSubmit={join} submit="Join">
      <p>You are signed in as {own.email}. Your account keeps its other organizations.</p>
    </Form>
  )
}

const WithoutAccount = ({ invitation, token }: AcceptanceProps) => {
  const hasAccount = useSignal(false)
  const isOpen = invitation.email === undefined
  return (
    <>
      {hasAccount.value ? (
        <SignInForm email={invitation.email ?? ""} />
      ) : (
        <NewAccountForm token={token} invitation={invitation} />
      )}
      <p class="muted">
        {hasAccount.value ? "You have no account yet?" : `You have an account${isOpen ? "" : " with this address"}?`}{" "}
        <Button kind="quiet" onClick={() => (hasAccount.value = !hasAccount.value)}>
          {hasAccount.value ? "Create one" : "Sign in to join"}
        </Button>
      </p>
    </>
  )
}

const NewAccountForm = ({ invitation, token }: AcceptanceProps) => {
  const name = useSignal("")
  const email = useSignal(invitation.email ?? "")
  const password = useSignal("")
  const isOpen = invitation.email === undefined
  const accept = async () => {
    const body = {
      token,
      name: name.value,
      password: password.value,
      ...(isOpen && { email: email.value })
    }
    const accepted = await send("POST /v1/admin/account/accept", { body })
    linkToken.value = undefined
    redirectTo("/")
    enter(accepted.account)
  }
  return (
    <>
      <Form onSubmit={accept} submit="Create account">
        <TextField
          label="Your name"
          autocomplete="name"
          name="name"
          value={name}
          maxLength={accountLimits.name}
          hasFocus
        />
        <TextField
          label="Email"
          hint={isOpen ? "You sign in with it." : "The invitation is for this address. You sign in with it."}
          type="email"
          autocomplete="username"
          name="email"
          value={email}
          maxLength={accountLimits.email}
          isReadOnly={!isOpen}
        />
        <NewPasswordField label="Password" value={password} />
      </Form>
      <p class="muted">You can add passkeys later.</p>
    </>
  )
}
