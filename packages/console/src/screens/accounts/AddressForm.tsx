import { accountLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { call } from "../../state/session.ts"

/** Asks for another address, which has to confirm it. */
export const AddressForm = () => {
  const email = useSignal("")
  const present = useSignal("")
  const change = async () => {
    const body = { email: email.value, present_password: present.value }
    await call("POST /v1/admin/account/address", { body })
    present.value = ""
    return `A link is on its way to ${email.value}`
  }
  return (
    <Form onSubmit={change} submit="Send the link" kind="plain">
      <TextField
        label="New email"
        type="email"
        autocomplete="off"
        name="email"
        value={email}
        maxLength={accountLimits.email}
      />
      <TextField
        label="Your password"
        type="password"
        autocomplete="current-password"
        name="present_password"
        value={present}
      />
    </Form>
  )
}
