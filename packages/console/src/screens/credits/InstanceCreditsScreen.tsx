import type { DataOf } from "../../client/Contract.ts"
import { useLoad } from "../../hooks/useLoad.ts"
import { formatAmount } from "../../kit/data/Amount.tsx"
import { announce } from "../../kit/feedback/announce.ts"
import { Button } from "../../kit/forms/Button.tsx"
import { SelectField } from "../../kit/forms/Field.tsx"
import { Filters } from "../../kit/forms/Filters.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { csvFields, saveCsv, tableLine } from "../../kit/tables/csvFile.ts"
import { Table } from "../../kit/tables/Table.tsx"
import { queryField } from "../../router/queryField.ts"
import type { Environment } from "../../state/environment.ts"
import { PeriodFields, readPeriod } from "../usage/PeriodFields.tsx"
import { isPeriod, type Period } from "../usage/period.ts"
import "../usage/usage.css"

type Day = DataOf<"GET /v1/admin/credits/days">["days"][number]

const field = queryField("environment", "live")

/** The credits of all organizations by day, to compare them with payments. */
export const InstanceCreditsScreen = () => {
  const environment: Environment = field.value === "test" ? "test" : "live"
  const period = readPeriod()
  const loaded = useLoad(route, isPeriod(period) ? { query: { environment, ...period } } : undefined)
  const days = loaded.data?.days.toReversed()
  return (
    <div class="stack">
      <PageHeader
        title="Credits by day"
        lead="The ledgers of all organizations as sums, by day in UTC. Compare the granted credits with your payments."
      >
        {days !== undefined && days.length > 0 && <Csv {...{ days, environment, period }} />}
      </PageHeader>
      <Filters label="Filter credits">
        <SelectField label="Environment" value={field} options={environments} />
        <PeriodFields />
      </Filters>
      {days !== undefined && days.length > 0 && (
        <dl class="section grid totals">
          {sums.map(([name, words]) => (
            <div key={name}>
              <dt>{words}</dt>
              <dd>{formatAmount(days.reduce((total, day) => total + day[name], 0))}</dd>
            </div>
          ))}
        </dl>
      )}
      <Table
        caption="Credits by day"
        loaded={loaded}
        rows={days}
        keyOf={({ date }) => date}
        empty={<p>No {environment} credits were granted, corrected or charged in this period.</p>}
        columns={[
          { head: "Day", cell: ({ date }) => <time dateTime={date}>{date}</time> },
          ...sums.map(([name, head]) => ({ head, cell: (day: Day) => formatAmount(day[name]), isNumber: true }))
        ]}
      />
    </div>
  )
}

const route = "GET /v1/admin/credits/days"

const environments: ReadonlyArray<readonly [Environment, string]> = [
  ["live", "Live"],
  ["test", "Test"]
]

const sums = [
  ["granted", "Granted"],
  ["refunded", "Refunds"],
  ["adjusted", "Adjustments"],
  ["charged", "Charged"],
  ["opening", "Starting credits"]
] as const

interface CsvProps {
  readonly days: ReadonlyArray<Day>
  readonly environment: Environment
  readonly period: Period
}

/** The days as a file, from the loaded data. */
const Csv = ({ days, environment, period: { from, to } }: CsvProps) => {
  const columns = csvFields("date", ...sums.map(([name]) => name))
  return (
    <Button
      icon="down"
      onClick={() => {
        saveCsv(`credits-${environment}-${from}-${to}`, [
          tableLine(columns),
          ...days.map((day) => tableLine(columns, day))
        ])
        announce("The file is ready")
      }}
    >
      CSV
    </Button>
  )
}
