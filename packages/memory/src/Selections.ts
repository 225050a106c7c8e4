/** Selections in memory. */
import { type RecordedSelection, Selections } from "@postcode/core/ports/Selections"
import { Effect, Layer } from "effect"
import { newestFirst } from "./NewestFirst.ts"

export const layerSelections: Layer.Layer<Selections> = Layer.sync(Selections, () => {
  const byOrganization = new Map<string, Array<RecordedSelection>>()

  return Selections.of({
    record: (selection) =>
      Effect.sync(() => {
        const own = byOrganization.get(selection.organization_id)
        if (own === undefined) byOrganization.set(selection.organization_id, [selection])
        else own.push(selection)
      }),

    list: (organization_id, page) =>
      Effect.suspend(() => {
        const own = byOrganization.get(organization_id) ?? []
        return newestFirst(own.length, (index) => own[index], page)
      })
  })
})
