import { accountLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { type Account, call, account as current } from "../../state/session.ts"

/** Changes the account's name. */
export const NameForm = ({ account }: { readonly account: Account }) => {
  const name = useSignal(account.name)
  const save = async () => {
    current.value = await call("PATCH /v1/admin/account", { body: { name: name.value } })
    return "Saved"
  }
  return (
    <Form onSubmit={save} submit="Save name" kind="plain">
      <TextField label="Name" autocomplete="name" name="name" value={name} maxLength={accountLimits.name} />
    </Form>
  )
}
