import { organizationLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { type Organization, reloadOrganization } from "../../state/organization.ts"
import { call } from "../../state/session.ts"

/** Renames an organization. */
export const RenameOrganizationDialog = ({ organization }: { readonly organization: Organization }) => {
  const name = useSignal(organization.name)
  const rename = async () => {
    await call("PUT /v1/admin/organizations/:id/name", { params: { id: organization.id }, body: { name: name.value } })
    await reloadOrganization()
    return "Renamed"
  }
  return (
    <FormDialog title="Rename the organization" submit="Rename" onSubmit={rename}>
      <TextField label="Name" name="name" value={name} maxLength={organizationLimits.name} hasFocus />
    </FormDialog>
  )
}
