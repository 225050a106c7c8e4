import { keyLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { useAllPages } from "../../hooks/useAllPages.ts"
import { formatAmount } from "../../kit/data/Amount.tsx"
import { Button, ButtonLink } from "../../kit/forms/Button.tsx"
import { SelectField, TextField } from "../../kit/forms/Field.tsx"
import { Filters } from "../../kit/forms/Filters.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { queryField } from "../../router/queryField.ts"
import type { OrganizationParams } from "../../router/Screen.ts"
import { environment, environmentNames } from "../../state/environment.ts"
import { may } from "../../state/permissions.ts"
import { KeysTable } from "./KeysTable.tsx"
import { type ApiKey, keysPath, kindNames } from "./keyLabels.tsx"
import { ManagementKeysSection } from "./ManagementKeysSection.tsx"

/** The keys of an organization in the selected environment. */
export const KeysScreen = ({ params: { organization } }: OrganizationParams) => {
  const all = useAllPages("GET /v1/admin/organizations/:id/keys", { params: { id: organization } }, ({ keys }) => keys)
  const most = useSignal(step)
  const matching = all.data?.filter(isAskedFor)
  return (
    <>
      <PageHeader
        title="Keys"
        lead="Programs send requests with keys. Keys belong to the organization, not to an account."
      >
        <ButtonLink to={`${keysPath(organization)}/origins`}>Check a website</ButtonLink>
        {may("createKey") && (
          <ButtonLink kind="primary" icon="plus" to={`${keysPath(organization)}/new`}>
            Create key
          </ButtonLink>
        )}
      </PageHeader>
      <Section title={`${environmentNames[environment.value]} keys`}>
        <Filters label="Filter keys">
          <SelectField label="Status" value={statusFilter} options={statusOptions} />
          <SelectField label="Kind" value={kindFilter} options={kindOptions} />
          <TextField
            label="Name, prefix or id"
            type="search"
            value={textFilter}
            maxLength={keyLimits.name}
            isOptional
          />
        </Filters>
        <KeysTable
          loaded={all}
          rows={matching?.slice(0, most.value)}
          empty={<NoKeys organization={organization} others={countOthers(all.data ?? [])} isLoading={all.isLoading} />}
        />
        {matching !== undefined && matching.length > most.value && (
          <div class="actions">
            <Button onClick={() => (most.value += step)}>More</Button>
            <span class="muted">
              {formatAmount(most.value)} of {formatAmount(matching.length)}
            </span>
          </div>
        )}
      </Section>
      {may("listManagementKeys") && <ManagementKeysSection organization={organization} />}
    </>
  )
}

/** Tables with thousands of rows are slow and unreadable. */
const step = 100

const statusFilter = queryField("status", "active")
const kindFilter = queryField("kind")
const textFilter = queryField("text")

const statusOptions = [
  ["active", "Active"],
  ["expired", "Expired"],
  ["revoked", "Revoked"],
  ["any", "Any"]
] as const

const kindOptions = [["", "Any"] as const, ...Object.entries(kindNames)]

const isAskedFor = (key: ApiKey): boolean => {
  const text = textFilter.value.trim().toLowerCase()
  return (
    key.environment === environment.value &&
    (statusFilter.value === "any" || key.status === statusFilter.value) &&
    (kindFilter.value === "" || key.kind === kindFilter.value) &&
    [key.name, key.prefix, key.id].some((part) => part.toLowerCase().includes(text))
  )
}

/** The number of keys that the filters hide. */
const countOthers = (keys: ReadonlyArray<ApiKey>): number =>
  keys.filter((key) => key.environment === environment.value).length

interface NoKeysProps {
  readonly organization: string
  readonly others: number
  readonly isLoading: boolean
}

const NoKeys = ({ isLoading, organization, others }: NoKeysProps) => {
  if (isLoading) return <p>None found so far.</p>
  if (others > 0) return <p>No matching key. The filters hide {others === 1 ? "one key" : `${others} keys`}.</p>
  return (
    <>
      <p>
        No {environment.value} key yet.{" "}
        {environment.value === "test"
          ? "Requests with a test key cost test credits only."
          : "A live key needs a verified business."}
      </p>
      {may("createKey") && (
        <ButtonLink kind="primary" to={`${keysPath(organization)}/new`}>
          Create a {environment.value} key
        </ButtonLink>
      )}
    </>
  )
}
