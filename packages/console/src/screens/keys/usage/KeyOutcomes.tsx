import type { DataOf } from "../../../client/Contract.ts"
import { useLoad } from "../../../hooks/useLoad.ts"
import { Amount } from "../../../kit/data/Amount.tsx"
import { statusMeanings } from "../../../kit/data/statusMeanings.ts"
import { ButtonLink } from "../../../kit/forms/Button.tsx"
import { Section } from "../../../kit/layout/Section.tsx"
import { Table } from "../../../kit/tables/Table.tsx"
import type { ApiKey } from "../keyLabels.tsx"

/** A key's requests by HTTP status. */
export const KeyOutcomes = ({ apiKey: { environment, id, organization_id } }: { readonly apiKey: ApiKey }) => {
  const loaded = useLoad("GET /v1/admin/organizations/:id/usage", {
    params: { id: organization_id },
    query: { environment, by: "status", key_id: id }
  })
  return (
    <Section
      title="Responses"
      lead="The last 30 days, by HTTP status."
      actions={<ButtonLink to={`/organizations/${organization_id}/usage?key=${id}`}>Usage of this key</ButtonLink>}
    >
      <Table
        caption="Responses"
        loaded={loaded}
        rows={loaded.data && totalsOf(loaded.data.usage)}
        keyOf={({ status }) => String(status)}
        empty={<p>No requests in the last 30 days.</p>}
        columns={[
          { head: "Status", cell: ({ status }) => status ?? "Unknown" },
          { head: "Meaning", cell: ({ status }) => statusMeanings[status ?? 0] ?? "" },
          { head: "Requests", isNumber: true, cell: ({ requests }) => <Amount value={requests} /> },
          { head: "Credits", isNumber: true, cell: ({ credits }) => <Amount value={credits} /> }
        ]}
      />
    </Section>
  )
}

interface Outcome {
  /** Null for requests counted before statuses were. */
  readonly status: number | null
  readonly requests: number
  readonly credits: number
}

const totalsOf = (usage: DataOf<"GET /v1/admin/organizations/:id/usage">["usage"]): ReadonlyArray<Outcome> => {
  const totals = new Map<number | null, Outcome>()
  for (const row of usage) {
    if (!("status" in row)) continue
    const { credits, requests } = totals.get(row.status) ?? { credits: 0, requests: 0 }
    totals.set(row.status, { status: row.status, requests: requests + row.requests, credits: credits + row.credits })
  }
  return [...totals.values()].sort((a, b) => b.requests - a.requests)
}
