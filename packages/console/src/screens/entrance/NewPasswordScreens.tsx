import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { send } from "../../client/send.ts"
import { announce } from "../../kit/feedback/announce.ts"
import { Form } from "../../kit/forms/Form.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { linkToken, redirectTo } from "../../router/address.ts"
import { enter } from "../../state/session.ts"
import { NewPasswordField } from "../accounts/NewPasswordField.tsx"
import { LinkLost } from "./LinkLost.tsx"

/** The page of a link that resets the password. */
export const ResetScreen = () => (
  <NewPassword
    route="POST /v1/admin/account/reset-password"
    title="Choose a new password"
    submit="Set the password"
    another="/forgotten"
  >
    <p>This signs you out everywhere else. Your passkeys keep working.</p>
  </NewPassword>
)

/** The page of a link that undoes a change of the address. */
export const UndoAddressScreen = () => (
  <NewPassword
    route="POST /v1/admin/account/address/undo"
    title="Get your address back"
    submit="Undo the change and set the password"
  >
    <p>
      Your account gets back the address to which the link was sent, and a new password. Everybody who uses the account
      now is signed out. Then look at your passkeys, and remove those that are not yours.
    </p>
  </NewPassword>
)

interface NewPasswordProps {
  readonly route: "POST /v1/admin/account/address/undo" | "POST /v1/admin/account/reset-password"
  readonly title: string
  readonly submit: string
  /** The page that sends another link, if there is one. */
  readonly another?: string
  readonly children: ComponentChildren
}

const NewPassword = ({ another, children, route, submit, title }: NewPasswordProps) => {
  const password = useSignal("")
  const token = linkToken.value
  if (token === undefined) return <LinkLost />
  const set = async () => {
    const { account } = await send(route, { body: { token, password: password.value } })
    linkToken.value = undefined
    redirectTo("/account")
    enter(account)
    announce("Your password is set")
  }
  return (
    <>
      <PageHeader title={title} />
      {children}
      <Form onSubmit={set} submit={submit}>
        <NewPasswordField label="New password" value={password} />
      </Form>
      {another !== undefined && (
        <p class="muted">
          The link no longer works? <a href={`#${another}`}>Request another one</a>
        </p>
      )}
    </>
  )
}
