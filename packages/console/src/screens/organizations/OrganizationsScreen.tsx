import { usePages } from "../../hooks/usePages.ts"
import { KybBadge } from "../../kit/data/KybBadge.tsx"
import { verifiedBusiness } from "../../kit/data/organizationFacts.tsx"
import { organizationStates, StatusBadge } from "../../kit/data/StatusBadge.tsx"
import { Time } from "../../kit/data/Time.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Button } from "../../kit/forms/Button.tsx"
import { SelectField } from "../../kit/forms/Field.tsx"
import { Filters } from "../../kit/forms/Filters.tsx"
import { SearchBox } from "../../kit/forms/SearchBox.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { query } from "../../router/address.ts"
import { queryField } from "../../router/queryField.ts"
import type { Organization } from "../../state/organization.ts"
import { may } from "../../state/permissions.ts"
import { NewOrganizationDialog } from "./NewOrganizationDialog.tsx"

/** The organizations of the instance, newest first. */
export const OrganizationsScreen = () => {
  const name = query.value.get("name") ?? ""
  const status = statuses.find((each) => each === statusField.value)
  const pages = usePages("GET /v1/admin/organizations", {
    query: { limit: 20, ...(name !== "" && { name }), ...(status !== undefined && { status }) }
  })
  const create = may("createOrganization") && (
    <Button kind="primary" icon="plus" onClick={() => openDialog(<NewOrganizationDialog />)}>
      Create organization
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Organizations"
        lead="The customers of this service. Each has its own members, keys and credits."
      >
        {create}
      </PageHeader>
      <Section
        title={name === "" ? "Newest first" : `Names with “${name}”`}
        actions={<SearchBox name="name" label="Part of the name" placeholder="Name" />}
      >
        <Filters label="Filter organizations">
          <SelectField label="Status" value={statusField} options={statusOptions} />
        </Filters>
        <Table
          caption="Organizations"
          loaded={pages}
          rows={pages.data?.organizations}
          keyOf={({ id }) => id}
          empty={
            name === "" && status === undefined ? (
              <>
                <p>No organizations yet. Create the first one, then invite its members.</p>
                {create}
              </>
            ) : (
              <p>
                No organization has this {status === undefined ? "name" : name === "" ? "status" : "name and status"}.
              </p>
            )
          }
          columns={[
            { head: "Name", cell: ({ id, name }) => <a href={`#/organizations/${id}`}>{name}</a> },
            { head: "Id", cell: ({ id }) => id },
            { head: "Verified business", cell: BusinessCell },
            { head: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
            { head: "Verification", cell: ({ kyb_status }) => <KybBadge status={kyb_status} /> },
            { head: "Access level", cell: ({ granted_level }) => granted_level, isNumber: true },
            { head: "Created", cell: ({ created_at }) => <Time at={created_at} /> }
          ]}
        />
      </Section>
    </>
  )
}

const BusinessCell = (organization: Organization) => (
  <>
    {verifiedBusiness(organization) ?? "–"}
    {organization.verified_name !== undefined && (
      <span class="secondary">renamed since verification from “{organization.verified_name}”</span>
    )}
  </>
)

const statusField = queryField("status")
const statuses = ["active", "suspended", "closed"] as const
const statusOptions = [
  ["", "Any"] as const,
  ...statuses.map((status) => [status, organizationStates[status][0]] as const)
]
