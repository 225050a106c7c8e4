/** Sums the rows of a report of selections. */
import type { DataOf } from "../../client/Contract.ts"

/** Selections of a day, an LGA and a source. */
export type SelectionRow = DataOf<"GET /v1/admin/organizations/:id/selections">["selections"][number]

/** Where selections were made; `unknown` if clients did not send it. */
export const sources = [
  ["search", "Search"],
  ["bookmark", "Bookmarks"],
  ["discover", "Map"],
  ["unknown", "Unknown"]
] as const

type Source = (typeof sources)[number][0]

/** The selections of an LGA or a day. */
export interface SelectionGroup {
  /** The code or the date. */
  readonly name: string
  readonly label: string
  readonly counts: Readonly<Record<Source, number>>
  readonly total: number
}

/** Most selections first. */
export const selectionsByLga = (rows: ReadonlyArray<SelectionRow>): ReadonlyArray<SelectionGroup> =>
  groupsOf(rows, ({ lga, lga_name }) => [lga, lga_name === undefined ? lga : `${lga_name} (${lga})`]).sort(
    (a, b) => b.total - a.total || (a.name < b.name ? -1 : 1)
  )

/** Newest day first. */
export const selectionsByDay = (rows: ReadonlyArray<SelectionRow>): ReadonlyArray<SelectionGroup> =>
  groupsOf(rows, ({ date }) => [date, date]).sort((a, b) => (a.name < b.name ? 1 : -1))

const groupsOf = (
  rows: ReadonlyArray<SelectionRow>,
  groupOf: (row: SelectionRow) => readonly [name: string, label: string]
): Array<SelectionGroup> => {
  const groups = new Map<string, SelectionGroup>()
  for (const row of rows) {
    const [name, label] = groupOf(row)
    const { counts, total } = groups.get(name) ?? { counts: none, total: 0 }
    const source = row.source ?? "unknown"
    const sum = { ...counts, [source]: counts[source] + row.selections }
    groups.set(name, { name, label, counts: sum, total: total + row.selections })
  }
  return [...groups.values()]
}

const none = { search: 0, bookmark: 0, discover: 0, unknown: 0 }
