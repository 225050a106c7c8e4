/** Selections in memory: the newest of all organizations, limited by `Retention`. */
import { type RecordedSelection, Selections } from "@postcode/core/widget/Selections"
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

      forgetSubjects: (organization_id) => Effect.sync(() => selections.replace(organization_id, withoutSubject))
    })
  })
)

const withoutSubject = ({ subject, ...selection }: RecordedSelection): RecordedSelection | undefined =>
  subject === undefined ? undefined : selection
