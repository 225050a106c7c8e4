/** Selections in memory: the newest of all organizations together, as many as `Retention` says. */
import { type RecordedSelection, Selections } from "@postcode/core/ports/Selections"
import { Effect, Layer } from "effect"
import { KeptByOwner } from "./KeptByOwner.ts"
import { newestFirst } from "./NewestFirst.ts"
import { Retention } from "./Retention.ts"

export const layerSelections: Layer.Layer<Selections> = Layer.effect(
  Selections,
  Effect.map(Retention, (limits) => {
    const selections = new KeptByOwner<RecordedSelection>(limits.selections, ({ organization_id }) => organization_id)
    return Selections.of({
      record: (selection) => Effect.sync(() => selections.add(selection)),

      list: (organization_id, page) =>
        Effect.suspend(() => {
          const own = selections.of(organization_id)
          return newestFirst(own.length, (index) => own.at(index), page, own.first)
        })
    })
  })
)
