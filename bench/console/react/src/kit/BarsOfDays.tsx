import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts"
import { shortDay } from "../../../../../packages/console/src/screens/usage/period.ts"
import type { Series } from "../../../../../packages/console/src/screens/usage/series.ts"

interface BarsOfDaysProps {
  readonly title: string
  readonly days: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
  readonly nameOf: (series: Series) => string
  readonly colourOf: (series: Series) => number
}

/** A stacked bar chart, one bar per day, without animation, as in the console. */
export const BarsOfDays = ({ colourOf, days, nameOf, series, title }: BarsOfDaysProps) => (
  <div className="chart">
    <ResponsiveContainer width="100%" height={208}>
      <BarChart
        data={days.map((day, i) => ({ day, values: series.map(({ values }) => values[i] ?? 0) }))}
        title={title}
      >
        <CartesianGrid vertical={false} />
        <XAxis dataKey="day" tickFormatter={shortDay} tickLine={false} />
        <YAxis tickFormatter={(value: number) => compact.format(value)} width={44} axisLine={false} tickLine={false} />
        <Tooltip />
        {series.map((one, i) => (
          <Bar
            key={one.name}
            name={nameOf(one)}
            dataKey={`values[${i}]`}
            stackId="day"
            fill={`var(--series-${colourOf(one)})`}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  </div>
)

const compact = new Intl.NumberFormat("en", { notation: "compact" })
