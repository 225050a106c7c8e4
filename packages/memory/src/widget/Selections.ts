/** Selections in memory: the newest, as many as `Retention` says of all organizations together. */
import { type RecordedSelection, Selections } from "@postcode/core/widget/Selections"
import { Effect, Layer } from "effect"
import { KeptByOwner } from "../retention/KeptByOwner.ts"
import { Retention } from "../retention/Retention.ts"

export const layerSelections: Layer.Layer<Selections> = Layer.effect(
  Selections,
  Effect.map(Retention, (limits) => {
    const selections = new KeptByOwner<RecordedSelection>(limits.selections, ({ organization_id: owner }) => ({
      owner,
      room: owner
    }))
    return Selections.of({
      record: (selection) => Effect.sync(() => selections.add(selection)),

      list: (organization_id, page) => Effect.suspend(() => selections.page(organization_id, page, () => true))
    })
  })
)
