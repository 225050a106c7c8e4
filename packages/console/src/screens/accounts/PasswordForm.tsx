import { useSignal } from "@preact/signals"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { call, enter } from "../../state/session.ts"
import { NewPasswordField } from "./NewPasswordField.tsx"

/** Changes the user's own password. */
export const PasswordForm = ({ email }: { readonly email: string }) => {
  const present = useSignal("")
  const next = useSignal("")
  const change = async () => {
    const body = { present_password: present.value, password: next.value }
    enter((await call("POST /v1/admin/account/password", { body })).account)
    present.value = ""
    next.value = ""
    return "The password was changed"
  }
  return (
    <Form onSubmit={change} submit="Change password" kind="plain">
      {/* Tells password managers the account. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label="Current password"
        type="password"
        autocomplete="current-password"
        name="present_password"
        value={present}
      />
      <NewPasswordField label="New password" value={next} />
    </Form>
  )
}
