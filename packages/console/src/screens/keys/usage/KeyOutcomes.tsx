import type { DataOf } from "../../../client/Contract.ts"
import { useLoad } from "../../../hooks/useLoad.ts"
import { Amount, formatAmount } from "../../../kit/data/Amount.tsx"
import { statusMeanings } from "../../../kit/data/statusMeanings.ts"
import { Notice } from "../../../kit/feedback/Notice.tsx"
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
  const outcomes = loaded.data && totalsOf(loaded.data.usage)
  return (
    <Section
      title="Responses"
      lead="The last 30 days, by HTTP status."
      actions={<ButtonLink to={`/organizations/${organization_id}/usage?key=${id}`}>Usage of this key</ButtonLink>}
    >
      <ManyMalformed outcomes={outcomes} organization={organization_id} />
      <Table
        caption="Responses"
        loaded={loaded}
        rows={outcomes}
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

interface ManyMalformedProps {
  readonly outcomes: ReadonlyArray<Outcome> | undefined
  readonly organization: string
}

/** A warning if at least one request in ten was malformed, and ten in all: the program that sends them has an error. */
const ManyMalformed = ({ organization, outcomes = [] }: ManyMalformedProps) => {
  const malformed = outcomes.find(({ status }) => status === 400)?.requests ?? 0
  const all = outcomes.reduce((sum, { requests }) => sum + requests, 0)
  if (malformed < 10 || malformed * 10 < all) return null
  return (
    <Notice tone="warning" title={`${formatAmount(malformed)} of ${formatAmount(all)} requests were malformed`}>
      <p>
        They cost nothing and return no data. Check what your program sends. To see what is wrong, send such a request
        in <a href={`#/organizations/${organization}/try`}>Try it</a>: the error names the field.
      </p>
    </Notice>
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
