import { servesOrigin } from "@postcode/core/WebOrigin"
import { useAllPages } from "../../../hooks/useAllPages.ts"
import type { Loaded } from "../../../hooks/useLoad.ts"
import { Badge } from "../../../kit/data/Badge.tsx"
import { Copyable } from "../../../kit/data/Copyable.tsx"
import { Notice } from "../../../kit/feedback/Notice.tsx"
import { ButtonLink } from "../../../kit/forms/Button.tsx"
import { TextField } from "../../../kit/forms/Field.tsx"
import { PageHeader } from "../../../kit/layout/PageHeader.tsx"
import { Section } from "../../../kit/layout/Section.tsx"
import { Table } from "../../../kit/tables/Table.tsx"
import { queryField } from "../../../router/queryField.ts"
import type { OrganizationParams } from "../../../router/Screen.ts"
import { may } from "../../../state/permissions.ts"
import { type ApiKey, EnvironmentBadge, keysPath } from "../keyLabels.tsx"
import { adviceOn } from "./originAdvice.ts"
import { readAddress } from "./webOrigins.ts"

/** Checks which publishable keys a page may use, and explains why not. */
export const OriginsScreen = ({ params: { organization } }: OrganizationParams) => {
  const keys = useAllPages("GET /v1/admin/organizations/:id/keys", { params: { id: organization } }, ({ keys }) =>
    keys.filter(({ kind, status }) => kind === "publishable" && status === "active")
  )
  const read = page.value.trim() === "" ? undefined : readAddress(page.value)
  return (
    <>
      <PageHeader title="Test an origin" lead="Which publishable keys may a page use?" />
      <Section title="Page">
        <TextField
          label="The page’s address"
          hint="As it stands in the browser. Nothing is loaded from there."
          value={page}
          maxLength={2_000}
        />
        {read?.fault && <Notice tone="bad" title={read.fault} isSpoken />}
        {read?.origin && (
          <p>
            Browsers send its origin as <Copyable value={read.origin} label="the origin" />
          </p>
        )}
      </Section>
      <Section title="Publishable keys in force">
        {read?.origin && <Verdict organization={organization} origin={read.origin} keys={keys} />}
        <KeysHere organization={organization} origin={read?.origin} keys={keys} />
      </Section>
    </>
  )
}

const page = queryField("page")

interface OnPage {
  readonly organization: string
  readonly keys: Loaded<ReadonlyArray<ApiKey>>
}

const Verdict = ({
  keys: { data: rows = [], isLoading },
  organization,
  origin
}: OnPage & { readonly origin: string }) => {
  const usable = rows.filter((key) => servesOrigin(key, origin)).length
  if (isLoading || rows.length === 0) return null
  if (usable > 0) {
    return <Notice tone="good" title={`${usable === 1 ? "One key" : `${usable} keys`} may be used there`} isSpoken />
  }
  return (
    <Notice tone="warning" title="No key may be used there" isSpoken>
      <p>
        Open a key below, choose “Change” and add exactly <code>{origin}</code>, or create a key that lists it.
      </p>
      {may("createKey") && <ButtonLink to={newKeyPath(organization, origin)}>Make a key for it</ButtonLink>}
    </Notice>
  )
}

const newKeyPath = (organization: string, origin = ""): string =>
  `${keysPath(organization)}/new?${new URLSearchParams({ kind: "publishable", origin })}`

const KeysHere = ({ keys, organization, origin }: OnPage & { readonly origin: string | undefined }) => (
  <Table
    caption="Publishable keys"
    loaded={keys}
    rows={keys.data}
    keyOf={({ id }) => id}
    empty={
      <>
        <p>There is no publishable key in force, and secret keys do not belong into pages.</p>
        {may("createKey") && <ButtonLink to={newKeyPath(organization, origin)}>Make a publishable key</ButtonLink>}
      </>
    }
    columns={[
      { head: "Key", cell: ({ id, name }) => <a href={`#${keysPath(organization)}/${id}`}>{name}</a> },
      { head: "Environment", cell: ({ environment }) => <EnvironmentBadge environment={environment} /> },
      ...(origin === undefined
        ? [{ head: "Origins", cell: ({ origins }: ApiKey) => origins.join(", ") || "None" }]
        : [
            {
              head: "There",
              cell: (key: ApiKey) =>
                servesOrigin(key, origin) ? <Badge tone="good">May be used</Badge> : <Badge tone="bad">Refused</Badge>
            },
            {
              head: "Why",
              cell: (key: ApiKey) =>
                servesOrigin(key, origin) ? "It lists this origin." : adviceOn(origin, key.origins)
            }
          ])
    ]}
  />
)
