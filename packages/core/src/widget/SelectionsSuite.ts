/** What every adapter of the port `Selections` must do. */
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { Postcode } from "../postcode/Postcode.ts"
import { selectionSources } from "../postcode/Selection.ts"
import { nextTimestamp, unique } from "../testing/Fixtures.ts"
import { checkPaging, readAll } from "../testing/Paging.ts"
import type { SuiteOptions } from "../testing/SuiteOptions.ts"
import { type RecordedSelection, Selections } from "./Selections.ts"

export const selectionsSuite = <E>(
  name: string,
  adapter: Layer.Layer<Selections, E>,
  { settle = Effect.void }: SuiteOptions = {}
): void =>
  layer(adapter, { excludeTestServices: true })(`Selections ${name}`, (it) => {
    it.effect("a selection is listed as it was recorded, with and without a subject and a source", () =>
      Effect.gen(function* () {
        const selections = yield* Selections
        const organization_id = unique("org")
        const { subject: _, ...anonymous } = newSelection({ organization_id })
        const recorded = [
          anonymous,
          newSelection({ organization_id, environment: "live" }),
          ...selectionSources.map((source) => newSelection({ organization_id, source }))
        ]
        yield* Effect.forEach(recorded, selections.record)
        yield* settle
        assert.deepStrictEqual(yield* readSelections(organization_id), recorded.toReversed())
      })
    )

    it.effect("the list contains only the organization's selections", () =>
      Effect.gen(function* () {
        const selections = yield* Selections
        const [mine, other] = [newSelection(), newSelection()]
        yield* Effect.forEach([mine, other], selections.record)
        yield* settle
        assert.deepStrictEqual(yield* readSelections(mine.organization_id), [mine])
        assert.deepStrictEqual(yield* readSelections(other.organization_id), [other])
        assert.deepStrictEqual(yield* readSelections(unique("org")), [])
      })
    )

    it.effect("concurrent selections are all kept, in order", () =>
      Effect.gen(function* () {
        const selections = yield* Selections
        const organization_id = unique("org")
        const recorded = Array.from({ length: 1_500 }, () => newSelection({ organization_id }))
        yield* Effect.forEach(recorded, selections.record, { concurrency: "unbounded" })
        yield* settle
        assert.deepStrictEqual(yield* readSelections(organization_id), recorded.toReversed())
      })
    )

    it.effect("the subjects of an organization are removed, of accepted selections too, and of no other", () =>
      Effect.gen(function* () {
        const selections = yield* Selections
        const [organization_id, other] = [unique("org"), newSelection()]
        const { subject: _, ...anonymous } = newSelection({ organization_id })
        const recorded = [anonymous, newSelection({ organization_id }), newSelection({ organization_id })]
        yield* Effect.forEach([...recorded.slice(0, 2), other], selections.record)
        yield* settle
        yield* Effect.forEach(recorded.slice(2), selections.record)
        assert.strictEqual(yield* selections.forgetSubjects(organization_id), 2)
        assert.strictEqual(yield* selections.forgetSubjects(organization_id), 0)
        assert.strictEqual(yield* selections.forgetSubjects(unique("org")), 0)
        yield* settle
        const without = recorded.map(({ subject: _, ...selection }: RecordedSelection) => selection)
        assert.deepStrictEqual(yield* readSelections(organization_id), without.toReversed())
        assert.deepStrictEqual(yield* readSelections(other.organization_id), [other])
      })
    )

    it.effect("the list is paged, newest first", () =>
      Effect.gen(function* () {
        const selections = yield* Selections
        const organization_id = unique("org")
        const recorded = Array.from({ length: 6 }, () => newSelection({ organization_id }))
        yield* Effect.forEach(recorded, selections.record)
        yield* settle
        yield* checkPaging({
          list: (page) => selections.list(organization_id, page),
          idOf: ({ id }) => id,
          ids: recorded.map(({ id }) => id),
          isPrivate: true,
          add: Effect.andThen(selections.record(newSelection({ organization_id })), settle)
        })
      })
    )
  })

/** A new selection. */
export const newSelection = (fields: Partial<RecordedSelection> = {}): RecordedSelection => ({
  id: unique("sel"),
  organization_id: unique("org"),
  key_id: unique("key"),
  environment: "test",
  subject: unique("1:hash"),
  postcode: "LA-12-A03-BG-07" as Postcode,
  at: nextTimestamp(),
  ...fields
})

const readSelections = (organization_id: string) =>
  Effect.flatMap(Selections, (selections) => readAll((page) => selections.list(organization_id, page)))
