import { useLoad } from "../../hooks/useLoad.ts"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { ButtonLink } from "../../kit/forms/Button.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { environment } from "../../state/environment.ts"
import { may } from "../../state/permissions.ts"
import { MeasureSection } from "./MeasureSection.tsx"
import { isPeriod, periodBefore } from "./period.ts"
import { Totals } from "./Totals.tsx"
import { UsageCsv } from "./UsageCsv.tsx"
import { readReport, UsageFilters } from "./UsageFilters.tsx"
import { useKeyNames } from "./useKeyNames.ts"
import "./usage.css"
import type { OrganizationParams } from "../../router/Screen.ts"

/** Requests and credits per day. */
export const UsageScreen = ({ params: { organization } }: OrganizationParams) => {
  const { by, key, period } = readReport()
  const names = useKeyNames(organization)
  const asked = { environment: environment.value, ...(key !== "" && { key_id: key }) }
  const inputOf = (days: { readonly from: string; readonly to: string }) => ({
    params: { id: organization },
    query: { ...asked, by, ...days }
  })
  const present = useLoad(route, inputOf(period))
  const before = useLoad(route, isPeriod(period) ? inputOf(periodBefore(period)) : undefined)
  const rows = present.data?.usage
  const shared = { by, names, organization, period, rows: rows ?? [] }
  return (
    <div class="stack">
      <PageHeader
        title="Usage"
        lead={`Requests with ${environment.value} keys and their cost, by day in UTC. The last minute may be missing.`}
      >
        {rows !== undefined && rows.length > 0 && <UsageCsv {...{ by, names, period, rows }} />}
      </PageHeader>
      <UsageFilters names={names} />
      <WhenLoaded loaded={present} />
      {rows?.length === 0 && <NoRequests organization={organization} />}
      {rows !== undefined && rows.length > 0 && isPeriod(period) && (
        <>
          <Totals rows={rows} before={before.data?.usage} period={period} />
          <MeasureSection measure="requests" title="Requests" {...shared} />
          <MeasureSection measure="credits" title="Credits" {...shared} />
        </>
      )}
    </div>
  )
}

const route = "GET /v1/admin/organizations/:id/usage"

const NoRequests = ({ organization }: { readonly organization: string }) => (
  <Section title="No requests in this period">
    <div class="empty">
      <p>
        There was no {environment.value} request. Choose other days, select the other environment, or send a request.
      </p>
      {may("createKey") && <ButtonLink to={`/organizations/${organization}/keys`}>Keys</ButtonLink>}
    </div>
  </Section>
)
