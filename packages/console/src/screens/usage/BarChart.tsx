import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { useWidth } from "../../hooks/useWidth.ts"
import { formatAmount } from "../../kit/data/Amount.tsx"
import { shortDay } from "./period.ts"
import { shortAmount, ticksTo } from "./scale.ts"
import type { Series } from "./series.ts"

export interface BarChartProps {
  /** The accessible description of the chart. */
  readonly summary: string
  /** `2026-01-31` */
  readonly days: ReadonlyArray<string>
  /** Stacked from the bottom. */
  readonly series: ReadonlyArray<Series>
  readonly nameOf: (series: Series) => string
  /** The number of its colour in usage.css. */
  readonly colourOf: (series: Series) => number
}

/** A stacked bar chart, one bar per day. The table beside it has the same numbers. */
export const BarChart = ({ colourOf, days, nameOf, series, summary }: BarChartProps) => {
  const frame = useRef<HTMLDivElement>(null)
  const selected = useSignal<number | undefined>(undefined)
  const shown = Math.min(selected.value ?? days.length - 1, days.length - 1)
  const width = useWidth(frame)
  const totals = days.map((_, day) => series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0))
  const wordsOf = (i: number) => valuesOf(days[i] ?? "", i, series, nameOf)
  const ticks = ticksTo(Math.max(...totals))
  const top = ticks.at(-1) ?? 1
  const place = {
    width,
    step: (width - left) / days.length,
    yOf: (value: number) => base - (value / top) * (base - head)
  }
  return (
    <div class="chart" ref={frame}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="line" x1={left} x2={width} y1={place.yOf(tick)} y2={place.yOf(tick)} />
            <text x={left - 8} y={place.yOf(tick) + 4} text-anchor="end">
              {shortAmount(tick)}
            </text>
          </g>
        ))}
        {days.map((day, i) => (
          <Day
            key={day}
            isSelected={selected.value !== undefined && shown === i}
            onSelect={() => (selected.value = i)}
            place={place}
            day={i}
            series={series}
            colourOf={colourOf}
          />
        ))}
        {labelled(days.length, place.step).map((i) => (
          <text key={i} x={left + (i + 0.5) * place.step} y={height - 6} text-anchor="middle">
            {shortDay(days[i] ?? "")}
          </text>
        ))}
      </svg>
      <label class="reading">
        <span>{wordsOf(shown)}</span>
        <input
          type="range"
          aria-label="Day"
          aria-valuetext={wordsOf(shown)}
          min={0}
          max={days.length - 1}
          value={shown}
          onInput={({ currentTarget }) => {
            selected.value = Number(currentTarget.value)
          }}
        />
      </label>
    </div>
  )
}

interface Place {
  readonly width: number
  /** The width of a day. */
  readonly step: number
  readonly yOf: (value: number) => number
}

interface DayProps {
  readonly isSelected: boolean
  readonly onSelect: () => void
  readonly place: Place
  readonly day: number
  readonly series: ReadonlyArray<Series>
  readonly colourOf: BarChartProps["colourOf"]
}

const Day = ({ colourOf, day, isSelected, onSelect, place: { step, yOf }, series }: DayProps) => {
  const gap = step > 6 ? Math.min(step * 0.25, 8) : 1
  let below = 0
  return (
    <g class={isSelected ? "day selected" : "day"} onPointerEnter={onSelect} onPointerDown={onSelect}>
      <rect class="whole" x={left + day * step} y={head} width={step} height={base - head} />
      {series.map((one) => {
        const value = one.values[day] ?? 0
        const bottom = yOf(below)
        below += value
        const size = bottom - yOf(below)
        return (
          value > 0 && (
            <rect
              key={one.name}
              class={`series-${colourOf(one)}`}
              x={left + day * step + gap / 2}
              y={bottom - size}
              width={Math.max(1, step - gap)}
              height={size}
            />
          )
        )
      })}
    </g>
  )
}

/** `24 Nov: 12 in total; Lookup 10, Search 2` */
const valuesOf = (day: string, i: number, series: ReadonlyArray<Series>, nameOf: BarChartProps["nameOf"]): string => {
  const parts = series
    .filter(({ values }) => values[i])
    .map((one) => `${nameOf(one)} ${formatAmount(one.values[i] ?? 0)}`)
  const total = series.reduce((sum, { values }) => sum + (values[i] ?? 0), 0)
  return `${shortDay(day)}: ${formatAmount(total)} in total${parts.length === 0 ? "" : `; ${parts.join(", ")}`}`
}

/** The days with enough space for a label. */
const labelled = (days: number, step: number): ReadonlyArray<number> => {
  const every = Math.max(1, Math.ceil(labelWidth / step))
  const offset = Math.floor(((days - 1) % every) / 2)
  return Array.from({ length: Math.ceil((days - offset) / every) }, (_, i) => offset + i * every)
}

/** Pixels. */
const height = 208
const head = 10
const base = height - 24
const left = 44
const labelWidth = 64
