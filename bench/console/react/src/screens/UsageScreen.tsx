import "../../../../../packages/console/src/screens/usage/usage.css"
import { Download } from "lucide-react"
import { useParams } from "react-router"
import {
  daysOf,
  lastDays,
  type Period,
  periodBefore
} from "../../../../../packages/console/src/screens/usage/period.ts"
import {
  type Grouping,
  type Measure,
  totalOf,
  type UsageRow
} from "../../../../../packages/console/src/screens/usage/series.ts"
import { useCall } from "../hooks/useCall.ts"
import { useEnvironment } from "../hooks/useEnvironment.ts"
import { useQueryField } from "../hooks/useQueryField.ts"
import { SelectField, TextField } from "../kit/Field.tsx"
import { Loading } from "../kit/Loading.tsx"
import { PageHeader } from "../kit/Page.tsx"
import { Problem } from "../kit/Problem.tsx"
import { MeasureSection } from "./MeasureSection.tsx"
import { saveUsage } from "./saveUsage.ts"

/** Requests and credits per day. */
export const UsageScreen = () => {
  const { organization = "" } = useParams()
  const { environment } = useEnvironment()
  const [by, setBy] = useQueryField("by", "operation")
  const [key, setKey] = useQueryField("key")
  const [days, setDays] = useQueryField("period", "30")
  const [from, setFrom] = useQueryField("from")
  const [to, setTo] = useQueryField("to")
  const period = days === "own" ? { from, to } : lastDays(Number(days), Date.now())
  const inputOf = ({ from, to }: Period) => ({
    params: { id: organization },
    query: { environment, ...(key !== "" && { key_id: key }), by: by as Grouping, from, to }
  })
  const present = useCall("GET /v1/admin/organizations/:id/usage", inputOf(period))
  const before = useCall("GET /v1/admin/organizations/:id/usage", inputOf(periodBefore(period)))
  const named = useCall("GET /v1/admin/organizations/:id/keys", { params: { id: organization }, query: { limit: 100 } })
  const names = new Map(named.data?.keys.map(({ id, name }) => [id, name]))
  const rows: ReadonlyArray<UsageRow> | undefined = present.data?.usage
  const shared = { by: by as Grouping, names, organization, period, rows: rows ?? [] }
  return (
    <div className="usage stack">
      <PageHeader
        title="Usage"
        lead={`Requests with ${environment} keys and their cost, by day in UTC. The last minute may be missing.`}
      >
        {rows !== undefined && (
          <button type="button" className="button plain" onClick={() => saveUsage(rows, environment, period)}>
            <Download className="icon" />
            <span>CSV</span>
          </button>
        )}
      </PageHeader>
      <search className="filters" aria-label="Filter usage">
        <SelectField label="Days" value={days} onChange={setDays} options={periods} />
        {days === "own" && (
          <>
            <TextField label="First day" type="date" value={from} onChange={setFrom} />
            <TextField label="Last day" type="date" value={to} onChange={setTo} />
          </>
        )}
        <SelectField label="Group by" value={by} onChange={setBy} options={groupings} />
        <SelectField label="Keys" value={key} onChange={setKey} options={[["", "All keys"], ...names]} />
      </search>
      <Problem error={present.error} />
      {rows === undefined && present.isLoading && <Loading />}
      {rows !== undefined && (
        <>
          <Totals rows={rows} before={before.data?.usage} period={period} />
          <MeasureSection measure="requests" title="Requests" {...shared} />
          <MeasureSection measure="credits" title="Credits" {...shared} />
        </>
      )}
    </div>
  )
}

const periods = [
  ["7", "Last 7 days"],
  ["30", "Last 30 days"],
  ["90", "Last 90 days"],
  ["own", "Other days"]
] as const

const groupings = [
  ["operation", "Operation"],
  ["level", "Level"],
  ["key", "Key"],
  ["status", "Status"]
] as const

interface TotalsProps {
  readonly rows: ReadonlyArray<UsageRow>
  readonly before: ReadonlyArray<UsageRow> | undefined
  readonly period: Period
}

const Totals = ({ before, period, rows }: TotalsProps) => (
  <dl className="section totals">
    {measures.map(([measure, name]) => {
      const total = totalOf(rows, measure)
      return (
        <div key={measure}>
          <dt>{name}</dt>
          <dd>
            {total.toLocaleString("en")}
            <small>
              {before === undefined ? " " : changeOf(total, totalOf(before, measure), daysOf(period).length)}
            </small>
          </dd>
        </div>
      )
    })}
  </dl>
)

const measures: ReadonlyArray<readonly [Measure, string]> = [
  ["requests", "Requests"],
  ["credits", "Credits"]
]

const changeOf = (total: number, before: number, days: number): string => {
  const past = days === 1 ? "the day before" : `the ${days} days before`
  if (before === 0) return `none in ${past}`
  return `${percent.format(total / before - 1)} on ${past} (${before.toLocaleString("en")})`
}

const percent = new Intl.NumberFormat("en", { style: "percent", signDisplay: "always", maximumFractionDigits: 0 })
