/** Selections in memory: the newest of all organizations, limited by `Retention`. */
import type { PartialPostcode } from "@postcode/core/Postcode"
import {
  type DailySelections,
  type RecordedSelection,
  Selections,
  type SelectionsQuery
} from "@postcode/gateway/widget/selections/Selections"
import { Effect, Layer } from "effect"
import { KeptByOwner } from "../retention/KeptByOwner.ts"
import { Retention } from "../retention/Retention.ts"

export const layerSelections: Layer.Layer<Selections> = Layer.effect(
  Selections,
  Effect.map(Retention, (limits) => {
    const selections = new KeptByOwner<RecordedSelection>(limits.selections, ({ organization_id: owner }) => ({
      owner,
      queue: owner
    }))
    return Selections.of({
      record: (selection) => Effect.sync(() => selections.add(selection)),

      list: (organization_id, page) => Effect.suspend(() => selections.page(organization_id, page, () => true)),

      daily: (query) => Effect.sync(() => countsOf(selections.itemsOf(query.organization_id), query)),

      forgetSubjects: (organization_id) => Effect.sync(() => selections.replace(organization_id, withoutSubject))
    })
  })
)

const withoutSubject = ({ subject, ...selection }: RecordedSelection): RecordedSelection | undefined =>
  subject === undefined ? undefined : selection

const countsOf = (
  selections: Iterable<RecordedSelection>,
  { environment, from, limit, min, to }: SelectionsQuery
): ReadonlyArray<DailySelections> => {
  const counts = new Map<string, DailySelections>()
  for (const { at, environment: of, postcode, source = null } of selections) {
    const date = at.slice(0, 10)
    if (of !== environment || date < from || date > to) continue
    const lga = postcode.slice(0, 5) as PartialPostcode
    // In the order of the rows: no source is before every other.
    const group = `${date} ${lga} ${source ?? ""}`
    counts.set(group, { date, lga, source, selections: (counts.get(group)?.selections ?? 0) + 1 })
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row)
    .filter((row) => row.selections >= min)
    .slice(0, limit)
}
