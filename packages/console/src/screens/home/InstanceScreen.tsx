import { type Loaded, useLoad } from "../../hooks/useLoad.ts"
import { formatAmount } from "../../kit/data/Amount.tsx"
import { countOf, maxCounted } from "../../kit/data/countOf.ts"
import { Facts } from "../../kit/data/Facts.tsx"
import { ExactTime } from "../../kit/data/Time.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { SignUpSection } from "./SignUpSection.tsx"
import "./home.css"

/** Pending reviews and the current edition, for operators. */
export const InstanceScreen = () => {
  const businesses = useLoad("GET /v1/admin/organizations", { query: { kyb_status: "pending", limit: maxCounted } })
  const requests = useLoad("GET /v1/admin/access-requests", { query: { status: "pending", limit: maxCounted } })
  return (
    <>
      <PageHeader title="Overview" lead="Pending reviews, and the current directory." />
      <div class="grid cards">
        <Waiting title="Businesses to verify" loaded={businesses} rowsOf={({ organizations }) => organizations} />
        <Waiting
          title="Access requests to review"
          loaded={requests}
          rowsOf={({ access_requests }) => access_requests}
        />
      </div>
      <SignUpSection />
      <DataSection />
    </>
  )
}

interface WaitingProps<A> {
  readonly title: string
  readonly loaded: Loaded<A>
  readonly rowsOf: (data: A) => ReadonlyArray<unknown>
}

const Waiting = <A extends { readonly next_cursor: string | null }>({ loaded, rowsOf, title }: WaitingProps<A>) => (
  <Section title={title}>
    <WhenLoaded loaded={loaded}>
      {(data) => (
        <p class="figure">
          <span>
            <strong>{countOf(rowsOf(data), data.next_cursor)}</strong> waiting
          </span>
          {rowsOf(data).length > 0 && <a href="#/reviews">Review</a>}
        </p>
      )}
    </WhenLoaded>
  </Section>
)

const DataSection = () => (
  <Section title="Directory">
    <WhenLoaded loaded={useLoad("GET /v1/admin/directory", {})}>
      {({ active_units, date, current_since, retired_units, version }) => (
        <Facts
          facts={[
            ["Version", version || "Not set"],
            ["Edition date", date || "Not set"],
            ["Current since", current_since && <ExactTime key="since" at={current_since} />],
            ["Active units", formatAmount(active_units)],
            ["Retired units", formatAmount(retired_units)]
          ]}
        />
      )}
    </WhenLoaded>
  </Section>
)
