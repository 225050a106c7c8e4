import { Link } from "react-router"
import { wordsFor } from "../../../../../packages/console/src/screens/usage/naming.ts"
import { daysOf, type Period } from "../../../../../packages/console/src/screens/usage/period.ts"
import {
  type Grouping,
  grouped,
  type Measure,
  mostUsed,
  others,
  type Series,
  seriesOf,
  type UsageRow
} from "../../../../../packages/console/src/screens/usage/series.ts"
import { BarsOfDays } from "../kit/BarsOfDays.tsx"
import { Section } from "../kit/Page.tsx"
import { Table } from "../kit/Table.tsx"

interface MeasureSectionProps {
  readonly measure: Measure
  readonly title: string
  readonly by: Grouping
  readonly names: ReadonlyMap<string, string>
  readonly organization: string
  readonly period: Period
  readonly rows: ReadonlyArray<UsageRow>
}

/** Requests or credits: a chart of the days, and tables with the same numbers. */
export const MeasureSection = ({ by, measure, names, organization, period, rows, title }: MeasureSectionProps) => {
  const days = daysOf(period)
  const all = seriesOf(rows, days, measure)
  const shownNames = mostUsed(rows, 6)
  const shown = grouped(all, shownNames)
  const total = all.reduce((sum, series) => sum + series.total, 0)
  const nameOf = (series: Series) => wordsFor(series, by, names)
  const colourOf = ({ name }: Series) => shownNames.indexOf(shownNames.includes(name) ? name : others)
  return (
    <Section title={title}>
      <BarsOfDays title={title} days={days} series={shown} nameOf={nameOf} colourOf={colourOf} />
      <Table
        caption={`${title} in total`}
        rows={all}
        keyOf={({ name }) => name}
        columns={[
          {
            head: headOf[by],
            cell: (series) => (
              <>
                <span className={`mark series-${colourOf(series)}`} aria-hidden="true" />
                {by === "key" ? (
                  <Link to={`/organizations/${organization}/keys/${series.name}`}>{nameOf(series)}</Link>
                ) : (
                  nameOf(series)
                )}
              </>
            )
          },
          { head: title, cell: (series) => series.total.toLocaleString("en"), isNumber: true },
          { head: "Share", cell: (series) => percent.format(series.total / total), isNumber: true }
        ]}
      />
      <DayByDay title={title} days={days} series={shown} nameOf={nameOf} />
    </Section>
  )
}

const headOf: Readonly<Record<Grouping, string>> = {
  key: "Key",
  level: "Level",
  operation: "Operation",
  status: "Status"
}

interface DayByDayProps {
  readonly title: string
  readonly days: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
  readonly nameOf: (series: Series) => string
}

const DayByDay = ({ days, nameOf, series, title }: DayByDayProps) => (
  <details>
    <summary>Day by day</summary>
    <Table
      caption={`${title} day by day`}
      rows={days
        .map((day, i) => ({ day, i }))
        .filter(({ i }) => series.some(({ values }) => values[i]))
        .reverse()}
      keyOf={({ day }) => day}
      columns={[
        { head: "Day", cell: ({ day }) => <time dateTime={day}>{day}</time> },
        ...series.map((one) => ({
          head: nameOf(one),
          cell: ({ i }: { readonly i: number }) => (one.values[i] ?? 0).toLocaleString("en"),
          isNumber: true
        }))
      ]}
    />
  </details>
)

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 })
