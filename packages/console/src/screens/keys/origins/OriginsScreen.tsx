import { servesOrigin } from "@postcode/gateway/keys/WebOrigin"
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
      <PageHeader title="Check a website" lead="Find out which publishable keys work on a page of your website." />
      <Section title="Page">
        <TextField
          label="The page’s address"
          hint="Copy it from the browser’s address bar. The console does not load the page."
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
      <Section title="Active publishable keys">
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
    return (
      <Notice tone="good" title={`${usable === 1 ? "One key works" : `${usable} keys work`} on this page`} isSpoken />
    )
  }
  return (
    <Notice tone="warning" title="No key works on this page" isSpoken>
      <p>
        Open a key below, select “Change” and add <code>{origin}</code>, or create a key with this origin.
      </p>
      {may("createKey") && <ButtonLink to={newKeyPath(organization, origin)}>Create a key for this page</ButtonLink>}
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
        <p>No active publishable key. Do not use secret keys in pages.</p>
        {may("createKey") && <ButtonLink to={newKeyPath(organization, origin)}>Create a publishable key</ButtonLink>}
      </>
    }
    columns={[
      { head: "Key", cell: ({ id, name }) => <a href={`#${keysPath(organization)}/${id}`}>{name}</a> },
      { head: "Environment", cell: ({ environment }) => <EnvironmentBadge environment={environment} /> },
      ...(origin === undefined
        ? [{ head: "Origins", cell: ({ origins }: ApiKey) => origins.join(", ") || "None" }]
        : [
            {
              head: "On this page",
              cell: (key: ApiKey) =>
                servesOrigin(key, origin) ? <Badge tone="good">Works</Badge> : <Badge tone="bad">Refused</Badge>
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
