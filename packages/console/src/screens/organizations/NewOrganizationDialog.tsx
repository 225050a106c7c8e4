import { organizationLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { goTo } from "../../router/address.ts"
import { call } from "../../state/session.ts"

/** Creates an organization and opens it. */
export const NewOrganizationDialog = () => {
  const name = useSignal("")
  const create = async () => {
    const { id } = await call("POST /v1/admin/organizations", { body: { name: name.value } })
    goTo(`/organizations/${id}`)
  }
  return (
    <FormDialog title="Create an organization" submit="Create organization" isLocked onSubmit={create}>
      <TextField
        label="Name"
        hint="You can change it later."
        name="name"
        value={name}
        maxLength={organizationLimits.name}
        hasFocus
      />
    </FormDialog>
  )
}
