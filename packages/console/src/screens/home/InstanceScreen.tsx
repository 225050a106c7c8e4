import type { ComponentChildren } from "preact"
import { type Loaded, useLoad } from "../../hooks/useLoad.ts"
import { formatAmount } from "../../kit/data/Amount.tsx"
import { countOf, maxCounted } from "../../kit/data/countOf.ts"
import { Facts } from "../../kit/data/Facts.tsx"
import { exactly } from "../../kit/data/Time.tsx"
import { Loading } from "../../kit/feedback/Loading.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import "./home.css"

/** Pending reviews and the current edition, for operators. */
export const InstanceScreen = () => {
  const businesses = useLoad("GET /v1/admin/organizations", { query: { kyb_status: "pending", limit: maxCounted } })
  const requests = useLoad("GET /v1/admin/access-requests", { query: { status: "pending", limit: maxCounted } })
  return (
    <>
      <PageHeader title="Overview" lead="What waits for operators, and which data the service answers from." />
      <div class="cards">
        <Waiting
          title="Businesses to verify"
          loaded={businesses}
          count={businesses.data && countOf(businesses.data.organizations, businesses.data.next_cursor)}
        />
        <Waiting
          title="Levels to decide on"
          loaded={requests}
          count={requests.data && countOf(requests.data.access_requests, requests.data.next_cursor)}
        />
      </div>
      <DataSection />
    </>
  )
}

interface WaitingProps {
  readonly title: string
  readonly loaded: Pick<Loaded<unknown>, "problem" | "reload">
  readonly count: string | undefined
}

const Waiting = ({ count, loaded: { problem, reload }, title }: WaitingProps) => (
  <Section title={title}>
    <ProblemNotice problem={problem} onRetry={reload} />
    {count === undefined && problem === undefined && <Loading />}
    {count !== undefined && (
      <p class="figure">
        <a href="#/reviews">
          <strong>{count}</strong> {count === "0" ? "waiting" : "waiting: review"}
        </a>
      </p>
    )}
  </Section>
)

const DataSection = () => {
  const { data, isLoading, problem, reload } = useLoad("GET /v1/admin/directory", {})
  const facts: ReadonlyArray<readonly [string, ComponentChildren]> =
    data === undefined
      ? []
      : [
          ["Version", data.version || "Not said"],
          ["Edition of", data.date || "Not said"],
          ...(data.in_force_since === undefined ? [] : [["In force since", exactly(data.in_force_since)] as const]),
          ["Active units", formatAmount(data.active_units)],
          ["Retired units", formatAmount(data.retired_units)]
        ]
  return (
    <Section title="Directory">
      <ProblemNotice problem={problem} onRetry={reload} />
      {isLoading && data === undefined && <Loading />}
      <Facts facts={facts} />
    </Section>
  )
}
