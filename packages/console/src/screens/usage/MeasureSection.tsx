import { formatAmount } from "../../kit/data/Amount.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { BarChart } from "./BarChart.tsx"
import { KeyName } from "./KeyName.tsx"
import { wordsFor } from "./naming.ts"
import { daysOf, type Period, shortDay } from "./period.ts"
import {
  type Grouping,
  grouped,
  type Measure,
  mostUsed,
  others,
  type Series,
  seriesOf,
  type UsageRow
} from "./series.ts"
import type { KeyNames } from "./useKeyNames.ts"

export interface MeasureSectionProps {
  readonly measure: Measure
  readonly title: string
  readonly by: Grouping
  readonly names: KeyNames
  readonly organization: string
  readonly period: Period
  readonly rows: ReadonlyArray<UsageRow>
}

/** Requests or credits: a chart of the days, and tables with the same numbers. */
export const MeasureSection = ({ by, measure, names, organization, period, rows, title }: MeasureSectionProps) => {
  const days = daysOf(period)
  const all = seriesOf(rows, days, measure)
  const shownNames = mostUsed(rows, colours)
  const shown = grouped(all, shownNames)
  const total = all.reduce((sum, series) => sum + series.total, 0)
  const wordsOf = (series: Series) => wordsFor(series, by, names)
  const colourOf = ({ name }: Series) => shownNames.indexOf(shownNames.includes(name) ? name : others)
  if (total === 0) {
    return (
      <Section title={title}>
        <p class="muted">None in this period.</p>
      </Section>
    )
  }
  return (
    <Section title={title}>
      <BarChart
        days={days}
        series={shown}
        nameOf={wordsOf}
        colourOf={colourOf}
        summary={summaryOf(title, days, shown, wordsOf)}
      />
      <Table
        caption={`${title} in total`}
        rows={all}
        keyOf={({ name }) => name}
        empty={null}
        columns={[
          {
            head: headOf[by],
            cell: (series) => (
              <>
                <span class={`mark series-${colourOf(series)}`} aria-hidden="true" />
                {by === "key" && series.name !== "" ? (
                  <KeyName id={series.name} names={names} organization={organization} />
                ) : (
                  wordsOf(series)
                )}
              </>
            )
          },
          { head: title, cell: (series) => formatAmount(series.total), isNumber: true },
          { head: "Share", cell: (series) => percent.format(series.total / total), isNumber: true }
        ]}
      />
      <DayByDay title={title} days={days} series={shown} nameOf={wordsOf} />
    </Section>
  )
}

interface DayByDayProps {
  readonly title: string
  readonly days: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
  readonly nameOf: (series: Series) => string
}

/** All numbers of the chart, newest day first; days without requests are omitted. */
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
      empty={null}
      columns={[
        { head: "Day", cell: ({ day }) => <time dateTime={day}>{day}</time> },
        ...series.map((one) => ({
          head: nameOf(one),
          cell: ({ i }: { readonly i: number }) => formatAmount(one.values[i] ?? 0),
          isNumber: true
        }))
      ]}
    />
  </details>
)

const headOf: Readonly<Record<Grouping, string>> = {
  key: "Key",
  level: "Access level",
  operation: "Operation",
  status: "Status"
}

/** The number of colours in usage.css. */
const colours = 6

const summaryOf = (
  title: string,
  days: ReadonlyArray<string>,
  series: ReadonlyArray<Series>,
  nameOf: (series: Series) => string
): string => {
  const parts = series.map((one) => `${nameOf(one)} ${formatAmount(one.total)}`)
  return `${title} a day from ${shortDay(days[0] ?? "")} to ${shortDay(days.at(-1) ?? "")}: ${parts.join(", ")}`
}

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 })
