import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { DataOf } from "../../client/Contract.ts"
import { messageOn } from "../../client/Problem.ts"
import { send } from "../../client/send.ts"
import { useAction } from "../../hooks/useAction.ts"
import { Time } from "../../kit/data/Time.tsx"
import { Loading } from "../../kit/feedback/Loading.tsx"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { ButtonLink } from "../../kit/forms/Button.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { joinToken, redirectTo } from "../../router/address.ts"
import { account, enter } from "../../state/session.ts"
import { NewPasswordField } from "./NewPasswordField.tsx"
import { roleNames } from "./roles.ts"

type Invitation = DataOf<"POST /v1/admin/account/invitation">

/** The page of an invitation link: creates an account. */
export const JoinScreen = () => {
  const token = joinToken.value
  const invitation = useSignal<Invitation | undefined>(undefined)
  const look = useAction(async () => {
    if (token !== undefined) invitation.value = await send("POST /v1/admin/account/invitation", { body: { token } })
  })
  useEffect(() => {
    void look.run()
  }, [token])
  if (token === undefined) return <NoToken />
  return (
    <>
      <PageHeader title={invitation.value ? `Join as ${roleNames[invitation.value.role].toLowerCase()}` : "Join"} />
      {look.isBusy && <Loading>Looking at the invitation</Loading>}
      <ProblemNotice problem={look.problem} onRetry={look.run} />
      {invitation.value && <Acceptance token={token} invitation={invitation.value} />}
    </>
  )
}

/** After a reload the token, which was only in memory, is lost. */
const NoToken = () => (
  <>
    <PageHeader title="Open the link again" />
    <p>The invitation’s link counts once it is opened. If it was used already, sign in.</p>
    <ButtonLink to="/">Sign in</ButtonLink>
  </>
)

interface AcceptanceProps {
  readonly token: string
  readonly invitation: Invitation
}

const Acceptance = ({ invitation, token }: AcceptanceProps) => {
  const name = useSignal("")
  const email = useSignal("")
  const password = useSignal("")
  const action = useAction(async () => {
    const body = {
      token,
      name: name.value,
      password: password.value,
      ...(invitation.email === undefined && { email: email.value })
    }
    const accepted = await send("POST /v1/admin/account/accept", { body })
    joinToken.value = undefined
    redirectTo("/")
    enter(accepted.account)
  })
  const { problem } = action
  return (
    <>
      <p>
        {invitation.organization_name === undefined
          ? "You will run this instance: see every organization, review, and grant credits."
          : `You will work with the keys and credits of ${invitation.organization_name}.`}{" "}
        The invitation expires <Time at={invitation.expires_at} />.
      </p>
      {account.value && (
        <Notice tone="warning" title={`You are signed in as ${account.value.email}`}>
          <p>This makes another account, and signs you in to it.</p>
        </Notice>
      )}
      <Form action={action} submit="Make account">
        <TextField
          label="Your name"
          autocomplete="name"
          value={name}
          maximumLength={100}
          error={messageOn(problem, "name")}
          hasFocus
        />
        {invitation.email === undefined ? (
          <TextField
            label="Email"
            hint="To sign in with. Nothing is sent to it."
            type="email"
            autocomplete="username"
            value={email}
            maximumLength={254}
            error={messageOn(problem, "email")}
          />
        ) : (
          <TextField
            label="Email"
            hint="The invitation is for this address: sign in with it."
            type="email"
            autocomplete="username"
            value={{ value: invitation.email }}
            isReadOnly
          />
        )}
        <NewPasswordField label="Password" value={password} error={messageOn(problem, "password")} />
      </Form>
      <p class="muted">Passkeys can be added to the account afterwards.</p>
    </>
  )
}
