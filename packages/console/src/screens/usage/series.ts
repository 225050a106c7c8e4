/** Groups the rows of a usage report into series for a stacked chart. */
import type { DataOf } from "../../client/Contract.ts"

/** Requests and credits of a group on a day. */
export type UsageRow = DataOf<"GET /v1/admin/organizations/:id/usage">["usage"][number]

/** What to group by. */
export type Grouping = "key" | "level" | "operation" | "status"

/** What to count. */
export type Measure = "credits" | "requests"

/** A series. */
export interface Series {
  /** The service's name: an operation, a level, a key's id, a status; empty if unknown. */
  readonly name: string
  readonly total: number
  /** Of each day. */
  readonly values: ReadonlyArray<number>
}

/** The group of a row. */
export const nameOf = (row: UsageRow): string => {
  if ("operation" in row) return row.operation
  if ("level" in row) return String(row.level ?? "")
  return "key_id" in row ? (row.key_id ?? "") : String(row.status ?? "")
}

/** Largest first; empty series are omitted. */
export const seriesOf = (
  rows: ReadonlyArray<UsageRow>,
  days: ReadonlyArray<string>,
  measure: Measure
): ReadonlyArray<Series> => {
  const dayNumbers = new Map(days.map((day, i) => [day, i]))
  const values = new Map<string, Array<number>>()
  for (const row of rows) {
    const day = dayNumbers.get(row.date)
    if (day === undefined || row[measure] === 0) continue
    const name = nameOf(row)
    const found = values.get(name) ?? days.map(() => 0)
    found[day] = row[measure]
    values.set(name, found)
  }
  return [...values]
    .map(([name, values]) => ({ name, values, total: sum(values) }))
    .sort((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1))
}

/** The series of all remaining groups. */
export const others = "others"

/**
 * The groups with the most requests and credits: both charts show the same ones.
 *
 * @param count the maximum number, including the series of all others
 */
export const mostUsed = (rows: ReadonlyArray<UsageRow>, count: number): ReadonlyArray<string> => {
  const requests = totalOf(rows, "requests") || 1
  const credits = totalOf(rows, "credits") || 1
  const shares = new Map<string, number>()
  for (const row of rows) {
    const name = nameOf(row)
    shares.set(name, (shares.get(name) ?? 0) + row.requests / requests + row.credits / credits)
  }
  const names = [...shares.keys()].sort((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0))
  return names.length > count ? [...names.slice(0, count - 1), others] : names
}

/** The series with these names, in their order; the others are summed. */
export const grouped = (series: ReadonlyArray<Series>, names: ReadonlyArray<string>): ReadonlyArray<Series> =>
  names.flatMap((name) => {
    if (name !== others) return series.filter((one) => one.name === name)
    const rest = series.filter((one) => !names.includes(one.name))
    const [first] = rest
    if (first === undefined) return []
    const values = first.values.map((_, day) => sum(rest.map(({ values }) => values[day] ?? 0)))
    return [{ name, values, total: sum(values) }]
  })

/** The sum of all rows. */
export const totalOf = (rows: ReadonlyArray<UsageRow>, measure: Measure): number => sum(rows.map((row) => row[measure]))

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)
