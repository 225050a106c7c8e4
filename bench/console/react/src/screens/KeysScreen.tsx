import { Plus } from "lucide-react"
import { Link, useParams } from "react-router"
import type { DataOf } from "../../../../../packages/console/src/client/Contract.ts"
import { useCall } from "../hooks/useCall.ts"
import { type Environment, useEnvironment } from "../hooks/useEnvironment.ts"
import { useMay } from "../hooks/useMay.ts"
import { useQueryField } from "../hooks/useQueryField.ts"
import { SelectField, TextField } from "../kit/Field.tsx"
import { Loading } from "../kit/Loading.tsx"
import { PageHeader, Section } from "../kit/Page.tsx"
import { Problem } from "../kit/Problem.tsx"
import { Table } from "../kit/Table.tsx"
import { Time } from "../kit/Time.tsx"

type ApiKey = DataOf<"GET /v1/admin/keys/:id">

/** The keys of an organization in the selected environment. */
export const KeysScreen = () => {
  const { organization = "" } = useParams()
  const { environment, setEnvironment } = useEnvironment()
  const [status, setStatus] = useQueryField("status", "active")
  const [kind, setKind] = useQueryField("kind")
  const [text, setText] = useQueryField("text")
  const may = useMay()
  const { data, error } = useCall("GET /v1/admin/organizations/:id/keys", {
    params: { id: organization },
    query: { limit: 100 }
  })
  const isAskedFor = (key: ApiKey): boolean =>
    key.environment === environment &&
    (status === "any" || key.status === status) &&
    (kind === "" || key.kind === kind) &&
    [key.name, key.prefix, key.id].some((part) => part.toLowerCase().includes(text.trim().toLowerCase()))
  return (
    <>
      <PageHeader
        title="Keys"
        lead="Programs call the service with keys. Keys belong to the organization, not to an account."
      >
        <Link className="button plain" to="origins">
          <span>Check a website</span>
        </Link>
        {may("createKey") && (
          <Link className="button primary" to="new">
            <Plus className="icon" />
            <span>Create key</span>
          </Link>
        )}
      </PageHeader>
      <Section title={`${environmentNames[environment]} keys`}>
        <search className="filters" aria-label="Filter keys">
          <SelectField
            label="Environment"
            value={environment}
            onChange={(next) => setEnvironment(next as Environment)}
            options={Object.entries(environmentNames)}
          />
          <SelectField label="Status" value={status} onChange={setStatus} options={statusOptions} />
          <SelectField label="Kind" value={kind} onChange={setKind} options={kindOptions} />
          <TextField label="Name, prefix or id" type="search" value={text} onChange={setText} />
        </search>
        <Problem error={error} />
        {data === undefined ? <Loading /> : <KeysTable rows={data.keys.filter(isAskedFor)} />}
      </Section>
    </>
  )
}

const environmentNames: Readonly<Record<Environment, string>> = { test: "Test", live: "Live" }
const kindNames: Readonly<Record<ApiKey["kind"], string>> = { secret: "Secret", publishable: "Publishable" }

const statusOptions = [
  ["active", "Active"],
  ["expired", "Expired"],
  ["revoked", "Revoked"],
  ["any", "Any"]
] as const

const kindOptions = [["", "Any"], ...Object.entries(kindNames)] as const

const KeysTable = ({ rows }: { readonly rows: ReadonlyArray<ApiKey> }) => (
  <Table
    caption="Keys"
    rows={rows}
    keyOf={({ id }) => id}
    columns={[
      {
        head: "Name",
        cell: ({ id, name, prefix }) => (
          <>
            <Link to={id}>{name}</Link>
            <span className="secondary">
              <code>{prefix}…</code>
            </span>
          </>
        )
      },
      { head: "Kind", cell: ({ kind }) => kindNames[kind] },
      { head: "Level", cell: ({ max_level, scopes }) => (scopes.includes("lookup") ? max_level : "Search only") },
      { head: "Status", cell: (apiKey) => <KeyBadge apiKey={apiKey} /> },
      { head: "Last used", cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : "Never") },
      { head: "Expires", cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : "Never") },
      { head: "Credits today", isNumber: true, cell: spentToday }
    ]}
  />
)

const KeyBadge = ({ apiKey: { replaced_by, status } }: { readonly apiKey: ApiKey }) => {
  if (status === "revoked") return <Badge tone="bad" sign="✕" words="Revoked" />
  if (status === "expired") return <Badge tone="plain" sign="○" words="Expired" />
  return replaced_by === undefined ? (
    <Badge tone="good" sign="✓" words="Active" />
  ) : (
    <Badge tone="warning" sign="▲" words="Ending" />
  )
}

const Badge = ({ sign, tone, words }: { readonly tone: string; readonly sign: string; readonly words: string }) => (
  <span className={`badge ${tone}`}>
    <span className="sign" aria-hidden="true">
      {sign}
    </span>
    {words}
  </span>
)

const spentToday = ({ credits_today = 0, daily_credit_limit }: ApiKey): string =>
  daily_credit_limit === undefined
    ? "No limit"
    : `${credits_today.toLocaleString("en")} of ${daily_credit_limit.toLocaleString("en")}`
