import { formatAmount } from "../../kit/data/Amount.tsx"
import { daysOf, type Period } from "./period.ts"
import { type Measure, totalOf, type UsageRow } from "./series.ts"

export interface TotalsProps {
  readonly rows: ReadonlyArray<UsageRow>
  /** Of the previous period of equal length; undefined while it is loaded. */
  readonly before: ReadonlyArray<UsageRow> | undefined
  readonly period: Period
}

/** Totals, compared with the previous period. */
export const Totals = ({ before, period, rows }: TotalsProps) => (
  <dl class="section grid totals">
    {measures.map(([measure, name]) => {
      const total = totalOf(rows, measure)
      return (
        <div key={measure}>
          <dt>{name}</dt>
          <dd>
            {formatAmount(total)}
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
  if (total === before) return `the same as in ${past}`
  return before === 0
    ? `none in ${past}`
    : `${percent.format(total / before - 1)} compared with ${past} (${formatAmount(before)})`
}

const percent = new Intl.NumberFormat("en", { style: "percent", signDisplay: "always", maximumFractionDigits: 0 })
